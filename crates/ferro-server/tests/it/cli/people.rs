//! Accounts and API keys from the command line.

use ferro_testkit::until;

use crate::site::{PASSWORD, program};

#[tokio::test]
async fn people_are_managed_from_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let ferroflow = program(folder.path());
    let create = |name: &str, more: &[&str], input: &str| {
        let arguments = [&["user", "create", "--username", name, "--password-stdin"], more].concat();
        ferroflow.run_with(&arguments, input)
    };
    let line = format!("{PASSWORD}\n");
    create("ada", &["--admin"], &line).succeeded();
    create("bob", &[], &line).succeeded();
    create("BOB", &[], &line).failed_with("already a user");
    create("eve", &[], "short\n").failed_with("12 characters");
    create("eve", &[], "").failed_with("12 characters");
    create(" ", &[], &line).failed_with("empty");
    let listed = ferroflow.run(&["user", "list"]).succeeded().stdout;
    assert_eq!(
        listed.lines().count(),
        2,
        "a fresh install has exactly the people it was given:\n{listed}"
    );
    assert!(
        listed.contains("ada  admin  active") && listed.contains("bob  user  active"),
        "{listed}"
    );

    let server = ferroflow.serve();
    let client = server.client();
    client
        .get("/api/v1/auto_login")
        .await
        .refused(403, "auto_login_disabled");
    let bob = client.login("bob", PASSWORD).await.expect(200);
    let page = client.clone().with_cookie(&bob.cookie());
    // What the command line does takes effect in the server that runs.
    ferroflow
        .run_with(
            &["user", "set-password", "bob", "--password-stdin"],
            "another long password\n",
        )
        .succeeded();
    page.get("/api/v1/users/whoami")
        .await
        .refused(401, "unauthenticated");
    client
        .login("bob", PASSWORD)
        .await
        .refused(401, "bad_credentials");
    let bob = client.login("bob", "another long password").await.expect(200);
    let page = client.clone().with_cookie(&bob.cookie());
    ferroflow.run(&["user", "promote", "bob"]).succeeded();
    page.get("/api/v1/users").await.refused(401, "unauthenticated");
    ferroflow.run(&["user", "deactivate", "bob"]).succeeded();
    client
        .login("bob", "another long password")
        .await
        .refused(401, "inactive");
    ferroflow.run(&["user", "activate", "bob"]).succeeded();
    client.login("bob", "another long password").await.expect(200);
    ferroflow.run(&["user", "demote", "bob"]).succeeded();
    ferroflow
        .run(&["user", "demote", "ada"])
        .failed_with("last active admin");
    ferroflow.run(&["user", "delete", "bob"]).failed_with("--yes");
    ferroflow.run(&["user", "delete", "bob", "--yes"]).succeeded();
    ferroflow
        .run(&["user", "delete", "bob", "--yes"])
        .failed_with("no user");
    ferroflow
        .run(&["user", "delete", "ada", "--yes"])
        .failed_with("last active admin");
    server.stop();
    let log = ferroflow.run(&["audit", "--last", "5"]).succeeded().stdout;
    assert_eq!(log.lines().count(), 5, "{log}");
    let whole = ferroflow.run(&["audit", "--verify"]).succeeded().stdout;
    assert!(whole.contains("whole"), "{whole}");
}

#[tokio::test]
async fn a_key_from_the_terminal_works_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let ferroflow = program(folder.path());
    let server = ferroflow.serve();
    let printed = ferroflow
        .run(&["api-key", "create", "--name", "ci"])
        .succeeded()
        .stdout;
    let key = printed.trim();
    assert!(
        key.starts_with("sk-") && printed.lines().count() == 1,
        "only the key, so that a script can take it"
    );
    let client = server.client().with_key(key);
    assert_eq!(
        client.get("/api/v1/users/whoami").await.expect(200).json()["username"],
        "ferroflow"
    );
    let listed = ferroflow.run(&["api-key", "list"]).succeeded().stdout;
    assert!(listed.contains("ci") && !listed.contains(key), "{listed}");
    let id = listed.split_whitespace().next().unwrap();
    ferroflow.run(&["api-key", "revoke", id]).succeeded();
    // The server remembers a key for a second at most when another process revokes it.
    until("the key to be refused", || async {
        let answer = client.get("/api/v1/users/whoami").await;
        (answer.status == 401).then_some(())
    })
    .await;
    ferroflow.run(&["api-key", "revoke", id]).failed_with("no such");
    ferroflow
        .run(&["api-key", "revoke", "x"])
        .failed_with("not a key's id");
    ferroflow
        .run(&["api-key", "create", "--username", "nobody"])
        .failed_with("no user");
    ferroflow
        .run(&["api-key", "create", "--expires-at", "soon"])
        .failed_with("--expires-at");
    ferroflow
        .run(&["api-key", "create", "--expires-at", "2001-01-01T00:00:00Z"])
        .failed_with("future");
    assert!(!server.log().contains(key));
    server.stop();
}
