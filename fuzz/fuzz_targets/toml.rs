//! See `orbat_fuzz::toml`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| orbat_fuzz::toml(data));
