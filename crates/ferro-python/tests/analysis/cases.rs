//! Cases in `*.py`: a case starts with `### name`; a line that ends in `# ! code…` must be reported with just these
//! codes, every other line with none. `code*3` means three times.

use ferro_python::analysis::{Diagnostic, check, scan};

struct Case {
    name: String,
    code: String,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("### ") {
            cases.push(Case {
                name: name.to_owned(),
                code: String::new(),
            });
        } else if let Some(case) = cases.last_mut() {
            case.code.push_str(line);
            case.code.push('\n');
        }
    }
    cases
}

fn expected(code: &str) -> Vec<(u32, String)> {
    let mut expected = Vec::new();
    for (line, text) in (1..).zip(code.lines()) {
        let Some((_, marks)) = text.split_once("# ! ") else {
            continue;
        };
        for mark in marks.split_whitespace() {
            let (code, times) = mark.split_once('*').unwrap_or((mark, "1"));
            let times: usize = times.parse().expect("a count");
            expected.extend(std::iter::repeat_n((line, code.to_owned()), times));
        }
    }
    expected.sort();
    expected
}

fn compare(text: &str, find: impl Fn(&str) -> Vec<Diagnostic>) -> usize {
    let cases = cases(text);
    let mut wrong = Vec::new();
    for case in &cases {
        let mut found: Vec<_> = find(&case.code)
            .into_iter()
            .map(|found| (found.span.line, found.code.to_owned()))
            .collect();
        found.sort();
        let wanted = expected(&case.code);
        if found != wanted {
            wrong.push(format!("{}\n  wanted {wanted:?}\n  found  {found:?}", case.name));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} cases:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
    cases.len()
}

#[test]
fn refused_code_is_refused_on_its_line() {
    let count = compare(include_str!("refused.py"), scan) + compare(include_str!("refused_flow.py"), scan);
    assert!(count >= 100, "{count}");
}

#[test]
fn ordinary_code_is_clean() {
    let text = include_str!("clean.py");
    assert!(!text.contains("# ! "));
    let count = compare(text, scan);
    assert!(count >= 40, "{count}");
}

#[test]
fn components_are_checked() {
    let count = compare(include_str!("components.py"), |code| check(code).diagnostics);
    assert!(count >= 40, "{count}");
}
