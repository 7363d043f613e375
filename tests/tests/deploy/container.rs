//! The image, built from nothing and started. Building the static program takes minutes: `tests/run long`.

use std::{
    env, fs,
    net::TcpListener,
    os::unix::process::CommandExt,
    process::{Child, Command, Stdio},
    time::Duration,
};

use tokio::time::{Instant, sleep};

use super::{deployed, program_or_say, run};

/// A container of the image; it and the image are gone with this.
struct Container {
    name: String,
    image: String,
}

impl Container {
    fn of(image: &str) -> Self {
        let name = run("buildah", &["from", "--pull-never", image]).trim().to_owned();
        Self { name, image: image.to_owned() }
    }

    /// A command in it, on the network of this machine.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("buildah");
        command.args([
            "run",
            "--isolation",
            "chroot",
            "--user",
            "65532:65532",
            &self.name,
            "--",
            "/chaquete-server",
        ]);
        command.args(arguments);
        command
    }

    fn is_healthy(&self, address: &str) -> bool {
        self.command(&["health", "--listen", address]).stderr(Stdio::null()).status().unwrap().success()
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        run("buildah", &["rm", &self.name]);
        run("buildah", &["rmi", &self.image]);
    }
}

/// What runs in a container: several processes, which are a group of their own.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> Self {
        Self(command.stdout(Stdio::null()).process_group(0).spawn().unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        run("kill", &["-TERM", "--", &format!("-{}", self.0.id())]);
        let _reaped = self.0.wait();
    }
}

#[tokio::test]
async fn the_image_has_the_program_alone_and_serves() {
    if env::var_os("CHAQUETE_SLOW").is_none() || program_or_say("buildah").is_none() {
        return;
    }
    let image = "localhost/chaquete-server:of-a-test";
    run(deployed("container/build"), &[image]);
    let container = Container::of(image);

    let root = run("buildah", &["mount", &container.name]);
    let mut files: Vec<_> =
        fs::read_dir(root.trim()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["chaquete-server", "var"]);

    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    assert!(!container.is_healthy(&address));
    let _running = Running::start(&mut container.command(&["serve", "--listen", &address]));
    let begun = Instant::now();
    while !container.is_healthy(&address) {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not get healthy");
        // Nobody tells when it is.
        sleep(Duration::from_millis(200)).await;
    }
}
