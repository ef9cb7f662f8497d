//! People's Python on its way to a worker: who may bring it, what is refused unread, and whose turn it is.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use ferro_engine::{NodeView, Plan};
use ferro_python::analysis::{self, Checked, Diagnostic, Severity};
use ferro_python::{Host, NoHost, PythonError, Trouble};
use ferro_store::{Principal, Role, UserId};
use serde_json::{Value as Json, json};
use tokio::sync::Semaphore;

use crate::config::CustomComponents;
use crate::error::{AppError, Result};
use crate::http::identity::Actor;
use crate::state::App;

/// Looking at code, which has nothing to compute yet, takes no longer, the start of a worker included.
const LOOK: Duration = Duration::from_secs(20);
/// How many workers look at one person's code at once; the others are for everybody else.
const AT_ONCE: usize = 2;
/// How many requests of one person may wait for that.
const WAITING: usize = 32;
/// What a component says of itself may not be larger, in bytes of JSON.
pub const MAX_DESCRIPTION: usize = 256 << 10;
/// How many findings are told.
const MAX_FINDINGS: usize = 100;

/// Turns at the workers, person by person.
#[derive(Default)]
pub struct Turns(Mutex<HashMap<UserId, Weak<Turn>>>);

struct Turn {
    queue: Semaphore,
    desk: Semaphore,
}

impl Turns {
    fn of(&self, person: UserId, workers: usize) -> Arc<Turn> {
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = turns.get(&person).and_then(Weak::upgrade) {
            return turn;
        }
        turns.retain(|_, turn| turn.strong_count() > 0);
        let turn = Arc::new(Turn {
            queue: Semaphore::new(WAITING),
            desk: Semaphore::new(AT_ONCE.min(workers / 2).max(1)),
        });
        turns.insert(person, Arc::downgrade(&turn));
        turn
    }
}

/// Why this person may not bring code of their own, if they may not.
pub fn barred(app: &App, by: Principal) -> Option<&'static str> {
    let is_admin = matches!(
        by,
        Principal::User {
            role: Role::Admin,
            ..
        }
    );
    match app.config.python.custom_components {
        CustomComponents::Everyone => None,
        CustomComponents::Admins if is_admin => None,
        CustomComponents::Admins => Some("Only admins may bring components with code of their own here."),
        CustomComponents::Nobody => {
            Some("Components with code of their own are switched off on this server.")
        }
    }
}

pub fn check_allowed(app: &App, actor: &Actor) -> Result<()> {
    barred(app, actor.principal()).map_or(Ok(()), |why| Err(AppError::forbidden(why)))
}

/// The same for a flow that is about to run: its code may be older than the rule.
pub fn barred_from(app: &App, by: Principal, plan: &Plan) -> Option<&'static str> {
    let why = barred(app, by)?;
    plan.nodes().any(NodeView::runs_own_code).then_some(why)
}

/// What can be said of code without running it. On a thread of its own: it may take a while.
pub async fn look(code: &str) -> Result<Checked> {
    let code = code.to_owned();
    let looked = tokio::task::spawn_blocking(move || analysis::check(&code));
    looked.await.map_err(AppError::internal)
}

/// Code that may be sent to a worker. Unsafe code is refused, and that somebody tried is written down.
pub async fn check(app: &App, actor: &Actor, code: &str) -> Result<Checked> {
    let checked = look(code).await?;
    let Some(refusal) = refusal_of(&checked) else {
        return Ok(checked);
    };
    let findings = unsafe_ones(&checked);
    if !findings.is_empty() {
        let told: Vec<String> = findings
            .iter()
            .take(8)
            .map(|found| format!("{} in line {}", found.code, found.span.line))
            .collect();
        app.audit(actor, "code.refused", told.join(", ")).await?;
    }
    Err(AppError::invalid_code(refusal, &shown(&checked)))
}

/// Why code cannot be taken, if it cannot.
pub fn refusal_of(checked: &Checked) -> Option<String> {
    let place = |found: &Diagnostic| format!("line {}: {}", found.span.line, found.message);
    let findings = unsafe_ones(checked);
    if !findings.is_empty() {
        let told: Vec<String> = findings.iter().take(3).map(|found| place(found)).collect();
        return Some(format!(
            "Refused: unsafe component code detected — {}{}",
            told.join(" "),
            more(findings.len().saturating_sub(3))
        ));
    }
    let errors = checked.diagnostics.iter().filter(|found| is_error(found));
    let errors: Vec<&Diagnostic> = errors.collect();
    let first = errors.first()?;
    Some(format!("{}{}", place(first), more(errors.len() - 1)))
}

fn more(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " There is one more problem.".to_owned(),
        count => format!(" There are {count} more problems."),
    }
}

fn is_error(found: &Diagnostic) -> bool {
    found.severity == Severity::Error
}

fn unsafe_ones(checked: &Checked) -> Vec<&Diagnostic> {
    let unsafe_ones = checked.diagnostics.iter();
    unsafe_ones
        .filter(|found| is_error(found) && found.code.starts_with("unsafe-"))
        .collect()
}

