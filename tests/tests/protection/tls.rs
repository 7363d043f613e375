//! TLS: certificates of the server, which are read again, and those of clients.

use std::{fs, path::PathBuf, process::Command, time::Duration};

use chaquete_client::{Client, RetryPolicy};
use chaquete_proto::v1::{GetServerInfoRequest, ListMatchesRequest};
use chaquete_server::config::{AccessConfig, Config, NewKey, TlsFiles};
use chaquete_tests::{ServerProcess, Service, backend, binary, new_key, store_url};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
};
use tempfile::TempDir;
use tokio::task::spawn_blocking;
use tonic::Code;

/// Somebody who signs certificates.
type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority() -> Authority {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    // Not the name that certificates have by default: one that had its issuer's name would seem to be signed by itself.
    params.distinguished_name.push(DnType::CommonName, "authority");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// A certificate and its key (PEM), for this name or for a client.
fn certificate(authority: &Authority, host: Option<&str>) -> (String, String) {
    let mut params = CertificateParams::new(host.map(str::to_owned).into_iter().collect::<Vec<_>>()).unwrap();
    let usage = if host.is_some() {
        ExtendedKeyUsagePurpose::ServerAuth
    } else {
        ExtendedKeyUsagePurpose::ClientAuth
    };
    params.extended_key_usages = vec![usage];
    let key = KeyPair::generate().unwrap();
    let signed = params.signed_by(&key, authority).unwrap();
    (signed.pem(), key.serialize_pem())
}

struct Files {
    folder: TempDir,
}

impl Files {
    fn new(authority: &Authority) -> Self {
        let files = Self { folder: tempfile::tempdir().unwrap() };
        files.show(authority);
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// The server is to show a new certificate of this authority.
    fn show(&self, authority: &Authority) {
        let (certificate, key) = certificate(authority, Some("localhost"));
        self.write("cert.pem", &certificate);
        self.write("key.pem", &key);
    }

    fn tls(&self, client_authorities: Option<PathBuf>) -> Option<TlsFiles> {
        Some(TlsFiles { certificates: self.path("cert.pem"), key: self.path("key.pem"), client_authorities })
    }
}

/// Where the same server is reached over TLS: by the name in its certificate.
fn protected(endpoint: &str) -> String {
    endpoint.replace("http://127.0.0.1", "https://localhost")
}

async fn info(client: &Client) -> bool {
    client.get_server_info(GetServerInfoRequest {}).await.is_ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_trusts_the_authority_is_served_and_nobody_else() {
    let (ours, others) = (authority(), authority());
    let files = Files::new(&ours);
    let access = AccessConfig { tls: files.tls(None), ..AccessConfig::default() };
    let service = Service::start_with(Config { store: "memory:".into(), access, ..Config::default() }).await;
    let endpoint = protected(&service.endpoint());
    let brief = RetryPolicy { patience: Duration::ZERO, ..RetryPolicy::default() };
    let client = Client::builder(&endpoint).authorities(ours.pem()).connect().await.unwrap();
    assert!(info(&client).await);
    for refused in [
        Client::builder(&endpoint).authorities(others.pem()),
        // Without TLS nothing is said.
        Client::builder(service.endpoint()),
    ] {
        let client = refused.retry(brief).connect_lazy().unwrap();
        assert!(!info(&client).await);
    }
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn browsers_choose_their_protocol_where_pages_may_call() {
    if Command::new("curl").arg("--version").output().is_err() {
        return eprintln!("SKIPPED: there is no curl on this machine");
    }
    let ours = authority();
    let files = Files::new(&ours);
    let (trusted, empty) = (files.write("roots.pem", &ours.pem()), files.write("empty", "\0\0\0\0\0"));
    let ask = async |web_origins: &[&str], version: &str| {
        let web_origins = web_origins.iter().map(|origin| origin.parse().unwrap()).collect();
        let access = AccessConfig { tls: files.tls(None), web_origins, ..AccessConfig::default() };
        let service =
            Service::start_with(Config { store: "memory:".into(), access, ..Config::default() }).await;
        let url = format!("{}/backgammon.v1.RulesService/GetServerInfo", protected(&service.endpoint()));
        let mut curl = Command::new("curl");
        curl.args([
            "--silent",
            "--show-error",
            version,
            "--max-time",
            "10",
            "--output",
            "/dev/null",
            "--cacert",
        ])
        .arg(&trusted);
        curl.args([
            "--write-out",
            "%{http_version} %{http_code}",
            "--header",
            "origin: https://play.example.com",
        ]);
        curl.args(["--header", "content-type: application/grpc-web+proto", "--data-binary"]);
        curl.arg(format!("@{}", empty.display())).arg(url);
        let output = spawn_blocking(move || curl.output().unwrap()).await.unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() || said.contains("alert"), "{said}");
        String::from_utf8(output.stdout).unwrap()
    };
    let pages = ["https://play.example.com"];
    assert_eq!(ask(&pages, "--http1.1").await, "1.1 200");
    assert_eq!(ask(&pages, "--http2").await, "2 200");
    assert_eq!(ask(&[], "--http1.1").await, "0 000", "there is no protocol in common");
}

#[tokio::test(flavor = "multi_thread")]
async fn health_is_asked_over_tls_where_the_server_speaks_it() {
    let files = Files::new(&authority());
    let access = AccessConfig { tls: files.tls(None), ..AccessConfig::default() };
    let service = Service::start_with(Config { store: "memory:".into(), access, ..Config::default() }).await;
    let address = service.endpoint().trim_start_matches("http://").to_owned();
    let file = files.write(
        "chaquete.toml",
        &format!(
            "listen = '{address}'\ntls-cert = '{0}/cert.pem'\ntls-key = '{0}/key.pem'\n",
            files.folder.path().display()
        ),
    );
    let ask = async |arguments: &[&std::ffi::OsStr]| {
        let mut health = Command::new(binary("chaquete-server"));
        health.arg("health").args(arguments);
        spawn_blocking(move || health.output().unwrap()).await.unwrap()
    };
    let asked = ask(&["--config".as_ref(), file.as_os_str()]).await;
    assert!(asked.status.success(), "{}", String::from_utf8_lossy(&asked.stderr));
    let plain = ask(&["--listen".as_ref(), address.as_ref()]).await;
    assert_eq!(plain.status.code(), Some(1));
    service.stop().await;
    let gone = ask(&["--config".as_ref(), file.as_os_str()]).await;
    assert!(String::from_utf8_lossy(&gone.stderr).contains(&format!("nobody answers at {address}")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_speaks_no_tls_where_it_is_spoken_is_told_what_to_do() {
    let files = Files::new(&authority());
    let access = AccessConfig { tls: files.tls(None), ..AccessConfig::default() };
    let service = Service::start_with(Config { store: "memory:".into(), access, ..Config::default() }).await;
    let impatient = RetryPolicy { patience: Duration::ZERO, ..RetryPolicy::default() };
    let client = Client::builder(service.endpoint()).retry(impatient).connect_lazy().unwrap();
    // Now and then a client writes on before it reads that it was refused, and sees no more than that.
    let mut told = Vec::new();
    while told.len() < 20 && !told.iter().any(|said: &String| said.contains("an address with `https:`")) {
        told.push(client.get_server_info(GetServerInfoRequest {}).await.unwrap_err().to_string());
    }
    assert!(told.len() < 20, "{told:?}");
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_of_a_client_counts_as_its_key() {
    let (ours, clients, others) = (authority(), authority(), authority());
    let files = Files::new(&ours);
    let (known, stranger, forged) =
        (certificate(&clients, None), certificate(&clients, None), certificate(&others, None));
    let store = store_url(files.folder.path());
    let path = files.write("client.pem", &known.0);
    new_key(&store, NewKey { certificate: Some(path), ..backend("club") }).await;
    let authorities = files.write("clients.pem", &clients.pem());
    let access = AccessConfig { tls: files.tls(Some(authorities)), ..AccessConfig::default() };
    let service = Service::start_with(Config { store, access, ..Config::default() }).await;
    let list = async |identity: Option<&(String, String)>| {
        let mut builder = Client::builder(protected(&service.endpoint()))
            .authorities(ours.pem())
            .retry(RetryPolicy { patience: Duration::ZERO, ..RetryPolicy::default() });
        if let Some((certificate, key)) = identity {
            builder = builder.identity(certificate, key);
        }
        let request = ListMatchesRequest { parent: "tenants/club".into(), ..ListMatchesRequest::default() };
        let listed = builder.connect_lazy().unwrap().list_matches(request).await;
        listed.map(|listed| listed.matches.len()).map_err(|error| error.code())
    };
    assert_eq!(list(Some(&known)).await, Ok(0));
    assert_eq!(list(Some(&stranger)).await, Err(Code::Unauthenticated));
    assert_eq!(list(None).await, Err(Code::Unauthenticated));
    assert_eq!(list(Some(&forged)).await, Err(Code::Unavailable), "no connection");
    service.stop().await;
}

#[test]
fn certificates_are_read_again_when_the_server_is_told_to() {
    let (old, new) = (authority(), authority());
    let files = Files::new(&old);
    let path = |name: &str| files.path(name).display().to_string();
    let server = ServerProcess::serve(
        &store_url(files.folder.path()),
        "127.0.0.1:0",
        ["--tls-cert", &path("cert.pem"), "--tls-key", &path("key.pem")],
    );
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let trusts = |authority: &Authority| {
        let brief = RetryPolicy { patience: Duration::ZERO, ..RetryPolicy::default() };
        let client = Client::builder(protected(server.endpoint())).authorities(authority.pem()).retry(brief);
        runtime.block_on(async { info(&client.connect_lazy().unwrap()).await })
    };
    let hup = || {
        let told = Command::new("kill").args(["-HUP", &server.pid().to_string()]).status().unwrap();
        assert!(told.success());
    };
    let soon = |holds: &dyn Fn() -> bool| {
        assert!((0..100).any(|_| holds() || {
            std::thread::sleep(Duration::from_millis(100));
            false
        }));
    };
    assert!(trusts(&old) && !trusts(&new));
    files.show(&new);
    hup();
    soon(&|| trusts(&new));
    assert!(!trusts(&old));
    // What is no certificate changes nothing.
    files.write("cert.pem", "nothing");
    hup();
    // Nobody tells that nothing has changed.
    std::thread::sleep(Duration::from_millis(300));
    assert!(trusts(&new));
}
