//! `cargo xtask check`: everything that can be judged without running the product.

use anyhow::Result;

use crate::steps::Steps;
use crate::{deny, sh, tidy, toolchain, web};

pub fn check() -> Result<()> {
    toolchain::require_rust()?;
    let mut steps = Steps::new();
    steps.run("formatting", "cargo fmt --all", || {
        sh::run(&mut sh::cargo(&["fmt", "--all", "--check"]))
    });
    steps.run(
        "tidy",
        "each finding names the way out; again with `cargo xtask tidy`",
        tidy::tidy,
    );
    steps.run(
        "clippy",
        "mend what it names; again with `cargo clippy --workspace --all-targets`",
        || {
            sh::run(
                sh::cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--quiet"])
                    .args(["--", "-D", "warnings"]),
            )
        },
    );
    steps.run(
        "deny",
        "replace the crate, or change deny.toml in a commit that says why; again with `cargo xtask deny`",
        deny::deny,
    );
    let installed = steps.run(
        "npm packages",
        "npm install in web/, and commit package-lock.json",
        || {
            toolchain::require_node()?;
            web::install()
        },
    );
    if installed {
        steps.run("web lint", "npm run lint in web/", || {
            sh::run(&mut sh::npm(&["run", "--silent", "lint"]))
        });
        steps.run("web types", "npm run types in web/", || {
            sh::run(&mut sh::npm(&["run", "--silent", "types"]))
        });
    } else {
        steps.skip("web lint and types", "the npm packages are not there");
    }
    steps.finish()
}
