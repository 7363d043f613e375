//! CPU time of processes, user and system together.

use std::{fs, io, time::Duration};

/// The kernel counts for user space in hundredths of a second, whatever it counts in itself (proc(5), `USER_HZ`).
const TICK: Duration = Duration::from_millis(10);

/// What `/proc/PID/stat` says of a process.
struct Stat {
    parent: u32,
    own: u32,
    of_ended_children: u32,
}

/// What a process has used, all of its threads together.
pub(crate) fn of_process(pid: u32) -> io::Result<Duration> {
    stat(pid).map(|stat| TICK * stat.own)
}

/// What a process and its children have used, also children that have ended.
pub(crate) fn of_family(pid: u32) -> io::Result<Duration> {
    let head = stat(pid)?;
    let mut ticks = head.own + head.of_ended_children;
    for entry in fs::read_dir("/proc")?.flatten() {
        let Some(other) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // One that has just ended is counted by its parent.
        ticks += stat(other).ok().filter(|stat| stat.parent == pid).map_or(0, |stat| stat.own);
    }
    Ok(TICK * ticks)
}

fn stat(pid: u32) -> io::Result<Stat> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name in brackets may hold anything; the fields after it are numbered from 3.
    let fields: Vec<_> = text.rsplit(')').next().into_iter().flat_map(str::split_whitespace).collect();
    let number = |field: usize| fields.get(field - 3).and_then(|text| text.parse::<u32>().ok());
    let read = || {
        Some(Stat {
            parent: number(4)?,
            own: number(14)? + number(15)?,
            of_ended_children: number(16)? + number(17)?,
        })
    };
    read().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, text.clone()))
}

#[cfg(test)]
mod tests {
    use std::{
        process::{Command, id},
        thread,
    };

    use super::*;

    /// Works until this process has used so much more.
    fn work(used: Duration) {
        let begin = of_process(id()).expect("this process is there");
        while of_process(id()).expect("this process is there") < begin + used {
            std::hint::black_box((0..100_000_u64).sum::<u64>());
        }
    }

    #[test]
    fn all_threads_count() {
        let begin = of_process(id()).expect("this process is there");
        thread::spawn(|| work(Duration::from_millis(100))).join().expect("it works");
        assert!(of_process(id()).expect("this process is there") >= begin + Duration::from_millis(100));
    }

    #[test]
    fn children_that_ended_count() {
        let begin = of_family(id()).expect("this process is there");
        let loops =
            Command::new("sh").args(["-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"]).status();
        assert!(loops.expect("there is a shell").success());
        assert!(of_family(id()).expect("this process is there") > begin);
    }

    #[test]
    fn children_that_live_count() {
        let begin = of_family(id()).expect("this process is there");
        let mut child = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().expect("a shell");
        while of_process(child.id()).expect("it is there") < Duration::from_millis(50) {
            thread::sleep(Duration::from_millis(10));
        }
        assert!(of_family(id()).expect("this process is there") >= begin + Duration::from_millis(50));
        child.kill().and_then(|()| child.wait()).expect("it ends");
    }
}
