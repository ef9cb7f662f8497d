//! An empty root folder; for an external interpreter its own files, read-only.

use std::fs;
use std::path::Path;

use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change,
    mount_remount, unmount,
};
use rustix::process::{chdir, pivot_root};

use crate::setup::External;

/// Somewhere to mount the new root; it is gone with the old one.
const PLACES: [&str; 4] = ["/tmp", "/var", "/mnt", "/run"];

pub fn replace(external: Option<&External>) -> Result<(), String> {
    // What is below the new root's place cannot be seen any more once it is mounted there.
    let needed = external.map_or(&[][..], |external| &external.paths);
    let is_free = |place: &Path| !needed.iter().any(|path| path.starts_with(place));
    let place = PLACES
        .map(Path::new)
        .into_iter()
        .find(|place| place.is_dir() && is_free(place));
    let place = place.ok_or("no folder to put a new root on")?;
    let failed = |what: &'static str| move |error: rustix::io::Errno| format!("{what}: {error}");
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)
        .map_err(failed("private mounts"))?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", place, "tmpfs", flags, Some(c"size=1m,mode=0755")).map_err(failed("an empty root"))?;
    if let Some(external) = external {
        for path in &external.paths {
            bind(place, path)?;
        }
        for device in ["/dev/null", "/dev/urandom"] {
            bind(place, Path::new(device))?;
        }
        fs::create_dir_all(place.join("proc")).map_err(|error| error.to_string())?;
    }
    chdir(place).map_err(failed("entering the new root"))?;
    pivot_root(".", ".").map_err(failed("changing the root"))?;
    unmount(".", UnmountFlags::DETACH).map_err(failed("leaving the old root"))?;
    chdir("/").map_err(failed("entering the new root"))?;
    mount_remount("/", flags | MountFlags::RDONLY | MountFlags::BIND, c"").map_err(failed("a read-only root"))
}

/// The same path below the new root. A path that is not there is left out: an interpreter lists folders it would
/// look in if they existed.
fn bind(root: &Path, path: &Path) -> Result<(), String> {
    let Ok(about) = fs::metadata(path) else {
        return Ok(());
    };
    let inside = root.join(path.strip_prefix("/").unwrap_or(path));
    if inside.exists() {
        return Ok(());
    }
    let make = if about.is_dir() {
        fs::create_dir_all(&inside)
    } else {
        inside
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::File::create(&inside).map(drop))
    };
    make.map_err(|error| format!("{}: {error}", path.display()))?;
    let failed = |error: rustix::io::Errno| format!("{}: {error}", path.display());
    mount_bind_recursive(path, &inside).map_err(failed)?;
    // A device that is mounted without leave for devices cannot be opened.
    if about.is_dir() || about.is_file() {
        let flags = MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV;
        mount_remount(&inside, flags, c"").map_err(failed)?;
    }
    Ok(())
}
