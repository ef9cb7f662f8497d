//! Queries over JSON: the part of the jq language that always comes to an end. No definitions, no assignments,
//! no loops; what a query may produce is bounded.

mod delete;
mod eval;
mod functions;
mod literals;
mod parse;
mod tree;
mod values;

use ferro_engine::Failure;
use serde_json::Value as Json;

/// Everything a query yields for one input.
pub(crate) fn run(query: &str, input: &Json, field: &str) -> Result<Vec<Json>, Failure> {
    let tree = parse::parse(query).map_err(|problem| {
        Failure::input(field, format!("The query does not work: {problem}"))
            .advice("Begin with a path such as .items[0].name; join steps with |, as in .items[] | select(.price > 3).")
    })?;
    eval::all(&tree, input).map_err(|problem| {
        Failure::input(field, format!("The query failed: {problem}"))
            .advice("Look at what comes in, and put ? after a step that may not apply: .items[]?")
    })
}

/// The value at a path such as `.a.b[0]`.
pub(crate) fn at(path: &str, input: &Json, field: &str) -> Result<Json, Failure> {
    let mut found = run(path, input, field)?;
    if found.len() > 1 {
        return Ok(Json::Array(found));
    }
    match found.pop() {
        None | Some(Json::Null) => Err(Failure::input(field, format!("There is nothing at {path}"))
            .advice("Choose a path that exists in what comes in.")),
        Some(value) => Ok(value),
    }
}

/// Paths to everything in an example, the first entry standing for a whole list. At most 500.
pub(crate) fn paths(json: &Json) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![(String::new(), json)];
    while let Some((path, value)) = waiting.pop() {
        if !path.is_empty() {
            found.push(path.clone());
        }
        if found.len() >= 500 {
            break;
        }
        match value {
            Json::Object(map) => {
                for (key, value) in map.iter().rev() {
                    waiting.push((format!("{path}{}", step(key)), value));
                }
            }
            Json::Array(items) => waiting.extend(items.first().map(|first| {
                let dot = if path.is_empty() { "." } else { "" };
                (format!("{path}{dot}[0]"), first)
            })),
            _ => {}
        }
    }
    found
}

