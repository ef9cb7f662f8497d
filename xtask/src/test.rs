//! `cargo xtask test`: installs what the tests need, then web, Rust and browser tests.

use std::process::Command;

use anyhow::{Result, bail};

use crate::postgres::Postgres;
use crate::steps::Steps;
use crate::{debian, sh, toolchain, web};

#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    filter: Option<String>,
    rust: bool,
    web: bool,
    e2e: bool,
}

impl Options {
    pub fn parse(args: &[String]) -> Result<Self> {
        let mut options = Self {
            filter: None,
            rust: false,
            web: false,
            e2e: false,
        };
        for arg in args {
            match arg.as_str() {
                "--rust" => options.rust = true,
                "--web" => options.web = true,
                "--e2e" => options.e2e = true,
                flag if flag.starts_with('-') => bail!("`test` knows --rust, --web and --e2e, not `{flag}`"),
                filter if options.filter.is_none() => options.filter = Some(filter.to_owned()),
                second => bail!("`test` takes one filter, `{second}` is a second one"),
            }
        }
        if !(options.rust || options.web || options.e2e) {
            (options.rust, options.web, options.e2e) = (true, true, true);
        }
        Ok(options)
    }
}

pub fn test(options: &Options) -> Result<()> {
    toolchain::require_rust()?;
    toolchain::require_node()?;
    let mut steps = Steps::new();
    let ready = steps.run("what the tests need", "install what it names", || {
        let mut needs = Vec::new();
        if options.rust {
            needs.extend([&debian::POSTGRESQL, &debian::PYTHON]);
        }
        if options.e2e {
            needs.extend([&debian::CHROMIUM, &debian::CJK_FONT]);
        }
        debian::ensure(&needs)?;
        web::install()
    });
    if !ready {
        return steps.finish();
    }
    if options.web {
        steps.run("web tests", "npm test in web/", || {
            web_tests(options.filter.as_deref())
        });
    }
    // The server embeds the web UI, so it is built before any Rust is.
    if !steps.run("web build", "npm run build in web/", web::build) {
        steps.skip(
            "size, Rust and browser tests",
            "the server embeds the web UI, and that does not build",
        );
        return steps.finish();
    }
    if options.web {
        steps.run("web size", "load what the first page does not need later", || {
            sh::run(&mut sh::npm(&["run", "--silent", "size"]))
        });
    }
    if !(options.rust || options.e2e) {
        return steps.finish();
    }
    let mut build = sh::cargo(&["build", "--locked"]);
    if options.rust {
        // Tests and binaries in one graph: built apart, dependencies would be compiled for each set of features.
        build.args(["--workspace", "--all-targets"]);
    } else {
        build.args(sh::SERVER);
    }
    let built = steps.run("Rust build", "mend what the compiler names", || {
        sh::run(&mut build)
    });
    if !built {
        steps.skip("Rust and browser tests", "the Rust code does not build");
        return steps.finish();
    }
    if options.rust {
        steps.run(
            "Rust tests",
            "again with `cargo xtask test --rust <name of the test>`",
            || {
                let postgres = Postgres::start()?;
                Runner::find().run(options.filter.as_deref(), &postgres)
            },
        );
    }
    if options.e2e {
        steps.run(
            "browser tests",
            "again with `cargo xtask test --e2e <file>`",
            || browser_tests(options.filter.as_deref()),
        );
    }
    steps.finish()
}

fn web_tests(filter: Option<&str>) -> Result<()> {
    let mut command = sh::npm(&["test", "--silent"]);
    if let Some(filter) = filter {
        command.args(["--", "--passWithNoTests", filter]);
    }
    sh::run(&mut command)
}

fn browser_tests(filter: Option<&str>) -> Result<()> {
    let program = sh::target_dir()?.join("debug/ferroflow");
    if !program.is_file() {
        bail!("{} was not built", program.display());
    }
    let mut command = sh::npm(&["run", "--silent", "e2e"]);
    command
        .env("FERROFLOW_BIN", program)
        .env("FERROFLOW_TEST_STRICT", "1");
    if let Some(chromium) = debian::chromium() {
        command.env("FERROFLOW_CHROMIUM", chromium);
    }
    if let Some(filter) = filter {
        command.args(["--", filter]);
    }
    sh::run(&mut command)
}

/// cargo-nextest where it is installed, otherwise cargo's own: the tests are the same.
enum Runner {
    Nextest,
    Cargo,
}

impl Runner {
    fn find() -> Self {
        if sh::capture(&mut sh::cargo(&["nextest", "--version"])).is_ok() {
            return Self::Nextest;
        }
        sh::say(
            "cargo-nextest is not installed, so `cargo test` runs the Rust tests \
             (quicker and clearer with it: cargo install cargo-nextest --locked)",
        );
        Self::Cargo
    }

    fn run(&self, filter: Option<&str>, postgres: &Postgres) -> Result<()> {
        let mut command = match self {
            Self::Nextest => sh::cargo(&["nextest", "run", "--workspace", "--locked"]),
            Self::Cargo => sh::cargo(&["test", "--workspace", "--locked", "--tests", "--no-fail-fast"]),
        };
        match (self, filter) {
            (Self::Nextest, Some(filter)) => command.args(["--no-tests=pass", filter]),
            (Self::Cargo, Some(filter)) => command.arg(filter),
            (_, None) => &mut command,
        };
        strict(&mut command, postgres);
        sh::run(&mut command)
    }
}

/// With this set a test that lacks something fails instead of being passed over.
fn strict(command: &mut Command, postgres: &Postgres) {
    command
        .env("FERROFLOW_TEST_POSTGRES", postgres.url())
        .env("FERROFLOW_TEST_STRICT", "1");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<Options> {
        Options::parse(&args.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn no_flag_means_everything() {
        assert_eq!(
            parse(&[]).unwrap(),
            Options {
                filter: None,
                rust: true,
                web: true,
                e2e: true
            }
        );
    }

    #[test]
    fn flags_pick_parts_and_one_word_filters() {
        let options = parse(&["variables", "--rust", "--e2e"]).unwrap();
        assert_eq!(
            options,
            Options {
                filter: Some("variables".into()),
                rust: true,
                web: false,
                e2e: true
            }
        );
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        assert!(parse(&["--fast"]).unwrap_err().to_string().contains("--fast"));
        assert!(parse(&["one", "two"]).unwrap_err().to_string().contains("two"));
    }
}
