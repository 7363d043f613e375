//! Copies of stores in use, and what is restored from them.

use std::{
    fs,
    net::TcpListener,
    os::unix::fs::{PermissionsExt, chown},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use chaquete_client::Client;
use chaquete_proto::v1::GetMatchRequest;
use chaquete_server::store::suite::cluster::{Cluster, Stop};
use chaquete_tests::{Postgres, ServerProcess, new_match, rules_to};

use super::{deployed, program_or_say, run, text};

async fn create(server: &ServerProcess, id: &str) {
    let client = Client::connect(server.endpoint()).await.unwrap();
    let mut wanted = new_match(rules_to(3));
    id.clone_into(&mut wanted.match_id);
    client.create_match(wanted).await.unwrap();
}

/// Whether the server has each of these matches.
async fn has(server: &ServerProcess, ids: &[&str]) -> Vec<bool> {
    let client = Client::connect(server.endpoint()).await.unwrap();
    let mut found = Vec::new();
    for id in ids {
        let name = format!("tenants/default/matches/{id}");
        found.push(client.get_match(GetMatchRequest { name, ..GetMatchRequest::default() }).await.is_ok());
    }
    found
}

#[tokio::test]
async fn the_embedded_store_is_copied_while_it_is_served() {
    if program_or_say("sqlite3").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let (store, copy) = (file("store's.db"), file("copy's.db"));
    let server = ServerProcess::start(&store, "127.0.0.1:0");
    create(&server, "before").await;
    let backup =
        |from: &Path, to: &Path| Command::new(deployed("backup/sqlite")).args([from, to]).output().unwrap();
    text("backup/sqlite".as_ref(), &backup(&store, &copy));
    create(&server, "after").await;
    assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);

    for key in ["dice-key", "log-key"] {
        fs::copy(store.with_added_extension(key), copy.with_added_extension(key)).unwrap();
    }

    // The copy is a store, as it was then. What is there is not written over, and what is not there makes no copy.
    let restored = ServerProcess::start(&copy, "127.0.0.1:0");
    assert_eq!(has(&restored, &["before", "after"]).await, [true, false]);
    drop(restored);
    assert!(!backup(&store, &copy).status.success());
    assert!(!backup(&file("nothing"), &file("of nothing")).status.success());
    assert!(!file("of nothing").exists());
}

/// A cluster whose log is archived by our script, with all scripts where its user can read them.
struct Archived {
    cluster: Cluster,
    folder: PathBuf,
}

impl Archived {
    async fn start_or_say() -> Option<Self> {
        // Until there is a command, what is to be archived waits.
        let cluster = Cluster::start_or_say(&[("archive_mode", "on"), ("wal_level", "replica")]).await?;
        let folder = cluster.folder().join("backup");
        let this = Self { cluster, folder };
        for made in [&this.folder, &this.file("archive"), &this.file("copies")] {
            fs::create_dir(made).unwrap();
            this.give(made);
        }
        for script in ["archive-wal", "postgres", "restore"] {
            fs::copy(deployed(&format!("backup/{script}")), this.file(script)).unwrap();
            this.give(&this.file(script));
        }
        let [script, archive] = ["archive-wal", "archive"].map(|name| this.file(name).display().to_string());
        let archiving =
            format!("ALTER SYSTEM SET archive_command = '\"{script}\" \"%p\" \"%f\" \"{archive}\"'");
        let maintenance = this.cluster.maintenance();
        maintenance.execute(&archiving).await.unwrap();
        maintenance.execute("SELECT pg_reload_conf()").await.unwrap();
        Some(this)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Makes a file that of the user who runs Postgres.
    fn give(&self, file: &Path) {
        use std::os::unix::fs::MetadataExt;
        let owner = fs::metadata(self.cluster.folder().join("data")).unwrap();
        chown(file, Some(owner.uid()), Some(owner.gid())).unwrap();
    }

    /// Runs a program of Postgres's, or a script, as the user who runs Postgres.
    fn run(&self, program: &Path, arguments: &[&str]) -> Output {
        let path = format!("{}:/usr/bin:/bin", self.cluster.binary("").display());
        let mut command = Command::new("setpriv");
        if run("id", &["-u"]).trim() == "0" {
            command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]);
        }
        command.arg(program).args(arguments).env("PATH", path).current_dir(&self.folder).output().unwrap()
    }

    fn script(&self, name: &str, arguments: &[&str]) -> String {
        text(name.as_ref(), &self.run(&self.file(name), arguments))
    }

    /// A cluster on a restored folder.
    fn serve(&self, data: &Path) -> Restored<'_> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let restored = Restored { archived: self, data: data.to_owned(), port };
        restored.control(&["start", "--wait", "--log", "restored.log", "--options", &format!("-p {port}")]);
        restored
    }
}

