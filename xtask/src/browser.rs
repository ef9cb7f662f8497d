//! Scripts of web/bench, which drive a real browser on a server of their own.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::{debian, sh, web};

/// The command that runs a script, with the server and the browser it needs in its environment.
///
/// The server is `FERROFLOW_BIN` where that is set, otherwise it is built for release.
pub fn script(file: &str) -> Result<Command> {
    debian::ensure(&[&debian::CHROMIUM, &debian::CJK_FONT])?;
    web::install()?;
    let program = server(std::env::var_os("FERROFLOW_BIN"))?;
    let mut command = Command::new("node");
    command
        .arg(file)
        .current_dir(sh::root().join("web"))
        .env("FERROFLOW_BIN", program);
    if let Some(chromium) = debian::chromium() {
        command.env("FERROFLOW_CHROMIUM", chromium);
    }
    Ok(command)
}

fn server(given: Option<OsString>) -> Result<PathBuf> {
    if let Some(given) = given {
        let program = std::path::absolute(PathBuf::from(given))?;
        if !program.is_file() {
            bail!("FERROFLOW_BIN names {}, which is not there", program.display());
        }
        return Ok(program);
    }
    web::build()?;
    sh::say("building the server for release");
    sh::run(sh::cargo(&["build", "--release", "--locked"]).args(sh::SERVER))?;
    Ok(sh::target_dir()?.join("release/ferroflow"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_given_server_must_be_there() {
        let error = server(Some("no/such/ferroflow".into())).unwrap_err().to_string();
        assert!(error.contains("no/such/ferroflow"), "{error}");
        assert_eq!(server(Some("/bin/sh".into())).unwrap(), PathBuf::from("/bin/sh"));
    }
}
