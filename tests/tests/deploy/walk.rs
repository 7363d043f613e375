//! What `docs/operating.md` has to copy and paste, run as it stands there: from nothing to a service that others can reach.

use std::{fs, net::TcpListener, path::Path, process::Command};

use chaquete_server::store::suite::cluster::Cluster;
use chaquete_tests::{binary, project};

use super::{program_or_say, text};

/// What runs before the commands: a fresh Postgres, whose superuser everybody here may be, and the programs on the
/// path. What was started in the background ends with the commands.
const BEFORE: &str = r#"
set -euo pipefail
trap 'kill $(jobs -p); wait' EXIT
sudo() { shift 2; PGHOST=127.0.0.1 PGUSER=postgres "$@"; }
"#;

/// What runs after them: Prometheus has the metrics of the server.
const AFTER: &str = r#"
for try in $(seq 120); do
  up=$(curl --silent 'http://127.0.0.1:9091/api/v1/query?query=chaquete_build_info*on(instance)group_left()up' || true)
  [[ $up != *',"1"]'* ]] || { echo "metrics are scraped"; exit 0; }
  sleep 0.5
done
echo "no metrics are scraped: $up"
exit 1
"#;

/// All blocks for the shell of a section of the page, one after the other.
fn commands(page: &str, heading: &str) -> String {
    let mut lines = page.lines().skip_while(|line| *line != heading).skip(1);
    let mut commands = String::new();
    while let Some(line) = lines.next().filter(|line| !line.starts_with('#')) {
        if line.starts_with("```") {
            let block: String =
                lines.by_ref().take_while(|line| *line != "```").flat_map(|line| [line, "\n"]).collect();
            commands += if line == "```sh" { &block } else { "" };
        }
    }
    assert!(!commands.is_empty(), "nothing to copy under {heading}");
    commands
}

/// A Postgres that asks everybody but its superuser for a password.
async fn postgres(folder: &Path) -> Option<Cluster> {
    let rules = folder.join("pg_hba.conf");
    let asked = "host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n";
    fs::write(&rules, asked).unwrap();
    Cluster::start_or_say(&[("hba_file", rules.to_str().unwrap())]).await
}

/// A port that was free a moment ago.
fn free_port() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn from_nothing_to_a_service_with_tls_a_key_a_token_and_metrics() {
    let folder = tempfile::tempdir().unwrap();
    let Some(cluster) = postgres(folder.path()).await else { return };
    if ["openssl", "prometheus", "promtool", "curl"].iter().any(|name| program_or_say(name).is_none()) {
        return;
    }
    let page = fs::read_to_string(project().join("docs/operating.md")).unwrap();
    let monitoring = commands(&page, "## Watching the server");
    let commands = [BEFORE, &commands(&page, "### From nothing"), &monitoring, AFTER].concat();
    let commands =
        ["50051", "9464", "9091"].iter().fold(commands, |text, port| text.replace(port, &free_port()));

    let programs = [binary("chaquete").parent().unwrap().to_owned(), cluster.binary("")];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(programs.into_iter().chain(std::env::split_paths(&path))).unwrap();
    let work = folder.path().join("work");
    fs::create_dir(&work).unwrap();
    let port = cluster.maintenance().url().rsplit_once(':').unwrap().1.replace("/postgres", "");
    let output = Command::new("bash")
        .args(["-c", &commands])
        .env("PATH", path)
        .env("PGPORT", port)
        .env("CHECKOUT", project())
        .current_dir(&work)
        .output()
        .unwrap();
    let said = text("bash".as_ref(), &output);
    let made = said.find("tenants/club/matches/first-light\n").unwrap();
    assert!(said[made..].contains("alice"), "the board is shown: {said}");
    assert!(said.ends_with("metrics are scraped\n"), "{said}");
    let token = fs::read_to_string(work.join("alice.token")).unwrap();
    assert_eq!(token.trim().split('.').count(), 3, "a token of three parts");
}
