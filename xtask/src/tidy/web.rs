//! Rule `web`: imports in web/src go one way, only the canvas knows the canvas library, features are strangers to
//! each other, and no file only passes on what others export.

use super::code::{self, Strings};
use super::homes::numbered;
use super::{Finding, Tree, is_generated, is_test};

const RULE: &str = "web";
const SRC: &str = "web/src/";
const CANVAS_LIBRARY: &str = "@xyflow/react";

/// What each folder may import, besides itself. A folder or file that is not here is the shell: it may import all.
const MAY: [(&str, &[&str]); 9] = [
    ("flow", &[]),
    ("lib", &[]),
    ("i18n", &["lib"]),
    ("api", &["flow", "lib"]),
    ("stores", &["flow", "api", "i18n", "lib"]),
    ("ui", &["flow", "api", "i18n", "lib"]),
    ("fields", &["flow", "api", "stores", "ui", "i18n", "lib"]),
    (
        "canvas",
        &["flow", "api", "stores", "fields", "ui", "i18n", "lib"],
    ),
    (
        "features",
        &["flow", "api", "stores", "fields", "canvas", "ui", "i18n", "lib"],
    ),
];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in tree.with_ending(&[".ts", ".tsx"]) {
        let Some(inside) = path
            .strip_prefix(SRC)
            .filter(|_| !is_generated(path) && !is_test(path))
        else {
            continue;
        };
        let text = code::typescript(&tree.read(path), Strings::Keep);
        for (line, text) in numbered(&text) {
            for target in imports(text) {
                if let Some(what) = judge(inside, target) {
                    findings.push(Finding::new(RULE, path, line, what));
                }
            }
        }
        if let Some(line) = passed_on(inside, &text) {
            let what = "is a barrel: import from the file that has it, so that imports show what is used";
            findings.push(Finding::new(RULE, path, line, what));
        }
    }
    findings
}

fn judge(inside: &str, target: &str) -> Option<String> {
    let (from, rest) = inside.split_once('/').unwrap_or(("", inside));
    if target == CANVAS_LIBRARY || target.starts_with("@xyflow/") {
        let what = format!("imports {target}: only canvas/ may; export what you need from there");
        return (from != "canvas").then_some(what);
    }
    let (_, may) = MAY.iter().find(|(folder, _)| *folder == from)?;
    let target = resolve(inside, target)?;
    // `../i18n` is the folder's index file; `../routes` is a file of the shell.
    let is_folder = MAY.iter().any(|(folder, _)| *folder == target);
    let whole = if is_folder {
        (target.as_str(), "")
    } else {
        ("", target.as_str())
    };
    let (to, target_rest) = target.split_once('/').unwrap_or(whole);
    if from == "features" && to == "features" {
        let (mine, theirs) = (first(rest), first(target_rest));
        let what = format!(
            "features/{mine} imports features/{theirs}: move what both need down, or join them in routes"
        );
        return (mine != theirs).then_some(what);
    }
    if to == from || may.contains(&to) || is_asset(&target) {
        return None;
    }
    let shown = if to.is_empty() { target.as_str() } else { to };
    Some(format!(
        "{from}/ may import {}, not {shown}: pass it in, or move the part that is needed down",
        list(may)
    ))
}

fn first(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}

fn list(may: &[&str]) -> String {
    if may.is_empty() {
        "only itself".into()
    } else {
        may.join(", ")
    }
}

fn is_asset(target: &str) -> bool {
    [".css", ".svg", ".png", ".json", ".woff2"]
        .iter()
        .any(|ending| target.ends_with(ending))
}

