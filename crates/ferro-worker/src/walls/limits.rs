//! How much a worker may use. It is one process that cannot start another, so its own limits are all there is to limit.

use std::fs::File;
use std::os::unix::fs::FileExt;

use rustix::process::{Resource, Rlimit, setrlimit};

pub struct Limits {
    /// Address space in bytes, all in all.
    pub address_space: u64,
    pub cpu_seconds: u64,
    pub open_files: u64,
}

pub fn apply(limits: &Limits) -> Result<(), String> {
    let set = |resource: Resource, most: u64| {
        let both = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        setrlimit(resource, both).map_err(|error| format!("limit {resource:?}: {error}"))
    };
    set(Resource::As, limits.address_space)?;
    set(Resource::Cpu, limits.cpu_seconds)?;
    set(Resource::Nofile, limits.open_files)?;
    set(Resource::Fsize, 0)?;
    set(Resource::Core, 0)?;
    set(Resource::Nproc, 0)?;
    set(Resource::Memlock, 0)?;
    set(Resource::Msgqueue, 0)
}

/// What this process takes now, from its own `statm`, which was opened while there was a `/proc`.
pub fn address_space(statm: Option<&File>) -> u64 {
    let mut text = [0; 128];
    let read = statm
        .and_then(|file| file.read_at(&mut text, 0).ok())
        .unwrap_or_default();
    let pages = std::str::from_utf8(&text[..read])
        .ok()
        .and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    // Without the figure: more than the interpreter was ever seen to take.
    pages.map_or(1 << 30, |pages| {
        pages.saturating_mul(rustix::param::page_size() as u64)
    })
}
