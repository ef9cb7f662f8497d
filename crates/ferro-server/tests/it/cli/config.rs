//! Settings, help, and what a wrong one is told.

use ferro_testkit::Database;

use crate::site::program;

#[test]
fn help_names_every_command_and_setting() {
    let folder = tempfile::tempdir().unwrap();
    let help = program(folder.path()).run(&["--help"]).succeeded().stdout;
    for word in [
        "serve",
        "run",
        "validate",
        "graph",
        "diff",
        "fmt",
        "components",
        "starters",
        "config",
        "openapi",
        "migrate",
        "user",
        "api-key",
        "key",
        "backup",
        "restore",
        "audit",
    ] {
        assert!(
            help.lines().any(|line| line.trim_start().starts_with(word)),
            "{word} is not in:\n{help}"
        );
    }
    for flag in [
        "--data-dir",
        "--database-url",
        "--host",
        "--port",
        "--allowed-host",
        "--trusted-proxy",
        "--signup",
        "--max-upload-mb",
    ] {
        assert!(help.contains(flag), "{flag}");
    }
    for (command, words) in [
        (
            "user",
            [
                "create",
                "list",
                "set-password",
                "deactivate",
                "promote",
                "delete",
            ]
            .as_slice(),
        ),
        ("api-key", &["create", "list", "revoke"]),
        ("key", &["rotate", "forget-old"]),
        ("audit", &["--verify"]),
        ("backup", &["--include-key"]),
        ("restore", &["<FROM>"]),
    ] {
        let help = program(folder.path())
            .run(&[command, "--help"])
            .succeeded()
            .stdout;
        words
            .iter()
            .for_each(|word| assert!(help.contains(word), "{command}: {word}"));
    }
    let version = program(folder.path()).run(&["--version"]).succeeded().stdout;
    assert_eq!(version.trim(), concat!("ferroflow ", env!("CARGO_PKG_VERSION")));
    let document = program(folder.path()).run(&["openapi"]).succeeded().stdout;
    assert_eq!(
        document.trim_end(),
        ferro_server::router::openapi_json().trim_end()
    );
}

#[test]
fn the_settings_are_shown_without_passwords() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("ferroflow.toml"),
        "port = 9001\nsignup = true\n",
    )
    .unwrap();
    let ferroflow =
        program(folder.path()).with(&["--database-url", "postgres://me:hunter2@db.example/flows"]);
    let shown = ferroflow.run(&["config", "--port", "9002"]).succeeded().stdout;
    assert!(!shown.contains("hunter2"), "{shown}");
    for line in [
        "port = 9002",
        "signup = true",
        "host = \"127.0.0.1\"",
        "postgres://me:********@db.example/flows",
    ] {
        assert!(shown.contains(line), "{line} is not in\n{shown}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let ferroflow = program(folder.path());
    std::fs::write(folder.path().join("other.toml"), "prot = 1\n").unwrap();
    let file = folder.path().join("other.toml").display().to_string();
    ferroflow.run(&["config", "--config", &file]).failed_with("prot");
    ferroflow
        .run(&["config", "--config", "no-such.toml"])
        .failed_with("no-such.toml");
    std::fs::write(folder.path().join("bad.toml"), "port = \"many\"\n").unwrap();
    let file = folder.path().join("bad.toml").display().to_string();
    ferroflow.run(&["config", "--config", &file]).failed_with("port");
    ferroflow.run(&["--port", "99999", "config"]).failed_with("99999");
    ferroflow
        .run(&["--host", "nowhere", "config"])
        .failed_with("nowhere");
    ferroflow.run(&["fly"]).failed_with("fly");
    for url in ["mysql://x/y", "nonsense", "sqlite:"] {
        ferroflow
            .clone()
            .with(&["--database-url", url])
            .run(&["migrate"])
            .failed_with("database address");
    }
    let refused = ferroflow
        .clone()
        .with(&["--database-url", "postgres://me:hunter2@127.0.0.1:1/x"])
        .run(&["migrate"]);
    let refused = refused.failed_with("database cannot be");
    assert!(!refused.stderr.contains("hunter2"), "{}", refused.stderr);
}

#[test]
fn it_does_not_listen_to_the_world_without_a_password() {
    let folder = tempfile::tempdir().unwrap();
    let ferroflow = program(folder.path());
    let open = ["serve", "--host", "0.0.0.0", "--port", "0"];
    ferroflow.run(&open).failed_with("no admin has a password");
    let auto = ["serve", "--host", "0.0.0.0", "--port", "0", "--auto-login"];
    ferroflow.run(&auto).failed_with("automatic sign-in");
    ferroflow
        .run_with(
            &["user", "set-password", "ferroflow", "--password-stdin"],
            "correct horse battery\n",
        )
        .succeeded();
    let server = ferroflow.clone().with(&["--host", "0.0.0.0"]).serve();
    server.stop();
    ferroflow.run(&auto).failed_with("automatic sign-in");
}

#[tokio::test]
async fn single_user_mode_is_off_where_the_world_listens() {
    let folder = tempfile::tempdir().unwrap();
    let ferroflow = program(folder.path());
    ferroflow
        .run_with(
            &[
                "user",
                "create",
                "--username",
                "boss",
                "--admin",
                "--password-stdin",
            ],
            "correct horse battery\n",
        )
        .succeeded();
    let server = ferroflow.with(&["--host", "0.0.0.0"]).serve();
    let address = std::net::SocketAddr::from(([127, 0, 0, 1], server.address.port()));
    let client = ferro_testkit::Client::new(address);
    client
        .get("/api/v1/auto_login")
        .await
        .refused(403, "auto_login_disabled");
    client.login("boss", "correct horse battery").await.expect(200);
    assert!(
        !server.log().contains("correct horse"),
        "passwords are not logged"
    );
    server.stop();
}

#[tokio::test]
async fn migrating_makes_the_tables_on_both_databases() {
    let database = Database::create().await;
    for url in [None, Some(database.url())] {
        let folder = tempfile::tempdir().unwrap();
        let mut ferroflow = program(folder.path());
        if let Some(url) = url {
            ferroflow = ferroflow.with(&["--database-url", url]);
        }
        for _ in 0..2 {
            let said = ferroflow.run(&["migrate"]).succeeded().stdout;
            assert!(said.contains("up to date"), "{said}");
        }
    }
}

#[cfg(unix)]
#[test]
fn the_key_and_the_data_are_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("data");
    program(&folder).run(&["migrate"]).succeeded();
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&folder.join("secret.key"))), (0o700, 0o600));
    std::fs::set_permissions(folder.join("secret.key"), std::fs::Permissions::from_mode(0o644)).unwrap();
    program(&folder).run(&["migrate"]).failed_with("open to others");
}
