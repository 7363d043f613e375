//! The compiled contract against its golden text, `contract.txt`, and against its own conventions.

use std::collections::BTreeSet;

use chaquete_proto::FILE_DESCRIPTOR_SET;
use chaquete_proto::access::{AccessError, AccessTable, Idempotency};
use chaquete_proto::v1::ErrorReason;
use prost::Message as _;
use prost_reflect::{
    Cardinality, DescriptorPool, EnumDescriptor, ExtensionDescriptor, FieldDescriptor, FileDescriptor, Kind,
    MessageDescriptor, MethodDescriptor, ServiceDescriptor,
};

const GOLDEN: &str = include_str!("contract.txt");
const PACKAGE: &str = "backgammon.v1";

fn files() -> Vec<FileDescriptor> {
    let pool = DescriptorPool::decode(FILE_DESCRIPTOR_SET).expect("the embedded set decodes");
    pool.files().filter(|file| file.package_name() == PACKAGE).collect()
}

fn methods() -> Vec<MethodDescriptor> {
    let services = files().into_iter().flat_map(|file| file.services().collect::<Vec<_>>());
    services.flat_map(|service| service.methods().collect::<Vec<_>>()).collect()
}

fn path(method: &MethodDescriptor) -> String {
    format!("/{}/{}", method.parent_service().full_name(), method.name())
}

#[test]
fn the_contract_is_the_golden_one() {
    let golden: BTreeSet<String> =
        GOLDEN.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(String::from).collect();
    let compiled: BTreeSet<String> = files().iter().flat_map(text::file).collect();
    let lost: Vec<_> = golden.difference(&compiled).collect();
    let new: Vec<_> = compiled.difference(&golden).collect();
    assert!(lost.is_empty() && new.is_empty(), "lost or changed: {lost:#?}\nnew: {new:#?}");
}

#[test]
fn files_compile_anywhere_and_agree_on_names_in_other_languages() {
    for file in files() {
        for import in file.dependencies() {
            let name = import.name();
            assert!(name.starts_with("google/protobuf/") || name.starts_with("backgammon/v1/"), "{name}");
        }
        let options = file.file_descriptor_proto().options.clone().unwrap();
        assert_eq!(options.java_package(), "chaquete.backgammon.v1", "{}", file.name());
        assert!(options.java_multiple_files(), "{}", file.name());
        assert_eq!(options.csharp_namespace(), "Chaquete.Backgammon.V1", "{}", file.name());
        assert_eq!(options.go_package(), "chaquete/backgammon/v1;backgammonv1", "{}", file.name());
        assert_eq!(options.swift_prefix(), "BG", "{}", file.name());
    }
}

#[test]
fn every_method_has_an_access_rule() {
    let table = AccessTable::load().unwrap();
    let listed: BTreeSet<_> = table.iter().map(|method| method.path.clone()).collect();
    assert_eq!(listed, methods().iter().map(path).collect());
}

#[test]
fn a_contract_without_rules_is_refused_with_the_names_of_its_methods() {
    // prost does not know the option and drops it.
    let bare = prost_types::FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).unwrap().encode_to_vec();
    let Err(AccessError::Missing(missing)) = AccessTable::decode(&bare) else { panic!("accepted") };
    assert_eq!(BTreeSet::from_iter(missing), methods().iter().map(path).collect());

    assert!(matches!(AccessTable::decode(&[]), Err(AccessError::NoOption)));
    assert!(matches!(AccessTable::decode(b"no descriptor"), Err(AccessError::Descriptor(_))));
}

#[test]
fn what_changes_a_match_can_be_repeated_and_what_reads_need_not() {
    let table = AccessTable::load().unwrap();
    for method in methods() {
        let has_request_id = method.input().get_field_by_name("request_id").is_some();
        match table.get(&path(&method)).unwrap().idempotency {
            // Revoking twice is revoking: there is nothing to remember.
            Idempotency::Idempotent => {
                assert_eq!(has_request_id, method.name() != "RevokeTokens", "{method:?}");
            }
            Idempotency::NoSideEffects => assert!(!has_request_id, "{method:?}"),
            Idempotency::Unknown => assert!(["Act", "IssueToken"].contains(&method.name()), "{method:?}"),
        }
    }
}

#[test]
fn actions_have_one_shape_and_all_go_over_the_stream() {
    let table = AccessTable::load().unwrap();
    let (acts, actions): (Vec<_>, Vec<_>) = methods()
        .into_iter()
        .filter(|method| method.parent_service().name() == "PlayService")
        .filter(|method| table.get(&path(method)).unwrap().idempotency != Idempotency::NoSideEffects)
        .partition(|method| method.name() == "Act");
    let streamed: BTreeSet<String> = acts[0]
        .input()
        .fields()
        .filter(|field| field.containing_oneof().is_some())
        .map(|field| text::kind(&field))
        .collect();
    for action in &actions {
        let (request, response) = (action.input(), action.output());
        for (number, name) in [(1, "name"), (2, "seat"), (3, "expected_revision"), (4, "request_id")] {
            assert_eq!(request.get_field(number).unwrap().name(), name, "{request:?}");
        }
        for (number, name) in [(1, "match"), (2, "events")] {
            assert_eq!(response.get_field(number).unwrap().name(), name, "{response:?}");
        }
        assert!(streamed.contains(request.name()), "{} is not in ActRequest", request.name());
    }
    assert_eq!(actions.len(), 12);
}

