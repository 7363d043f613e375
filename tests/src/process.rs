//! The real binaries, as processes that can be killed.

use std::{
    env,
    ffi::OsStr,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

use crate::shared::project;

/// The path of one of our binaries, built like this test or program.
///
/// # Panics
/// It cannot be built.
#[must_use]
pub fn binary(name: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(build).join(name)
}

/// Builds both binaries into the folder that this test or program was built into.
fn build() -> PathBuf {
    let this = env::current_exe().expect("a program knows where it is");
    // A test is target/PROFILE/deps/this, a program target/PROFILE/this.
    let folder = |path: &Path| path.parent().expect("it lies in a target folder").to_owned();
    let profile = match folder(&this) {
        deps if deps.ends_with("deps") => folder(&deps),
        profile => profile,
    };
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--locked", "-p", "chaquete-server", "-p", "chaquete-client", "--bins"]);
    if profile.ends_with("release") {
        build.arg("--release");
    }
    let target = profile.parent().expect("a profile lies in a target folder");
    let built = build.current_dir(project()).env("CARGO_TARGET_DIR", target).output().expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    profile
}

/// A server process on a port of its own.
pub struct ServerProcess {
    child: Child,
    endpoint: String,
}

impl ServerProcess {
    /// Starts a server on a store and waits until it is ready. `listen` keeps the port over restarts.
    ///
    /// # Panics
    /// It does not get ready.
    #[must_use]
    pub fn start(store: &Path, listen: &str) -> Self {
        Self::serve(&format!("sqlite:{}", store.display()), listen, [""; 0])
    }

    /// The same on the store of any URL, with further arguments.
    ///
    /// # Panics
    /// It does not get ready.
    #[must_use]
    pub fn serve(store: &str, listen: &str, further: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        Self::run(&binary("chaquete-server"), store, listen, further)
    }

    /// The same with another program, say of another version.
    ///
    /// # Panics
    /// It does not get ready.
    #[must_use]
    pub fn run(
        program: &Path,
        store: &str,
        listen: &str,
        further: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Self {
        let mut child = Command::new(program)
            .args(["serve", "--listen", listen, "--store", store])
            .args(further)
            .env("RUST_LOG", "warn")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server is started");
        let mut ready = String::new();
        let stdout = child.stdout.take().expect("its output is ours");
        BufReader::new(stdout).read_line(&mut ready).expect("it says something");
        let address = ready.trim().strip_prefix("listening on ");
        let endpoint = format!("http://{}", address.unwrap_or_else(|| panic!("it says {ready:?}")));
        Self { child, endpoint }
    }

    /// Where it listens, as a URL.
    #[must_use]
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Where it listens, for a server that is to take its place.
    #[must_use]
    pub fn address(&self) -> &str {
        self.endpoint.trim_start_matches("http://")
    }

    /// The process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Tells the server to stop (SIGTERM), and waits until it has.
    ///
    /// # Panics
    /// It cannot be told, or stops with a failure.
    pub fn stop(&mut self) {
        let told = Command::new("kill").arg(self.pid().to_string()).status().expect("kill runs");
        assert!(told.success(), "it can be told");
        let stopped = self.child.wait().expect("it is gone");
        assert!(stopped.success(), "{stopped}");
    }

    /// Kills the server as a power cut would (SIGKILL), and waits until it is gone.
    ///
    /// # Panics
    /// It cannot be killed.
    pub fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it is gone");
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _gone_already = self.child.kill();
        let _reaped = self.child.wait();
    }
}
