//! Programs the tests need that come from Debian's packages: installed when missing and we are root.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::sh;

pub struct Need {
    pub package: &'static str,
    pub why: &'static str,
    pub present: fn() -> bool,
    pub optional: bool,
}

pub const CHROMIUM: Need = Need {
    package: "chromium",
    why: "a browser for the browser tests",
    present: || chromium().is_some(),
    optional: false,
};

pub const POSTGRESQL: Need = Need {
    package: "postgresql",
    why: "the second database the tests run on",
    present: || crate::postgres::programs().is_some(),
    optional: false,
};

pub const PYTHON: Need = Need {
    package: "python3",
    why: "the interpreter beside the built-in one that Python components are tested with",
    present: || Path::new("/usr/bin/python3").exists(),
    optional: false,
};

pub const CJK_FONT: Need = Need {
    package: "fonts-noto-cjk",
    why: "Korean text in screenshots",
    present: || {
        Path::new("/usr/share/fonts/opentype/noto").is_dir()
            || sh::find_program("fc-list").is_some_and(has_korean)
    },
    optional: true,
};

pub fn chromium() -> Option<PathBuf> {
    ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find_map(sh::find_program)
}

fn has_korean(fc_list: PathBuf) -> bool {
    sh::capture(Command::new(fc_list).arg(":lang=ko")).is_ok_and(|fonts| !fonts.trim().is_empty())
}

pub fn ensure(needs: &[&Need]) -> Result<()> {
    let missing: Vec<&Need> = needs.iter().copied().filter(|need| !(need.present)()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    for need in &missing {
        sh::say(&format!("{} is missing ({})", need.package, need.why));
    }
    let (optional, required): (Vec<&Need>, Vec<&Need>) = missing.into_iter().partition(|need| need.optional);
    if sh::find_program("apt-get").is_none() || !is_root()? {
        if required.is_empty() {
            return Ok(());
        }
        bail!("{}", advice(&required));
    }
    sh::say("installing from Debian's packages");
    // One unreachable source is no reason to give up: the install says what is really missing.
    if let Err(error) = sh::run(Command::new("apt-get").args(["update", "--quiet=2"])) {
        sh::say(&format!("{error:#}"));
    }
    if !required.is_empty() {
        install(&required)?;
    }
    for need in optional {
        if let Err(error) = install(&[need]) {
            sh::say(&format!("going on without {}: {error:#}", need.package));
        }
    }
    Ok(())
}

fn install(needs: &[&Need]) -> Result<()> {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command.args(["install", "--yes", "--quiet=2", "--no-install-recommends"]);
    command.args(needs.iter().map(|need| need.package));
    sh::run(&mut command)?;
    match needs.iter().find(|need| !(need.present)()) {
        Some(need) if !need.optional => bail!("{} was installed but is not found", need.package),
        _ => Ok(()),
    }
}

fn advice(needs: &[&Need]) -> String {
    let packages: Vec<&str> = needs.iter().map(|need| need.package).collect();
    format!(
        "missing: {0}. On Debian, as root: apt-get update && apt-get install --no-install-recommends {0}; \
         elsewhere install the same programs and put them on PATH",
        packages.join(" ")
    )
}

pub fn is_root() -> Result<bool> {
    let id = sh::capture(Command::new("id").arg("-u")).context("cannot ask who we are")?;
    Ok(id.trim() == "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_present_needs_nothing() {
        let here = Need {
            package: "no-such-package",
            why: "",
            present: || true,
            optional: false,
        };
        assert!(ensure(&[&here]).is_ok());
    }

    #[test]
    fn advice_names_the_packages() {
        let text = advice(&[&CHROMIUM, &POSTGRESQL]);
        assert!(
            text.contains("install --no-install-recommends chromium postgresql"),
            "{text}"
        );
    }
}
