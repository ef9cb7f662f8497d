//! Code that cannot be taken, people who may not bring any, and servers that cannot run it.

use std::time::Instant;

use ferro_server::config::CustomComponents;
use ferro_store::{Principal, Window};
use serde_json::{Value, json};

use super::custom_components::{SUM, make};
use crate::site::{Site, is_clean_refusal};

#[tokio::test]
async fn code_that_cannot_work_is_refused_with_its_line() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let raising = SUM.replace("    icon = \"plus\"", "    icon = 1 / 0");
    let foreign = SUM.replace(
        "from lfx.schema import Data",
        "import numpy\nfrom lfx.schema import Data",
    );
    for (code, words, line) in [
        ("class A(Component)\n    pass", "Line 1", 1),
        ("x = 1\n", "Component", 1),
        (&SUM.replace("def add", "def sub"), "add", 15),
        (&raising, "ZeroDivisionError", 9),
        (&foreign, "numpy", 3),
    ] {
        let answer = ada
            .post("/api/v1/custom_component", &json!({ "code": code }))
            .await;
        is_clean_refusal(&answer);
        let refused = answer.refused(400, "invalid_code");
        assert!(
            refused["detail"].as_str().unwrap().contains(words),
            "{words}: {refused}"
        );
        assert_eq!(refused["diagnostics"][0]["line"], line, "{refused}");
        assert!(!answer_has_trace(&refused), "{refused}");
    }
}

fn answer_has_trace(body: &Value) -> bool {
    body.to_string().contains("Traceback")
}

#[tokio::test]
async fn unsafe_code_is_refused_in_words_and_written_down() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let unsafe_code = SUM.replace(
        "class SumComponent",
        "import os\nKEY = os.environ[\"HOME\"]\n\nclass SumComponent",
    );
    let update = json!({ "code": unsafe_code, "template": {}, "field": "a", "field_value": 1 });
    for (path, body) in [
        ("/api/v1/custom_component", json!({ "code": unsafe_code })),
        ("/api/v1/user_components", json!({ "code": unsafe_code })),
        ("/api/v1/custom_component/update", update),
    ] {
        let refused = ada.post(path, &body).await.refused(400, "invalid_code");
        let detail = refused["detail"].as_str().unwrap();
        assert!(
            detail.starts_with("Refused: unsafe component code detected — line "),
            "{detail}"
        );
        assert!(detail.contains("environ"), "{detail}");
    }
    let log = site
        .app
        .store
        .audit_log(&Principal::System, Window::ALL)
        .await
        .unwrap();
    let refusals = log.iter().filter(|entry| entry.action == "code.refused").count();
    assert_eq!(refusals, 3);
    assert!(!site.app.python.status().started, "nothing of it ran");
}

#[tokio::test]
async fn odd_input_is_answered() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let deep = format!("x = {}1{}", "(".repeat(5_000), ")".repeat(5_000));
    let huge = format!("{SUM}# {}", "x".repeat(300 << 10));
    let endless = "\n".repeat(200_000);
    for code in [
        "",
        " \n",
        "\0",
        "a\0b",
        &deep,
        &huge,
        &endless,
        "\u{202e}",
        "def f(:\n",
        "'''",
        "class A(Component): \\",
    ] {
        let shown: String = code.chars().take(20).collect();
        let checked = ada.post("/api/v1/validate/code", &json!({ "code": code })).await;
        let checked = checked.expect(200).json();
        assert!(
            !checked["diagnostics"].as_array().unwrap().is_empty(),
            "{shown:?}"
        );
        for path in ["/api/v1/custom_component", "/api/v1/user_components"] {
            let answer = ada.post(path, &json!({ "code": code })).await;
            is_clean_refusal(&answer);
            answer.refused(400, "invalid_code");
        }
    }
    for path in [
        "/api/v1/validate/code",
        "/api/v1/custom_component",
        "/api/v1/user_components",
    ] {
        let raw = ada.call("POST", path).header("content-type", "application/json");
        raw.clone()
            .body(vec![b'"', 0xff, 0xfe, b'"'])
            .send()
            .await
            .refused(400, "unreadable");
        raw.clone()
            .body("{\"code\":")
            .send()
            .await
            .refused(400, "unreadable");
        raw.clone()
            .body("{\"code\":7}")
            .send()
            .await
            .refused(422, "invalid");
        raw.body("{}").send().await.refused(422, "invalid");
    }
    let large = json!({ "code": "x".repeat(3 << 20) });
    ada.post("/api/v1/validate/code", &large)
        .await
        .refused(413, "too_large");
    // What editors put before a text is no part of it.
    let marked = make(&ada, &format!("\u{feff}{SUM}"), None).await;
    assert_eq!(marked["data"]["template"]["code"]["value"], SUM);
    // Nodes that are none.
    for node in [
        json!([]),
        json!(7),
        json!({ "template": 1 }),
        json!({ "template": { "a": 1, "code": [] }, "outputs": 3 }),
    ] {
        let made = make(&ada, SUM, Some(&node)).await;
        assert_eq!(made["data"]["template"]["a"]["value"], 1, "{node}");
    }
}

