//! Pictures, read back from their XML and compared with the boards they show.

mod arrows;
mod drawn;
mod games;
mod golden;
mod marks;
mod stacks;
mod words;
