//! End-to-end tests: small projects and the shipped one, compiled by the real program.

mod cli;
mod conventions;
mod counting;
mod editions;
mod errata;
mod errata_targets;
mod nested;
mod operations;
mod output;
mod places;
mod properties;
mod shipped;
mod stable;
mod strengths;
mod support;
mod templates;
mod why;