/// How a key is written in a path.
fn step(key: &str) -> String {
    let plain =
        key.chars().all(|c| c.is_alphanumeric() || c == '_') && !key.starts_with(|c: char| c.is_numeric());
    if plain && !key.is_empty() {
        format!(".{key}")
    } else {
        format!(".{}", Json::String(key.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(query: &str, expected: Json) {
        let input = json!({
            "user": { "name": "Ada", "tags": ["x", "y"], "age": 36 },
            "items": [{ "n": 1, "p": 2.5 }, { "n": 3, "p": 1 }, { "n": 2, "p": 9 }],
            "odd key": true,
        });
        match run(query, &input, "q") {
            Ok(found) => assert_eq!(Json::Array(found), expected, "{query}"),
            Err(failure) => assert_eq!(Json::String(failure.message), expected, "{query}"),
        }
    }

    #[test]
    fn paths_work() {
        check(".user.name", json!(["Ada"]));
        check("user.tags[0]", json!(["x"]));
        check("$.items[1].n", json!([3]));
        check(".items[-1].n", json!([2]));
        check(".items[].n", json!([1, 3, 2]));
        check(".items[1:] | length", json!([2]));
        check(".[\"odd key\"], .\"odd key\"", json!([true, true]));
        check(".nothing.there", json!([null]));
        check(
            ".user.name.first",
            json!("The query failed: \"first\" cannot be looked up in a string"),
        );
        check(".user.name.first?", json!([]));
        check("[.user[]?] | length", json!([3]));
    }

    #[test]
    fn operators_work() {
        check("1 + 2 * 3 - 4 / 2", json!([5]));
        check(
            "(1, 2) as $x",
            json!("The query does not work: \"as\" is not supported here"),
        );
        check(".user.age > 30 and (.user.name == \"Bob\" | not)", json!([true]));
        check(".missing // \"none\"", json!(["none"]));
        check("-.user.age % 5", json!([-1]));
        check(
            "\"a\" + \"b\", [1] + [2], {a: 1} + {b: 2}, null + 1",
            json!(["ab", [1, 2], { "a": 1, "b": 2 }, 1]),
        );
        check("1 / 0", json!("The query failed: 1 cannot be divided by 0"));
        check("\"\\(.user.name) is \\(.user.age)\"", json!(["Ada is 36"]));
        check(
            "if .user.age > 40 then \"old\" elif .user.age > 30 then \"mid\" else \"young\" end",
            json!(["mid"]),
        );
        check("[1,2,3] - [2]", json!([[1, 3]]));
    }

    #[test]
    fn construction_works() {
        check(
            "{name: .user.name, n: .items[].n}",
            json!([{ "name": "Ada", "n": 1 }, { "name": "Ada", "n": 3 }, { "name": "Ada", "n": 2 }]),
        );
        check(
            ".user | {name, (.tags[0]): 1}",
            json!([{ "name": "Ada", "x": 1 }]),
        );
        check("[.items[] | select(.p > 2) | .n]", json!([[1, 2]]));
        check("[]", json!([[]]));
    }

    #[test]
    fn functions_work() {
        check(
            ".items | map(.n) | add, length, max, min, (sort | join(\"-\"))",
            json!([6, 3, 3, 1, "1-2-3"]),
        );
        check(
            "[.items | sort_by(.p)[] | .n], (.items | max_by(.p).n)",
            json!([[3, 1, 2], 2]),
        );
        check(
            ".user | keys, has(\"name\"), (to_entries | length)",
            json!([["age", "name", "tags"], true, 3]),
        );
        check(
            ".user | with_entries(select(.key != \"tags\"))",
            json!([{ "age": 36, "name": "Ada" }]),
        );
        check(".user | del(.tags, .age)", json!([{ "name": "Ada" }]));
        check(
            ".user.name | ascii_upcase, test(\"^A\"), startswith(\"B\"), split(\"d\"), gsub(\"a\"; \"o\")",
            json!(["ADA", true, false, ["A", "a"], "Ado"]),
        );
        check(
            "[range(3)], [limit(2; .items[].n)], first(.items[].n), (\"4\" | tonumber), (1 | tostring)",
            json!([[0, 1, 2], [1, 3], 1, 4, "1"]),
        );
        check(
            "[1, [2, [3]]] | flatten, flatten(1)",
            json!([[1, 2, 3], [1, 2, [3]]]),
        );
        check(
            "[.items[].n] | unique, reverse, any(. > 2), all(. > 2)",
            json!([[1, 2, 3], [2, 3, 1], true, false]),
        );
        check(".items | group_by(.n > 1) | map(length)", json!([[1, 2]]));
        check("[..] | length", json!([18]));
        check(
            "nope(1)",
            json!("The query does not work: there is no function nope with 1 argument"),
        );
    }

    #[test]
    fn wrong_queries_are_refused() {
        for query in [
            "",
            ".[",
            ".a |",
            "{a: }",
            "\"open",
            "reduce .[] as $x (0; .)",
            "def f: 1; f",
            ".a = 1",
            "@csv",
            "((((",
            ".",
        ] {
            let _ = run(query, &Json::Null, "q");
        }
        assert!(run(&"(".repeat(1_000), &Json::Null, "q").is_err());
        assert!(run(&"[".repeat(60), &Json::Null, "q").is_err());
        assert!(run(&format!("1{}", "+1".repeat(2_000)), &Json::Null, "q").is_err());
    }

    #[test]
    fn results_are_bounded() {
        let doubling = vec!["(.,.)"; 40].join("|");
        let failure = run(&doubling, &json!(1), "q").unwrap_err();
        assert!(failure.message.contains("too much"), "{failure:?}");
        let failure = run("[range(1e12)]", &json!(1), "q").unwrap_err();
        assert!(failure.message.contains("too much"), "{failure:?}");
    }

    #[test]
    fn lists_paths() {
        let mut found = paths(&json!({ "a": { "b c": [ { "d": 1 } ] } }));
        found.sort();
        assert_eq!(found, [".a", ".a.\"b c\"", ".a.\"b c\"[0]", ".a.\"b c\"[0].d"]);
        assert_eq!(paths(&json!([1])), [".[0]"]);
    }

    #[test]
    fn a_path_leads_to_one_value() {
        assert_eq!(at(".a[0]", &json!({ "a": [1] }), "f").unwrap(), json!(1));
        assert!(
            at(".b", &json!({}), "f")
                .unwrap_err()
                .message
                .contains("nothing at .b")
        );
    }
}
