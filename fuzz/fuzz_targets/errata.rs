//! See `orbat_fuzz::errata`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| orbat_fuzz::errata(data));
