//! C2SP `tlog-checkpoint`: a log, its size and its root as a text to be signed.

use std::{fmt, str::FromStr};

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::NodeHash;

/// How far a tree had come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The log, by the name that its keys have.
    pub origin: String,
    /// How many leaves it had.
    pub size: u64,
    /// The root over them.
    pub root: NodeHash,
}

/// A text that is no checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a checkpoint: the name of a log, a size and a root, one a line")]
pub struct BadCheckpoint;

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n{}", self.origin, self.size, STANDARD.encode(self.root))
    }
}

impl FromStr for Checkpoint {
    type Err = BadCheckpoint;

    /// Further lines are passed over: nobody can check what they say.
    fn from_str(text: &str) -> Result<Self, BadCheckpoint> {
        let mut lines = text.strip_suffix('\n').ok_or(BadCheckpoint)?.split('\n');
        let mut line = || lines.next().filter(|line| !line.is_empty()).ok_or(BadCheckpoint);
        let (origin, size, root) = (line()?, line()?, line()?);
        if lines.any(str::is_empty) {
            return Err(BadCheckpoint);
        }
        let number: u64 = size.parse().map_err(|_| BadCheckpoint)?;
        let bytes = STANDARD.decode(root).map_err(|_| BadCheckpoint)?;
        let root = bytes.try_into().map_err(|_| BadCheckpoint)?;
        // One way to write a number.
        if number.to_string() != size {
            return Err(BadCheckpoint);
        }
        Ok(Self { origin: origin.to_owned(), size: number, root })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification.
    const EXAMPLE: &str =
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";

    #[test]
    fn the_example_is_read_and_written() {
        let checkpoint: Checkpoint = EXAMPLE.parse().unwrap();
        assert_eq!((&*checkpoint.origin, checkpoint.size), ("example.com/behind-the-sofa", 20_852_163));
        assert_eq!(checkpoint.root[..4], [0x0a, 0xc5, 0x18, 0x6a]);
        assert_eq!(checkpoint.to_string(), EXAMPLE);
        assert_eq!(format!("{EXAMPLE}more\n").parse(), Ok(checkpoint));
    }

    #[test]
    fn what_is_written_otherwise_is_refused() {
        let root = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";
        for wrong in [
            String::new(),
            format!("\n1\n{root}\n"),
            format!("log\n01\n{root}\n"),
            format!("log\n+1\n{root}\n"),
            format!("log\n-1\n{root}\n"),
            format!("log\n\n{root}\n"),
            format!("log\n1\n{root}"),
            format!("log\n1\n{root}\n\n"),
            format!("log\n1\n{root}\r\n"),
            format!("log\n1\n{}\n", &root[4..]),
            format!("log\n1\n{}\n", root.trim_end_matches('=')),
            format!("log\n18446744073709551616\n{root}\n"),
        ] {
            assert_eq!(wrong.parse::<Checkpoint>(), Err(BadCheckpoint), "{wrong:?}");
        }
    }
}
