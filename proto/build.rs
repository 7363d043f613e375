//! Compiles `backgammon/v1/*.proto` with protox, so that building needs no `protoc`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

const PACKAGE: &str = "backgammon/v1";

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);

    // Neither protox nor tonic's generator tells cargo what it read. The folder is named for added files.
    println!("cargo::rerun-if-changed={PACKAGE}");
    let mut compiler = protox::Compiler::new([&root])?;
    compiler.include_imports(true).include_source_info(true);
    for file in proto_files(&root.join(PACKAGE))? {
        println!("cargo::rerun-if-changed={PACKAGE}/{file}");
        compiler.open_file(format!("{PACKAGE}/{file}"))?;
    }

    // protox writes the set that is embedded: what prost writes has lost the `access` option.
    fs::write(out.join("backgammon.v1.bin"), compiler.encode_file_descriptor_set())?;

    // Maps are ordered, so that equal messages have equal bytes. What holds a whole match is boxed, so
    // that the usual small event, action or answer does not take the room of one.
    tonic_prost_build::configure()
        .btree_map(".")
        .boxed(".backgammon.v1.MatchEvent.kind.match_created")
        .boxed(".backgammon.v1.WatchMatchResponse.message.snapshot")
        .boxed(".backgammon.v1.WatchMatchResponse.message.update")
        .boxed(".backgammon.v1.ActRequest.action.create_match")
        .boxed(".backgammon.v1.ActResponse.outcome.roll_dice")
        .boxed(".backgammon.v1.ActResponse.outcome.submit_move")
        .boxed(".backgammon.v1.ActResponse.outcome.result")
        .compile_fds(compiler.file_descriptor_set())?;
    Ok(())
}

fn proto_files(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name =
            entry?.file_name().into_string().map_err(|name| format!("not UTF-8: {}", name.display()))?;
        if name.ends_with(".proto") {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
