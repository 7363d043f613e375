//! The server as a program whose every word is read.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Read},
    process::{Child, ChildStdout, Command, Stdio},
};

use chaquete_tests::binary;
use tempfile::TempDir;

/// A server program that has a folder of its own.
pub(crate) struct Program {
    child: Child,
    out: BufReader<ChildStdout>,
    said: String,
    folder: TempDir,
}

impl Program {
    /// Starts it with these arguments and variables, and waits until it is ready.
    pub(crate) fn start(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(binary("chaquete-server"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(arguments)
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            // A pipe that nobody empties would hold it up.
            .stderr(File::create(folder.path().join("lines")).unwrap())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut said = String::new();
        out.read_line(&mut said).unwrap();
        Self { child, out, said, folder }
    }

    /// Where it listens.
    pub(crate) fn endpoint(&self) -> String {
        format!("http://{}", self.said.trim().strip_prefix("listening on ").expect("it is ready"))
    }

    /// Its log lines so far.
    pub(crate) fn lines(&self) -> String {
        fs::read_to_string(self.folder.path().join("lines")).unwrap()
    }

    /// Stops it as an operator would; everything that it has said, on both outputs.
    pub(crate) fn stop(mut self) -> String {
        Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(self.child.wait().unwrap().success());
        self.out.read_to_string(&mut self.said).unwrap();
        format!("{}{}", self.said, self.lines())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _gone_already = self.child.kill();
        let _reaped = self.child.wait();
    }
}
