//! Writing: the one place that puts artifacts on disk, all or nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Component, Path};

use sha2::{Digest, Sha256};

use crate::emit::Artifact;
use crate::pack::{self, EditionInfo, FileInfo, MANIFEST_FORMAT, Manifest};
use crate::source::Files;

/// The output folder.
pub const DIST: &str = "dist";

/// The list of everything in it.
const MANIFEST: &str = "manifest.json";

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
        path: MANIFEST.into(),
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

/// Why what stands where the output goes is no earlier output, which may be replaced.
fn strange(dist: &Path) -> io::Result<Option<String>> {
    let kind = match fs::symlink_metadata(dist) {
        Ok(metadata) => metadata.file_type(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !kind.is_dir() {
        return Ok(Some("it is no folder: move it elsewhere".into()));
    }
    let listed: BTreeSet<String> = match fs::read(dist.join(MANIFEST)) {
        Ok(bytes) => match serde_json::from_slice::<Manifest>(&bytes) {
            Ok(manifest) => manifest.files.into_iter().map(|file| file.path).collect(),
            Err(_) => BTreeSet::new(),
        },
        Err(_) => BTreeSet::new(),
    };
    let mut folders = vec![(dist.to_owned(), String::new())];
    while let Some((folder, inside)) = folders.pop() {
        let mut entries: Vec<_> = fs::read_dir(&folder)?.collect::<io::Result<_>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{inside}{name}");
            // What file managers leave behind is nobody's work.
            if name.starts_with('.') || matches!(name.as_str(), "Thumbs.db" | "desktop.ini") {
                continue;
            }
            if entry.file_type()?.is_dir() {
                folders.push((entry.path(), format!("{path}/")));
            } else if path != MANIFEST && !listed.contains(&path) {
                return Ok(Some(format!(
                    "`{path}` in it was made by no build and would be deleted: move it elsewhere"
                )));
            }
        }
    }
    Ok(None)
}

/// Writes the artifacts to `root/dist`: first to a folder beside it, which then takes its place. What fails leaves the
/// previous output as it was. A `dist` that no build made is left alone.
pub fn write(root: &Path, artifacts: &[Artifact]) -> io::Result<()> {
    if let Some(why) = strange(&root.join(DIST))? {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
    }
    // Ids make the paths, and their schemas keep them from leading elsewhere; nothing else stands between a project that
    // somebody downloaded and his other files.
    let leads_out = |artifact: &&Artifact| {
        let mut parts = Path::new(&artifact.path).components();
        artifact.path.is_empty() || parts.any(|part| !matches!(part, Component::Normal(_)))
    };
    if let Some(artifact) = artifacts.iter().find(leads_out) {
        let why = format!("`{}` would lie outside of it", artifact.path);
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
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