#[test]
fn every_error_reason_states_its_code() {
    const CODES: [&str; 12] = [
        "INVALID_ARGUMENT",
        "ABORTED",
        "FAILED_PRECONDITION",
        "NOT_FOUND",
        "ALREADY_EXISTS",
        "UNAUTHENTICATED",
        "PERMISSION_DENIED",
        "RESOURCE_EXHAUSTED",
        "OUT_OF_RANGE",
        "UNAVAILABLE",
        "DATA_LOSS",
        "INTERNAL",
    ];
    let file = files().into_iter().find(|file| file.name().ends_with("error.proto")).unwrap();
    let source = file.file_descriptor_proto().source_code_info.clone().unwrap();
    let reasons = file.enums().find(|reasons| reasons.name() == "ErrorReason").unwrap();
    for reason in reasons.values().filter(|reason| reason.number() != ErrorReason::Unspecified as i32) {
        let location = source.location.iter().find(|location| location.path == reason.path()).unwrap();
        let code = location.leading_comments().split('`').nth(1).unwrap_or_default();
        let known = CODES.contains(&code) || reason.name() == format!("ERROR_REASON_{code}");
        assert!(known, "{}: {}", reason.name(), location.leading_comments());
    }
}

/// The contract in the form of `contract.txt`.
mod text {
    use super::*;

    pub(super) fn file(file: &FileDescriptor) -> Vec<String> {
        let name = file.name().trim_start_matches("backgammon/v1/");
        let mut lines = Vec::new();
        file.services().for_each(|part| service(&mut lines, name, &part));
        file.messages().for_each(|part| message(&mut lines, name, &part));
        file.enums().for_each(|part| enumeration(&mut lines, name, &part));
        file.extensions().for_each(|part| lines.push(extension(name, &part)));
        lines
    }

    fn service(lines: &mut Vec<String>, file: &str, service: &ServiceDescriptor) {
        lines.push(format!("service {} in {file}", service.name()));
        let table = AccessTable::load().expect("every method has a rule");
        for method in service.methods() {
            let stream = |streams| if streams { "stream " } else { "" };
            let known = table.get(&path(&method)).expect("the table has every method");
            let roles: Vec<_> = known.roles.iter().map(|role| &role.as_str_name()["ROLE_".len()..]).collect();
            lines.push(format!(
                "rpc {}.{} ({}{}) -> ({}{}) {} [{}]",
                service.name(),
                method.name(),
                stream(method.is_client_streaming()),
                method.input().name(),
                stream(method.is_server_streaming()),
                method.output().name(),
                match known.idempotency {
                    Idempotency::Unknown => "IDEMPOTENCY_UNKNOWN",
                    Idempotency::NoSideEffects => "NO_SIDE_EFFECTS",
                    Idempotency::Idempotent => "IDEMPOTENT",
                },
                roles.join(" ")
            ));
        }
    }

    fn message(lines: &mut Vec<String>, file: &str, message: &MessageDescriptor) {
        lines.push(format!("message {} in {file}", message.name()));
        for field in message.fields() {
            let label = match field.cardinality() {
                Cardinality::Repeated if !field.is_map() => "repeated ",
                _ if field.field_descriptor_proto().proto3_optional() => "optional ",
                _ => "",
            };
            let oneof = field.containing_oneof().filter(|oneof| !oneof.is_synthetic());
            let oneof = oneof.map(|oneof| format!(" oneof {}", oneof.name())).unwrap_or_default();
            let (name, number, kind) = (field.name(), field.number(), kind(&field));
            lines.push(format!("field {}.{name} {number} {label}{kind}{oneof}", message.name()));
        }
    }

    fn enumeration(lines: &mut Vec<String>, file: &str, enumeration: &EnumDescriptor) {
        lines.push(format!("enum {} in {file}", enumeration.name()));
        for value in enumeration.values() {
            lines.push(format!("value {}.{} {}", enumeration.name(), value.name(), value.number()));
        }
    }

    fn extension(file: &str, extension: &ExtensionDescriptor) -> String {
        let (of, name, number) =
            (extension.containing_message(), extension.name().to_owned(), extension.number());
        format!("extension {}.{name} {number} {} in {file}", of.full_name(), kind_name(&extension.kind()))
    }

    pub(super) fn kind(field: &FieldDescriptor) -> String {
        match field.kind() {
            Kind::Message(entry) if field.is_map() => format!(
                "map<{}, {}>",
                kind_name(&entry.map_entry_key_field().kind()),
                kind_name(&entry.map_entry_value_field().kind())
            ),
            kind => kind_name(&kind),
        }
    }

    fn kind_name(kind: &Kind) -> String {
        let name = match kind {
            Kind::Message(message) => message.full_name().to_owned(),
            Kind::Enum(enumeration) => enumeration.full_name().to_owned(),
            scalar => format!("{scalar:?}").to_lowercase(),
        };
        name.trim_start_matches("backgammon.v1.").to_owned()
    }
}
