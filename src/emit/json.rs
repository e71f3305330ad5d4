//! The pack as JSON.

use super::{Artifact, Input};
use crate::diagnostic::Sink;

/// `<game>/pack.json`.
pub fn emit(input: &Input<'_>, _: &mut Sink) -> Vec<Artifact> {
    vec![Artifact {
        path: format!("{}/pack.json", input.pack.game.id),
        bytes: input.pack.to_text().into_bytes(),
    }]
}