/// The target as a path inside web/src; `None` for packages.
fn resolve(inside: &str, target: &str) -> Option<String> {
    let target = target.split('?').next().unwrap_or_default();
    if let Some(rest) = ["@/", "~/", "src/"]
        .iter()
        .find_map(|alias| target.strip_prefix(alias))
    {
        return Some(rest.to_owned());
    }
    if !target.starts_with('.') {
        return None;
    }
    let mut parts: Vec<&str> = inside.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// What a line imports: `from "x"`, `import "x"`, `import("x")`.
fn imports(line: &str) -> impl Iterator<Item = &str> {
    ["from ", "from", "import ", "import(", "vi.mock("]
        .into_iter()
        .flat_map(move |word| {
            line.match_indices(word).filter_map(move |(at, _)| {
                let before = line.get(..at)?;
                let rest = line.get(at + word.len()..)?;
                let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
                let alone = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
                alone.then(|| rest.get(1..)?.split(quote).next()).flatten()
            })
        })
}

/// The first line that passes on another file's exports: any `export *`, and in an index file any `export … from`.
fn passed_on(inside: &str, text: &str) -> Option<usize> {
    let is_index = matches!(inside.rsplit('/').next(), Some("index.ts" | "index.tsx"));
    let passes = |line: &str| {
        let line = line.trim_start();
        line.starts_with("export *")
            || (is_index && line.starts_with("export ") && imports(line).next().is_some())
    };
    numbered(text)
        .find(|(_, line)| passes(line))
        .map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Fixture, expect};
    use super::*;

    #[track_caller]
    fn verdict(path: &str, source: &str, parts: &[&str]) {
        expect(
            &check(&Fixture::new().file(&format!("web/src/{path}"), source).tree()),
            parts,
        );
    }

    #[test]
    fn imports_go_one_way() {
        verdict("flow/json.ts", "import { a } from './model';", &[]);
        verdict(
            "flow/json.ts",
            "import { a } from '../stores/a';",
            &["flow/ may import only itself, not stores"],
        );
        verdict(
            "flow/json.ts",
            "import { a } from \"@/api/client\";",
            &["not api"],
        );
        verdict(
            "api/a.ts",
            "import a from '../flow/a'; import '../stores/b';",
            &["not stores"],
        );
        verdict(
            "stores/a.ts",
            "const a = await import('../canvas/a');",
            &["stores/ may import flow, api"],
        );
        verdict(
            "canvas/a.tsx",
            "import {\n  b,\n} from '../features/chat/b';",
            &["a.tsx:3"],
        );
        verdict("canvas/a.tsx", "import { b } from '../routes';", &["not routes"]);
        verdict(
            "ui/button.tsx",
            "import { b } from '@/stores/b';",
            &["ui/ may import"],
        );
        verdict("routes.tsx", "import { b } from './features/chat/b';", &[]);
        verdict(
            "features/chat/a.tsx",
            "import '../../tokens.css'; import { b } from '@/canvas/b';",
            &[],
        );
        verdict("flow/json.test.ts", "import { a } from '../stores/a';", &[]);
        verdict("flow/json.ts", "// from '../stores/a'\nconst from = 'b';", &[]);
    }

    #[test]
    fn only_the_canvas_knows_the_canvas_library() {
        let line = "import { ReactFlow } from '@xyflow/react';";
        verdict("canvas/a.tsx", line, &[]);
        verdict("features/editor/a.tsx", line, &["only canvas/ may"]);
        verdict("routes.tsx", line, &["only canvas/ may"]);
    }

    #[test]
    fn features_are_strangers() {
        verdict("features/chat/a.tsx", "import { b } from './parts/b';", &[]);
        verdict(
            "features/chat/a.tsx",
            "import { b } from '../settings/b';",
            &["features/chat imports features/settings"],
        );
        verdict(
            "features/chat/a.tsx",
            "import { b } from '@/features/settings/b';",
            &["join them in routes"],
        );
    }

    #[test]
    fn no_barrels() {
        verdict(
            "ui/index.ts",
            "export { Button } from './button';",
            &["is a barrel"],
        );
        verdict(
            "ui/all.ts",
            "\nexport * from './button';",
            &["all.ts:2: is a barrel"],
        );
        verdict(
            "i18n/index.ts",
            "import i from './english';\nexport const t = i.t;",
            &[],
        );
    }
}