#[tokio::test]
async fn an_operator_decides_who_may_bring_code() {
    for (who, user, admin) in [
        (CustomComponents::Everyone, 200, 200),
        (CustomComponents::Admins, 403, 200),
        (CustomComponents::Nobody, 403, 403),
    ] {
        let site = Site::with(|config| config.python.custom_components = who).await;
        let (ada, boss) = (site.user("ada").await, site.admin().await);
        for (person, status) in [(&ada, user), (&boss, admin)] {
            let made = person
                .post("/api/v1/custom_component", &json!({ "code": SUM }))
                .await;
            assert_eq!(made.status, status, "{who:?}: {}", made.text());
            let kept = person
                .post("/api/v1/user_components", &json!({ "code": SUM }))
                .await;
            assert_eq!(
                kept.status.is_success(),
                status == 200,
                "{who:?}: {}",
                kept.text()
            );
            let update = json!({ "code": SUM, "template": {}, "field": "a", "field_value": 1 });
            let updated = person.post("/api/v1/custom_component/update", &update).await;
            assert_eq!(updated.status, status, "{who:?}: {}", updated.text());
            // Built-in ones change as ever.
            let own =
                json!({ "type": "ChatInput", "template": {}, "field": "tool_mode", "field_value": false });
            person
                .post("/api/v1/custom_component/update", &own)
                .await
                .expect(200);
        }
        let config = site.nobody().get("/api/v1/config").await.expect(200).json();
        assert_eq!(config["allow_custom_components"], who != CustomComponents::Nobody);
        assert_eq!(
            config["custom_component_admin_only"],
            who == CustomComponents::Admins
        );
    }
}

#[tokio::test]
async fn a_server_that_cannot_run_python_says_so() {
    let site = Site::with(|config| config.python.program = Some("/no/such/program".into())).await;
    let ada = site.user("ada").await;
    for path in ["/api/v1/custom_component", "/api/v1/user_components"] {
        let answer = ada.post(path, &json!({ "code": SUM })).await;
        let refused = answer.refused(503, "python_unavailable");
        assert!(!refused.to_string().contains("/no/such"), "{refused}");
    }
    // The rest of the server does not need it.
    std::fs::create_dir_all(site.components_of(&ada)).unwrap();
    std::fs::write(site.components_of(&ada).join("SumComponent.py"), SUM).unwrap();
    let all = ada.get("/api/v1/all").await.expect(200).json();
    assert!(all["custom_component"].get("SumComponent").is_none());
    assert!(all["input_output"]["ChatInput"].is_object());
    let kept = ada.get("/api/v1/user_components").await.expect(200).json();
    assert!(kept[0]["problem"].as_str().unwrap().contains("Python"), "{kept}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn code_that_never_ends_is_ended_and_keeps_nobody_else_waiting() {
    let site = Site::with(|config| config.python.seconds = 3).await;
    let (ada, eve) = (site.user("ada").await, site.user("eve").await);
    let endless = SUM.replace("    icon = \"plus\"", "    while True:\n        pass");
    let started = Instant::now();
    let body = json!({ "code": endless });
    let stuck = || ada.post("/api/v1/custom_component", &body);
    let (one, two, three, four, hers) =
        tokio::join!(stuck(), stuck(), stuck(), stuck(), make(&eve, SUM, None));
    assert_eq!(hers["type"], "SumComponent");
    for answer in [one, two, three, four] {
        is_clean_refusal(&answer);
        answer.refused(400, "invalid_code");
    }
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
    make(&ada, SUM, None).await;
}
