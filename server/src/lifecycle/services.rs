//! What is served on the port, and over which transport.

use std::time::Duration;

use chaquete_proto::{
    FILE_DESCRIPTOR_SET,
    v1::{
        match_service_server::MatchServiceServer, operator_service_server::OperatorServiceServer,
        play_service_server::PlayServiceServer, rules_service_server::RulesServiceServer,
    },
};
use tonic::{server::NamedService, service::Routes, transport::server::Server};
use tonic_health::{
    ServingStatus,
    pb::health_server::HealthServer,
    server::{HealthReporter, HealthService},
};

use super::StartError;
use crate::{
    audit::Auditor,
    layer::{BySize, MAX_IMPORT, MAX_REQUEST},
    rpc::{CheckpointParts, MatchParts, MatchRpc, OperatorRpc, PlayRpc, RulesRpc},
    telemetry::metrics::CallMeters,
};

/// What health is told of: the server as a whole, and each service of ours.
const SERVICES: [&str; 5] = [
    "",
    MatchServiceServer::<MatchRpc>::NAME,
    PlayServiceServer::<PlayRpc>::NAME,
    RulesServiceServer::<RulesRpc>::NAME,
    OperatorServiceServer::<OperatorRpc>::NAME,
];

/// Streams that one connection may have open. (tonic's own default is no limit at all.)
const MAX_STREAMS: u32 = 128;

/// How many bytes of a stream, and of all streams of a connection together, may have arrived without being read.
///
/// A stream that is held back must not hold back others of its connection, so all together is much more than one.
/// And it must be held back by its window: the transport closes a connection when it keeps too many small pieces of
/// data that nobody reads, which many streams of small messages would reach with wider windows.
const WINDOWS: (u32, u32) = (64 * 1024, 4 * 1024 * 1024);

/// The largest header list of a call, in bytes.
const MAX_HEADERS: u32 = 8 * 1024;

/// How often a silent connection is asked whether it is still there, and how long it may take to say so.
const KEEPALIVE: (Duration, Duration) = (Duration::from_secs(20), Duration::from_secs(10));

/// The transport, with its limits. Browsers may speak HTTP/1 as well.
pub(super) fn transport(browsers: bool) -> Server {
    Server::builder()
        .accept_http1(browsers)
        .max_concurrent_streams(Some(MAX_STREAMS))
        .initial_stream_window_size(WINDOWS.0)
        .initial_connection_window_size(WINDOWS.1)
        .http2_max_header_list_size(Some(MAX_HEADERS))
        .http2_keepalive_interval(Some(KEEPALIVE.0))
        .http2_keepalive_timeout(Some(KEEPALIVE.1))
}

/// Tells whoever asks for our health.
pub(super) async fn report(health: &HealthReporter, status: ServingStatus) {
    for service in SERVICES {
        health.set_service_status(service, status).await;
    }
}

/// All services on one port: ours, health, reflection in both versions that tools ask for.
pub(super) fn routes(
    parts: MatchParts,
    auditor: Auditor,
    checkpoints: CheckpointParts,
    meters: &CallMeters,
    health: &HealthReporter,
) -> Result<Routes, StartError> {
    let health = HealthServer::new(HealthService::from_health_reporter(health.clone()));
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let failed = |error: tonic_reflection::server::Error| StartError::Reflection(error.to_string());
    let reflection_v1 = reflection().build_v1().map_err(failed)?;
    let reflection_v1alpha = reflection().build_v1alpha().map_err(failed)?;

    let (executor, shutdown) = (parts.executor.clone(), parts.shutdown.clone());
    let play = PlayRpc::new(executor, meters.clone(), shutdown, parts.allow_seeded_dice);
    let rules = RulesRpc::new(parts.allow_seeded_dice);
    let matches = MatchRpc::new(parts);
    let operator = OperatorRpc::new(matches.clone(), auditor, checkpoints);
    let matches = MatchServiceServer::new(matches);
    let matches = BySize::new(
        matches.clone().max_decoding_message_size(MAX_IMPORT),
        matches.max_decoding_message_size(MAX_REQUEST),
    );
    Ok(Routes::new(health)
        .add_service(reflection_v1)
        .add_service(reflection_v1alpha)
        .add_service(matches)
        .add_service(PlayServiceServer::new(play).max_decoding_message_size(MAX_REQUEST))
        .add_service(RulesServiceServer::new(rules).max_decoding_message_size(MAX_REQUEST))
        .add_service(OperatorServiceServer::new(operator).max_decoding_message_size(MAX_REQUEST)))
}