/// Refused for what it would do, not for how it is written.
pub fn is_unsafe(checked: &Checked) -> bool {
    !unsafe_ones(checked).is_empty()
}

/// The findings as clients get them.
pub fn shown(checked: &Checked) -> Json {
    let findings = checked.diagnostics.iter().take(MAX_FINDINGS);
    findings.map(|found| json!(found)).collect()
}

/// What the class in this code says of itself. The code has been checked.
pub async fn describe(app: &App, actor: &Actor, code: &str) -> Result<Json> {
    let request = json!({ "do": "describe", "code": code });
    let description = ask(app, actor, &request, &NoHost).await?;
    if description.to_string().len() > MAX_DESCRIPTION {
        let told = "the component describes itself in more than 256 kB. Make its texts, options and defaults shorter";
        return Err(AppError::invalid_code(format!("{told}."), &json!([])));
    }
    Ok(description)
}

/// One request to a worker, for somebody who waits for its answer at a canvas. Each has a worker to itself.
pub async fn ask(app: &App, actor: &Actor, request: &Json, host: &dyn Host) -> Result<Json> {
    let turn = app.python_turns.of(actor.user.id, app.config.python.workers);
    let Ok(_place) = turn.queue.try_acquire() else {
        return Err(AppError::throttled(Duration::from_secs(5)));
    };
    let _desk = turn.desk.acquire().await.map_err(AppError::internal)?;
    match tokio::time::timeout(LOOK, app.python.ask(None, request, host)).await {
        Ok(answer) => answer.map_err(told),
        Err(_) => {
            let told = format!(
                "looking at the code took longer than {} s. Code outside of methods should neither compute nor wait; \
                 if it does not, the server is busy: try again",
                LOOK.as_secs()
            );
            Err(AppError::invalid_code(format!("{told}."), &json!([])))
        }
    }
}

/// A worker's trouble in words for whoever asked.
fn told(trouble: Trouble) -> AppError {
    match &trouble {
        Trouble::Python(error) => AppError::invalid_code(format!("{trouble}"), &json!([finding(error)])),
        Trouble::Unavailable { .. } => AppError::no_python(
            format!(
                "{trouble}. Whoever runs the server can make the missing protection available, or accept that it \
                 is missing with --python-accept-missing-walls."
            ),
            trouble.clone(),
        ),
        Trouble::Start(_) => AppError::no_python(
            "Python cannot be started on this server. Its log has the reason under this request's id."
                .to_owned(),
            trouble.clone(),
        ),
        _ => AppError::invalid_code(format!("{trouble}."), &json!([])),
    }
}

fn finding(error: &PythonError) -> Json {
    let line = error.line.unwrap_or(1);
    let column = error.column.unwrap_or(1);
    json!({
        "severity": "error",
        "code": error.kind,
        "message": if error.r#type.is_empty() {
            error.message.clone()
        } else {
            format!("{}: {}", error.r#type, error.message)
        },
        "line": line,
        "column": column,
        "end_line": line,
        "end_column": column,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_has_a_few_turns_and_everybody_their_own() {
        let turns = Turns::default();
        let (ada, eve) = (UserId::new(), UserId::new());
        let (one, same, other) = (turns.of(ada, 4), turns.of(ada, 4), turns.of(eve, 4));
        let _held = (one.desk.try_acquire().unwrap(), same.desk.try_acquire().unwrap());
        assert!(one.desk.try_acquire().is_err());
        assert!(other.desk.try_acquire().is_ok());
        assert_eq!(turns.of(UserId::new(), 1).desk.available_permits(), 1);
    }

    #[test]
    fn turns_are_forgotten_with_the_last_who_waits() {
        let turns = Turns::default();
        for _ in 0..50 {
            turns.of(UserId::new(), 4);
        }
        assert!(turns.0.lock().unwrap().len() <= 1);
    }

    #[test]
    fn a_refusal_names_the_line_and_unsafe_code_comes_first() {
        let broken = analysis::check("class A(Component):\n    x = (\n");
        let refusal = refusal_of(&broken).unwrap();
        assert!(refusal.contains("line "), "{refusal}");
        let code =
            "import subprocess\nfrom lfx.custom import Component\nclass A(Component):\n    outputs = []\n";
        let refusal = refusal_of(&analysis::check(code)).unwrap();
        assert!(
            refusal.starts_with("Refused: unsafe component code detected — line 1: "),
            "{refusal}"
        );
    }

    #[test]
    fn what_python_raised_is_told_with_its_line() {
        let error = PythonError {
            kind: "raise".to_owned(),
            r#type: "ValueError".to_owned(),
            message: "no".to_owned(),
            line: Some(7),
            ..PythonError::default()
        };
        let told = told(Trouble::Python(error.clone())).to_string();
        assert_eq!(told, "ValueError: no (line 7)");
        assert_eq!(finding(&error)["line"], 7);
    }
}
