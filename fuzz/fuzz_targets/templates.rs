#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| ferro_fuzz::templates(text));
