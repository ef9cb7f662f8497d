//! What went wrong in a worker, said to whoever looks at the node.

use ferro_engine::{Cause, Failure};
use ferro_python::{PythonError, Trouble};

const MAX_MESSAGE: usize = 2_000;
const MAX_TRACE: usize = 16_000;

pub(super) fn failure(trouble: &Trouble) -> Failure {
    let said = cut(&trouble.to_string(), MAX_MESSAGE);
    match trouble {
        Trouble::Python(error) => python(error, cut(&told(error), MAX_MESSAGE)),
        Trouble::TooLong { .. } => Failure::new(Cause::Timeout, said)
            .advice("Look for a loop that never ends, or let the component do less at a time."),
        Trouble::TooBusy { .. } => Failure::limit(said)
            .advice("Look for a loop that never ends, or let the component do less at a time."),
        Trouble::TooLarge { .. } => Failure::limit(said)
            .advice("Work on a part at a time, or look for a function that calls itself without an end."),
        Trouble::TooMuch(_) => {
            Failure::limit(said).advice("Give back less: a part of the data, or a summary.")
        }
        Trouble::Died(_) => Failure::limit(format!("its Python code could not go on: {said}"))
            .advice("Run it again; if it happens again, let the component do less at a time."),
        Trouble::Unavailable { .. } => Failure::unavailable(said).advice(
            "Whoever operates the server can run it where these protections exist, or allow Python without them.",
        ),
        Trouble::Start(_) => Failure::unavailable(said)
            .advice("Whoever operates the server finds the reason in its log."),
    }
}

/// The exception by name, once, and its line.
fn told(error: &PythonError) -> String {
    let message = error.message.trim_end().trim_end_matches('.');
    let said = match error.r#type.as_str() {
        "" => message.to_owned(),
        name if message.starts_with(name) => message.to_owned(),
        name => format!("{name}: {message}"),
    };
    match error.line {
        Some(line) => format!("{said} (line {line})"),
        None => said,
    }
}

fn python(error: &PythonError, said: String) -> Failure {
    let (cause, advice) = match error.kind.as_str() {
        "syntax" => (Cause::Input, "Open the component's code and correct that line."),
        "import" => (
            Cause::Input,
            "That module is not there: use another, or ask the operator for an interpreter that has it.",
        ),
        "class" => (
            Cause::Input,
            "The code needs one class that derives from Component, with a method for each output.",
        ),
        "input" => (Cause::Input, "Check what comes into the component's fields."),
        "limit" => (Cause::Limit, "Let the component do less at a time."),
        "internal" => (
            Cause::Internal,
            "This is a mistake in Ferroflow; please report it.",
        ),
        _ => (
            Cause::Input,
            "Look at that line of the component's code and at what came into its fields.",
        ),
    };
    Failure::new(cause, said)
        .advice(advice)
        .detail(cut(&error.trace, MAX_TRACE))
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_is_named_with_its_line() {
        let error = PythonError {
            kind: "raise".to_owned(),
            r#type: "KeyError".to_owned(),
            message: "'zz'".to_owned(),
            line: Some(16),
            column: None,
            trace: "File \"<component>\", line 16".to_owned(),
        };
        let named = PythonError {
            message: "KeyError: 'zz'.".to_owned(),
            ..error.clone()
        };
        assert_eq!(
            failure(&Trouble::Python(named)).message,
            "KeyError: 'zz' (line 16)"
        );
        let failure = failure(&Trouble::Python(error));
        assert_eq!(failure.message, "KeyError: 'zz' (line 16)");
        assert_eq!(failure.cause, Cause::Input);
        assert!(failure.detail.contains("<component>"));
        assert!(!failure.advice.is_empty());
    }

    #[test]
    fn every_trouble_has_a_cause_and_advice() {
        let missing = vec![("landlock".to_owned(), "the kernel has none".to_owned())];
        for (trouble, cause) in [
            (Trouble::TooLong { seconds: 1 }, Cause::Timeout),
            (Trouble::TooBusy { seconds: 1 }, Cause::Limit),
            (Trouble::TooLarge { memory_mb: 1 }, Cause::Limit),
            (Trouble::TooMuch("x".to_owned()), Cause::Limit),
            (Trouble::Died("signal 9".to_owned()), Cause::Limit),
            (Trouble::Unavailable { missing }, Cause::Unavailable),
            (Trouble::Start("no program".to_owned()), Cause::Unavailable),
        ] {
            let failure = failure(&trouble);
            assert_eq!(failure.cause, cause, "{failure:?}");
            assert!(!failure.advice.is_empty(), "{failure:?}");
        }
        let long = PythonError {
            message: "ä".repeat(10_000),
            ..PythonError::default()
        };
        assert!(failure(&Trouble::Python(long)).message.chars().count() <= MAX_MESSAGE + 1);
    }
}
