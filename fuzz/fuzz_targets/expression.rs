//! See `orbat_fuzz::expression`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| orbat_fuzz::expression(data));
