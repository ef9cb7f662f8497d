use expect_test::{Expect, expect};
use ferro_net::{RedactedUrl, Request, Secret};

fn check(url: &str, expected: Expect) {
    expected.assert_eq(&RedactedUrl::new(&url.parse().unwrap()).to_string());
}

#[test]
fn urls_lose_what_may_be_secret() {
    check(
        "https://api.example/v1/models",
        expect!["https://api.example/v1/models"],
    );
    check("https://user:pw@api.example/", expect!["https://api.example/"]);
    check(
        "https://token@api.example:8443/x?key=abc&q=#frag",
        expect!["https://api.example:8443/x?key=…&q=…"],
    );
    check("https://api.example/?sk-token", expect!["https://api.example/?…"]);
    check("https://api.example/?", expect!["https://api.example/"]);
    check(
        "mailto:someone@example.org",
        expect!["mailto:someone@example.org"],
    );
}

#[test]
fn a_request_does_not_print_its_secrets() {
    let token = Secret::new("sk-secret");
    let url = "https://u:pw-secret@api.example/?key=query-secret"
        .parse()
        .unwrap();
    let request = Request::post(url).bearer(&token).unwrap();
    let request = request.secret_header("x-api-key", &token).unwrap();
    let request = request.body("text/plain", "body-secret").unwrap();
    let printed = format!("{request:?}");
    assert!(!printed.contains("secret"), "{printed}");
    assert_eq!(token.expose(), "sk-secret");
    assert!(Secret::from("").is_empty());
}

#[test]
fn headers_that_belong_to_the_connection_are_refused() {
    let request = || Request::get("https://api.example/".parse().unwrap());
    for name in [
        "Host",
        "content-length",
        "Transfer-Encoding",
        "connection",
        "Upgrade",
    ] {
        assert!(request().header(name, "x").is_err(), "{name}");
    }
    let error = request()
        .header("x-key", "sk-secret\r\nhost: evil")
        .unwrap_err()
        .to_string();
    assert!(!error.contains("secret"), "{error}");
    assert!(request().header("bad\nname", "x").is_err());
    assert!(request().header("x-key", "fine").is_ok());
}
