//! `orbat new`: commented starting files that pass check.

mod erratum;
mod game;
mod scenario;

pub use erratum::erratum;
pub use game::game;
pub use scenario::scenario;
