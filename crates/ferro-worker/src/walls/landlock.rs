//! No file, no TCP, no signal or abstract socket to anyone outside, whatever the mounts and namespaces allow.

use ::landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
};

use crate::setup::External;

/// The oldest version that limits files and TCP alike.
const LEAST: ABI = ABI::V4;
const WANTED: ABI = ABI::V6;

pub fn enforce(external: Option<&External>) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("Landlock is not available ({error})");
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(LEAST))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(LEAST)))
        .map_err(|error| failed(&error))?
        .set_compatibility(CompatLevel::BestEffort)
        .scope(Scope::from_all(WANTED))
        .and_then(|rules| rules.create())
        .map_err(|error| failed(&error))?;
    for (path, access) in external.into_iter().flat_map(allowed) {
        let Ok(fd) = PathFd::new(&path) else { continue };
        rules = rules
            .add_rule(PathBeneath::new(fd, access))
            .map_err(|error| failed(&error))?;
    }
    let status = rules.restrict_self().map_err(|error| failed(&error))?;
    if status.ruleset == RulesetStatus::NotEnforced {
        return Err("Landlock is not available (this kernel has it switched off)".to_owned());
    }
    Ok(())
}

fn allowed(external: &External) -> Vec<(std::path::PathBuf, BitFlags<AccessFs>)> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir | AccessFs::Execute;
    let mut rules: Vec<_> = external.paths.iter().map(|path| (path.clone(), read)).collect();
    for device in ["/dev/null", "/dev/urandom"] {
        rules.push((device.into(), AccessFs::ReadFile | AccessFs::WriteFile));
    }
    // A rule for a file may not name what only folders have.
    for (path, access) in &mut rules {
        if path.is_file() {
            *access &= AccessFs::ReadFile | AccessFs::Execute;
        }
    }
    rules
}
