//! Writing: the one place that puts artifacts on disk, all or nothing.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::emit::Artifact;
use crate::pack::{self, EditionInfo, FileInfo, MANIFEST_FORMAT, Manifest};
use crate::source::Files;

/// The output folder.
pub const DIST: &str = "dist";

/// The manifest of a build, as an artifact.
pub fn manifest(files: &Files, games: BTreeMap<String, EditionInfo>, artifacts: &[Artifact]) -> Artifact {
    let manifest = Manifest {
        format: MANIFEST_FORMAT.into(),
        inputs: inputs(files),
        games,
        files: artifacts
            .iter()
            .map(|artifact| FileInfo {
                path: artifact.path.clone(),
                size: artifact.bytes.len() as u64,
                sha256: hex(&Sha256::digest(&artifact.bytes)),
            })
            .collect(),
    };
    Artifact {
        path: "manifest.json".into(),
        bytes: pack::to_text(&manifest).into_bytes(),
    }
}

/// One hash of everything that was read.
fn inputs(files: &Files) -> String {
    let mut all: Vec<(&str, String)> = files
        .iter()
        .map(|(_, file)| (file.path(), hex(&Sha256::digest(file.text().as_bytes()))))
        .collect();
    all.sort();
    let mut hasher = Sha256::new();
    for (path, hash) in all {
        hasher.update(format!("{hash}  {path}\n"));
    }
    hex(&hasher.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes one file, with the folders that it needs.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, bytes)
}

/// Replaces a file at once: whoever reads it sees the old or the new, and what fails leaves the old. The permissions are
/// kept, and a link stays one.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut fresh = tempfile::Builder::new()
        .prefix(".orbat-tmp-")
        .tempfile_in(folder)?;
    io::Write::write_all(&mut fresh, bytes)?;
    fresh
        .as_file()
        .set_permissions(fs::metadata(&path)?.permissions())?;
    fresh.persist(&path)?;
    Ok(())
}

/// Writes the artifacts to `root/dist`: first to a folder beside it, which then takes its place. What fails leaves the
/// previous output as it was.
pub fn write(root: &Path, artifacts: &[Artifact]) -> io::Result<()> {
    let fresh = tempfile::Builder::new().prefix(".orbat-tmp-").tempdir_in(root)?;
    let folder = fresh.path().join("new");
    for artifact in artifacts {
        write_file(&folder.join(&artifact.path), &artifact.bytes)?;
    }
    let dist = root.join(DIST);
    let old = fresh.path().join("old");
    let had_old = dist.exists();
    if had_old {
        fs::rename(&dist, &old)?;
    }
    if let Err(error) = fs::rename(&folder, &dist) {
        if had_old {
            fs::rename(&old, &dist)?;
        }
        return Err(error);
    }
    Ok(())
}
