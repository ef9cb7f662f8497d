//! A flow that writes into an uploaded SQLite file: the file's owner's size counts, and has a limit.

use ferro_testkit::{Answer, Client};
use serde_json::{Value, json};

use crate::{site::Site, specs::flow};

const SQL: &str = "
nodes:
  sql: SQLComponent
  text: ParserComponent
  out: ChatOutput
edges:
  sql.run_sql_query -> text.input_data
  text.parsed_text -> out.input_value
config:
  text.mode: Stringify
";

struct Scene {
    _site: Site,
    client: Client,
    path: String,
    file: String,
}

impl Scene {
    async fn ask(&self, query: &str) -> Answer {
        let fields = json!({ "database_url": "sqlite:///data.db", "query": query, "allow_writes": true });
        let body = json!({ "tweaks": { "SQLComponent-00sql": fields } });
        self.client.post(&self.path, &body).await
    }

    async fn size(&self) -> u64 {
        let files: Value = self.client.get("/api/v2/files").await.expect(200).json();
        assert_eq!(files.as_array().unwrap().len(), 1, "{files}");
        files[0]["size"].as_u64().unwrap()
    }
}

#[tokio::test]
async fn what_a_statement_writes_counts_and_has_a_limit() {
    let site = Site::with(|config| config.max_upload_mb = 1).await;
    let ada = site.user("ada").await;
    let file = ada.file("data.db", b"").await.id();
    let id = ada.post("/api/v1/flows", &flow(SQL)).await.expect(201).id();
    let scene = Scene {
        client: ada.client.clone(),
        path: format!("/api/v1/run/{id}"),
        file,
        _site: site,
    };
    scene.ask("CREATE TABLE t (b BLOB)").await.expect(200);
    let empty = scene.size().await;
    assert!(empty > 0);
    scene
        .ask("INSERT INTO t VALUES (zeroblob(300000))")
        .await
        .expect(200);
    let grown = scene.size().await;
    assert!(grown >= 300_000, "{empty} and then {grown}");
    let bytes = scene
        .client
        .get(&format!("/api/v2/files/{}", scene.file))
        .await
        .expect(200);
    assert_eq!(
        bytes.body.len() as u64,
        grown,
        "what is downloaded is the whole file"
    );

    let refused = scene.ask("INSERT INTO t VALUES (zeroblob(1000000))").await;
    let refused = refused.refused(400, "run_failed");
    assert!(
        refused["detail"]
            .as_str()
            .unwrap()
            .contains("larger than 1048576 bytes"),
        "{refused}"
    );
    assert_eq!(scene.size().await, grown);
    scene.ask("SELECT count(*) FROM t").await.expect(200);
}
