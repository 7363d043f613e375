//! Who starts and stops Postgres, and outlives whoever asked for it just long enough to clean up.

use std::{
    fmt, fs,
    io::{self, BufRead, BufReader, Write},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{Mutex, PoisonError},
};

use super::{ClusterError, Stop};

/// A shell that holds the other end of a pipe from us: when this process is gone, even by SIGKILL, the pipe ends,
/// and the shell stops Postgres and removes its folder.
pub(super) struct Keeper {
    folder: PathBuf,
    ends: Mutex<Ends>,
}

struct Ends {
    shell: Child,
    commands: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// What the keeper can be asked to do.
#[derive(Clone, Copy)]
pub(super) enum Task {
    /// Make an empty cluster.
    Init,
    /// Start it on this port.
    Start(u16),
    /// Stop it.
    Stop(Stop),
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Init => f.write_str("init"),
            Self::Start(port) => write!(f, "start {port}"),
            Self::Stop(Stop::Fast) => f.write_str("stop fast"),
            Self::Stop(Stop::Immediate) => f.write_str("stop immediate"),
        }
    }
}

impl Keeper {
    /// A keeper of a new folder.
    pub(super) fn new(folder: &Path, binaries: &Path) -> Result<Self, ClusterError> {
        let mut shell = Command::new("sh")
            .args(["-c", include_str!("keeper.sh"), "keeper"])
            .args([folder, binaries])
            // Whoever ends all of our group must leave the one that cleans up.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let commands = shell.stdin.take();
        let answers = BufReader::new(shell.stdout.take().expect("its output is ours"));
        let ends = Mutex::new(Ends { shell, commands, answers });
        Ok(Self { folder: folder.to_owned(), ends })
    }

    /// Asks for something and waits until it is done.
    pub(super) fn ask(&self, task: Task) -> Result<(), ClusterError> {
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        if ends.asked(task)? == "ok\n" {
            return Ok(());
        }
        let log = |name| fs::read_to_string(self.folder.join(name)).unwrap_or_default();
        Err(ClusterError::Failed { task: task.to_string(), log: log("log") + &log("server.log") })
    }
}

impl Ends {
    fn asked(&mut self, task: Task) -> io::Result<String> {
        let commands = self.commands.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(commands, "{task}")?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        Ok(answer)
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        let ends = self.ends.get_mut().unwrap_or_else(PoisonError::into_inner);
        ends.commands = None;
        let _cleaned_up = ends.shell.wait();
    }
}
