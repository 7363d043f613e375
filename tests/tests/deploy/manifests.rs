//! What runs the server elsewhere: the unit of systemd, manifests for Kubernetes, the file of compose.

use std::{fs, path::Path, process::Command};

use chaquete_tests::binary;
use serde_json::Value;

use super::{deployed, program_or_say, run, text};

/// The documents of a file, as JSON.
fn documents(path: &str) -> Vec<Value> {
    let program = "import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))";
    let read = run("python3", &["-c", program, deployed(path).to_str().unwrap()]);
    serde_json::from_str(&read).unwrap()
}

/// Runs the server program with these variables and nothing else in its environment.
fn server(arguments: &[&str], variables: &[(String, String)]) -> String {
    let program = binary("chaquete-server");
    let output = Command::new(&program).args(arguments).env_clear().envs(variables.iter().cloned()).output();
    text(program.as_ref(), &output.unwrap())
}

/// The pods of the manifests that run our image.
fn pods() -> Vec<Value> {
    let all = [documents("kubernetes/server.yaml"), documents("kubernetes/migrate.yaml")].concat();
    let pods: Vec<_> = all.iter().map(|one| one["spec"]["template"]["spec"].clone()).collect();
    pods.into_iter().filter(Value::is_object).collect()
}

fn containers(pod: &Value) -> impl Iterator<Item = &Value> {
    ["initContainers", "containers"].into_iter().filter_map(|kind| pod[kind].as_array()).flatten()
}

#[test]
fn manifests_are_of_the_kinds_that_they_say() {
    if program_or_say("kubernetes-validate").is_some() {
        let files = ["kubernetes/server.yaml", "kubernetes/migrate.yaml"].map(deployed);
        run("kubernetes-validate", &["--strict", files[0].to_str().unwrap(), files[1].to_str().unwrap()]);
    }
}

/// The profile "restricted" of Kubernetes, and a closed file system.
#[test]
fn pods_may_do_nothing_that_they_need_not() {
    if program_or_say("kubernetes-validate").is_none() {
        return;
    }
    let pods = pods();
    assert_eq!(pods.len(), 2);
    for pod in &pods {
        assert_eq!(pod["automountServiceAccountToken"], false);
        assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
        assert_eq!(pod["securityContext"]["seccompProfile"]["type"], "RuntimeDefault");
        for container in containers(pod) {
            let may = &container["securityContext"];
            let closed = may["readOnlyRootFilesystem"] == true && may["allowPrivilegeEscalation"] == false;
            assert!(closed && may["capabilities"]["drop"][0] == "ALL", "{container}");
            assert!(container["resources"]["limits"]["memory"].is_string(), "{container}");
        }
        for volume in pod["volumes"].as_array().unwrap() {
            // The server refuses secrets that all the world can read.
            let secret = &volume["secret"];
            assert!(secret.is_null() || secret["defaultMode"] == 0o440, "{volume}");
        }
    }
}

#[test]
fn pods_are_told_what_the_server_understands() {
    if program_or_say("kubernetes-validate").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chaquete.toml");
    let all = documents("kubernetes/server.yaml");
    let config = all.iter().find(|one| one["kind"] == "ConfigMap").unwrap();
    fs::write(&file, config["data"]["chaquete.toml"].as_str().unwrap()).unwrap();
    let printed = server(&["config", "print", "--config", file.to_str().unwrap()], &[]);
    // The edge is where the server listens.
    let edge = fs::read_to_string(deployed("envoy/envoy.yaml")).unwrap();
    assert!(printed.contains("listen = \"127.0.0.1:50051\"\n") && edge.contains("port_value: 50051"));

    let help = server(&["--help"], &[]);
    for container in pods().iter().flat_map(containers).filter(|one| one["image"] == "chaquete-server:latest")
    {
        let arguments = container["args"].as_array().unwrap();
        let command = arguments[0].as_str().unwrap();
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
        let options = server(&[command, "--help"], &[]);
        for option in arguments.iter().filter_map(Value::as_str).filter(|one| one.starts_with("--")) {
            let name = option.split('=').next().unwrap();
            assert!(options.contains(&format!("{name} <")), "{command} {option}");
        }
    }
}

#[test]
fn compose_tells_the_server_what_it_understands() {
    if program_or_say("kubernetes-validate").is_none() {
        return;
    }
    let compose = documents("compose/compose.yaml").remove(0);
    let environment = compose["services"]["server"]["environment"].as_object().unwrap();
    let variables: Vec<_> =
        environment.iter().map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())).collect();
    let help = server(&["serve", "--help"], &[]);
    for (name, _) in &variables {
        assert!(help.contains(&format!("[env: {name}")), "{name}");
    }
    assert!(
        server(&["config", "print"], &variables)
            .contains("store = \"postgres://chaquete@postgres/chaquete\"")
    );
    for service in compose["services"].as_object().unwrap().values() {
        let image = service["image"].as_str().unwrap();
        assert!(image.contains("postgres") || service["read_only"] == true, "{service}");
    }
}

#[test]
fn the_unit_is_one_and_is_closed() {
    if program_or_say("systemd-analyze").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let unit = folder.path().join("chaquete-server.service");
    let program = binary("chaquete-server").display().to_string();
    let written = fs::read_to_string(deployed("systemd/chaquete-server.service")).unwrap();
    fs::write(&unit, written.replace("/usr/local/bin/chaquete-server", &program)).unwrap();
    analyze(&["verify"], &unit);
    // From 0, nothing is exposed, to 100.
    analyze(&["security", "--offline=true", "--no-pager", "--threshold=15"], &unit);
}

fn analyze(arguments: &[&str], unit: &Path) {
    let output = Command::new("systemd-analyze").args(arguments).arg(unit).output().unwrap();
    text("systemd-analyze".as_ref(), &output);
    // What it does not understand it only tells.
    assert!(!String::from_utf8_lossy(&output.stderr).contains("chaquete-server.service"), "{output:?}");
}