/// A cluster that was restored, and stops when it is dropped.
struct Restored<'a> {
    archived: &'a Archived,
    data: PathBuf,
    port: u16,
}

impl Restored<'_> {
    fn control(&self, arguments: &[&str]) {
        let data = self.data.to_str().unwrap();
        let program = self.archived.cluster.binary("pg_ctl");
        let output = self.archived.run(&program, &[&["--pgdata", data], arguments].concat());
        let log = fs::read_to_string(self.archived.file("restored.log")).unwrap_or_default();
        assert!(output.status.success(), "{output:?}\n{log}");
    }
}

impl Drop for Restored<'_> {
    fn drop(&mut self) {
        self.control(&["stop", "--mode", "immediate"]);
    }
}

#[tokio::test]
async fn a_cluster_is_restored_to_a_moment() {
    let Some(archived) = Archived::start_or_say().await else { return };
    let postgres = Postgres::on(&archived.cluster).await;
    let config = postgres.config();
    let [dice, log] = [&config.dice_key_file, &config.log_key].map(|file| file.clone().unwrap());
    let keys = ["--dice-key-file", dice.to_str().unwrap(), "--log-key", log.to_str().unwrap()];
    let server = ServerProcess::serve(&config.store, "127.0.0.1:0", keys);
    create(&server, "before").await;

    let url = archived.cluster.maintenance().url().to_owned();
    let copy = archived.script("postgres", &[&url, archived.file("copies").to_str().unwrap()]);
    create(&server, "between").await;
    let moment = archived.cluster.maintenance().value("SELECT clock_timestamp()::text").await.unwrap();
    create(&server, "after").await;
    drop(server);
    // What is not archived by the time of a disaster is lost.
    let segment = "SELECT pg_walfile_name(pg_switch_wal())";
    let segment = archived.cluster.maintenance().value(segment).await.unwrap();
    let is_kept =
        format!("SELECT count(*)::text FROM pg_stat_archiver WHERE last_archived_wal >= '{segment}'");
    postgres.until(&is_kept, 1).await;
    archived.cluster.stop(Stop::Immediate).await.unwrap();

    let archive = archived.file("archive").display().to_string();
    for (name, time, there) in [
        ("to-the-end", None, [true, true, true]),
        ("to-the-moment", Some(moment.as_str()), [true, true, false]),
    ] {
        let data = archived.file(name);
        let mut arguments = vec![copy.trim(), &archive, data.to_str().unwrap()];
        arguments.extend(time);
        archived.script("restore", &arguments);
        let restored = archived.serve(&data);
        let database = config.store.rsplit('/').next().unwrap();
        let store = format!("postgres://postgres@127.0.0.1:{}/{database}", restored.port);
        let server = ServerProcess::serve(&store, "127.0.0.1:0", keys);
        assert_eq!(has(&server, &["before", "between", "after"]).await, there, "{name}");
        create(&server, "later").await;
    }
}

#[test]
fn a_segment_never_takes_the_place_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let archive = |text: &str| {
        fs::write(folder.path().join("segment"), text).unwrap();
        let command = &mut Command::new(deployed("backup/archive-wal"));
        let status =
            command.arg(folder.path().join("segment")).arg("000").arg(folder.path()).status().unwrap();
        (status.success(), fs::read_to_string(folder.path().join("000")).unwrap())
    };
    assert_eq!(archive("one"), (true, "one".to_owned()));
    assert_eq!(archive("one"), (true, "one".to_owned()));
    assert_eq!(archive("two"), (false, "one".to_owned()));
}
