//! End-to-end tests: small projects and the shipped one, compiled by the real program.

mod cli;
mod conventions;
mod counting;
mod editions;
mod errata;
mod errata_targets;
mod faults;
mod nested;
mod operations;
mod output;
mod places;
mod properties;
mod scenario_commands;
mod scenario_faults;
mod scenario_limits;
mod scenario_names;
mod scenarios;
mod schedules;
mod shipped;
mod skirmish;
mod stable;
mod strengths;
mod support;
mod templates;
mod variants;
mod why;
