//! Rule `sql`: statements in ferro-store are constants; values travel as parameters.

use super::code::{self, Strings};
use super::homes::numbered;
use super::{Finding, Tree, crate_of};

const RULE: &str = "sql";
const VERBS: [&str; 9] = [
    "select ", "insert ", "update ", "delete ", "with ", "create ", "alter ", "drop ", "where ",
];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let sources = tree
        .with_ending(&[".rs"])
        .filter(|path| crate_of(path) == Some("ferro-store"));
    for path in sources {
        let source = tree.read(path);
        let bare = code::rust_outside_tests(&source, Strings::Blank);
        let kept = code::rust_outside_tests(&source, Strings::Keep);
        for ((line, code), text) in numbered(&bare).zip(kept.lines()) {
            let what = if code.contains("AssertSqlSafe") {
                "vouches for a statement made at run time"
            } else if formats_a_statement(text) || formats_into_query(code) {
                "puts a statement together with format!"
            } else {
                continue;
            };
            let way_out = "write it as a constant with $1, $2 …; for optional filters, one constant per case";
            findings.push(Finding::new(RULE, path, line, format!("{what}: {way_out}")));
        }
    }
    findings
}

fn formats_into_query(code: &str) -> bool {
    ["query", "execute(", "raw_sql("]
        .iter()
        .any(|call| code.split(call).skip(1).any(|rest| rest.contains("format!(")))
}

fn formats_a_statement(text: &str) -> bool {
    ["format!(", "write!(", "push_str("].iter().any(|call| {
        text.split(call).skip(1).any(|rest| {
            let start =
                rest.trim_start_matches(|c: char| c.is_whitespace() || c == '&' || c == 'r' || c == '#');
            let body = start
                .strip_prefix('"')
                .unwrap_or_default()
                .trim_start()
                .to_lowercase();
            VERBS.iter().any(|verb| body.starts_with(verb))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, expect};
    use super::*;

    #[track_caller]
    fn verdict(source: &str, parts: &[&str]) {
        let tree = Fixture::new().file("crates/ferro-store/src/flows.rs", source);
        expect(&check(&tree.tree()), parts);
    }

    #[test]
    fn statements_are_constants() {
        verdict("sqlx::query(\"select 1 where id = $1\").bind(id)", &[]);
        verdict("format!(\"flow {id} is missing\")", &[]);
        verdict(
            "\nsqlx::query(&format!(\"{a} {b}\"))",
            &["flows.rs:2: puts a statement together"],
        );
        verdict("let text = format!(\"SELECT * from {table}\");", &["$1"]);
        verdict(
            "text.push_str(\" where id = 1\");",
            &["puts a statement together"],
        );
        verdict("query(AssertSqlSafe(text))", &["vouches"]);
        verdict("// AssertSqlSafe", &[]);
    }

    #[test]
    fn other_crates_are_not_its_business() {
        let tree = Fixture::new().file("crates/ferro-server/src/a.rs", "format!(\"select {a}\")");
        expect(&check(&tree.tree()), &[]);
    }
}
