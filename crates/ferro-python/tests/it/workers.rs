//! The pool and the walls, through what the server uses.

use std::sync::{Arc, Mutex};

use ferro_python::workers::Answer;
use ferro_python::{Host, NoHost, Refusal, Settings, Trouble, Workers};
use libtest_mimic::Trial;
use serde_json::{Value as Json, json};

use crate::trial;

pub fn list(trials: &mut Vec<Trial>) {
    trials.extend([
        trial("workers::a_component_is_described_and_runs", describes_and_runs),
        trial("workers::all_walls_stand", all_walls_stand),
        trial(
            "workers::a_wall_that_is_missing_is_named_and_nothing_runs",
            a_missing_wall_is_named,
        ),
        trial(
            "workers::the_operator_may_accept_a_missing_wall",
            a_missing_wall_is_accepted,
        ),
        trial(
            "workers::the_interpreter_itself_has_no_files",
            no_files_without_walls,
        ),
        trial("workers::a_run_keeps_its_worker_and_no_other_run_sees_it", scopes),
        trial("workers::what_takes_too_long_ends", too_long),
        trial(
            "workers::what_eats_memory_ends_and_the_next_request_is_served",
            too_large,
        ),
        trial("workers::a_dropped_request_ends_its_worker", dropped),
        trial("workers::the_host_is_asked_and_told", host),
        trial("workers::an_interpreter_of_the_machine_is_shut_in_too", external),
        trial(
            "workers::packages_of_a_virtual_environment_are_there",
            environment,
        ),
        trial(
            "workers::an_interpreter_that_cannot_be_one_is_named",
            no_interpreter,
        ),
        trial("workers::many_at_once", many),
        trial("workers::nothing_is_left_after_stop", nothing_is_left),
        trial("workers::the_shim_passes_its_own_tests", shim),
    ]);
}

pub fn settings() -> Settings {
    let mut settings = Settings::new(std::env::current_exe().unwrap());
    settings.seconds = 5;
    settings
}

/// Debian's own; `cargo xtask test` installs it where it is missing.
pub fn machine_python() -> std::path::PathBuf {
    "/usr/bin/python3".into()
}

const UPPER: &str = "
from lfx.custom.custom_component.component import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message

class Upper(Component):
    inputs = [MessageTextInput(name='text', display_name='Text')]
    outputs = [Output(name='result', display_name='Result', method='shout')]

    def shout(self) -> Message:
        return Message(text=self.text.upper())
";

fn run(code: &str, text: &str) -> Json {
    json!({ "do": "run", "code": code, "fields": { "text": text }, "outputs": null, "context": {} })
}

/// A program for the Python Interpreter component, and what it printed.
async fn printed(workers: &Workers, scope: Option<&str>, code: &str) -> Result<String, Trouble> {
    let request = json!({ "do": "exec", "code": code, "imports": [], "context": {} });
    let answer = workers.ask(scope, &request, &NoHost).await?;
    Ok(answer["stdout"].as_str().unwrap_or_default().trim().to_owned())
}

async fn describes_and_runs() {
    let workers = Workers::new(settings());
    let described = workers.describe(UPPER).await.unwrap();
    assert_eq!(described["class_name"], "Upper");
    assert_eq!(described["fields"][0]["name"], "text");
    assert_eq!(described["outputs"][0]["types"], json!(["Message"]));
    let answer = workers
        .ask(Some("run"), &run(UPPER, "hello"), &NoHost)
        .await
        .unwrap();
    assert_eq!(answer["outputs"]["result"]["text"], "HELLO");
}

async fn all_walls_stand() {
    let workers = Workers::new(settings());
    assert!(!workers.status().started, "nothing starts before it is needed");
    assert_eq!(printed(&workers, None, "print(1)").await.unwrap(), "1");
    let status = workers.status();
    assert_eq!(
        status.walls,
        ["namespaces", "root", "landlock", "privileges", "seccomp"]
    );
    assert_eq!(
        (status.started, status.busy, status.interpreter.as_str()),
        (true, 0, "built-in")
    );
}

async fn a_missing_wall_is_named() {
    for wall in ["namespaces", "landlock", "seccomp", "privileges", "root"] {
        let mut settings = settings();
        settings.without = vec![wall.to_owned()];
        let refused = Workers::new(settings).describe(UPPER).await.unwrap_err();
        let Trouble::Unavailable { missing } = &refused else {
            panic!("{wall}: {refused:?}")
        };
        assert!(missing.iter().any(|(name, _)| name == wall), "{missing:?}");
        assert!(
            refused.to_string().starts_with("Python cannot run here: "),
            "{refused}"
        );
    }
}

async fn a_missing_wall_is_accepted() {
    let mut settings = settings();
    settings.without = vec!["namespaces".to_owned(), "landlock".to_owned()];
    settings.accept_missing = true;
    let workers = Workers::new(settings);
    assert_eq!(printed(&workers, None, "print(1)").await.unwrap(), "1");
    let missing: Vec<_> = workers
        .status()
        .missing
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(missing, ["namespaces", "landlock"]);
}

/// Some other crate's features could bring the machine back into the interpreter, and the walls would hide it.
async fn no_files_without_walls() {
    let mut settings = settings();
    settings.without = ["namespaces", "root", "landlock", "privileges", "seccomp"]
        .map(str::to_owned)
        .to_vec();
    settings.accept_missing = true;
    let workers = Workers::new(settings);
    for attempt in [
        "open('/etc/passwd').read()",
        "__import__('os').listdir('/')",
        "__import__('os').environ['PATH']",
        "__import__('socket').create_connection(('127.0.0.1', 1))",
        "__import__('subprocess').run(['true'])",
        "__import__('io').FileIO('/etc/passwd')",
        "__import__('pathlib').Path('/etc/passwd').read_text()",
        "__import__('ctypes')",
        "__import__('posix').open('/etc/passwd', 0)",
    ] {
        let code = format!(
            "try:\n    print({attempt})\nexcept BaseException as e:\n    print('no:', type(e).__name__)"
        );
        let said = printed(&workers, None, &code).await.unwrap();
        assert!(said.starts_with("no:"), "{attempt}: {said}");
    }
}

async fn scopes() {
    let workers = Workers::new(settings());
    let leave = "import builtins\nbuiltins.left = 'here'\nprint('left')";
    let look = "import builtins\nprint(getattr(builtins, 'left', 'nothing'))";
    assert_eq!(printed(&workers, Some("a"), leave).await.unwrap(), "left");
    assert_eq!(
        printed(&workers, Some("a"), look).await.unwrap(),
        "here",
        "one run keeps its worker"
    );
    assert_eq!(printed(&workers, Some("b"), look).await.unwrap(), "nothing");
    assert_eq!(printed(&workers, None, leave).await.unwrap(), "left");
    assert_eq!(printed(&workers, None, look).await.unwrap(), "nothing");
    let random = "import random\nprint(random.random())";
    let (one, two) = (
        printed(&workers, None, random).await,
        printed(&workers, None, random).await,
    );
    assert_ne!(one, two, "all come from one process, but not with its luck");
}

async fn too_long() {
    let mut settings = settings();
    settings.seconds = 1;
    let workers = Workers::new(settings);
    for code in [
        "while True: pass",
        "import time\ntime.sleep(1e6)",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    ] {
        let trouble = printed(&workers, Some("a"), code).await.unwrap_err();
        assert!(
            matches!(trouble, Trouble::TooLong { seconds: 1 } | Trouble::TooBusy { .. }),
            "{trouble:?}"
        );
    }
    assert_eq!(printed(&workers, Some("a"), "print(1)").await.unwrap(), "1");
}

async fn too_large() {
    let mut settings = settings();
    settings.memory_mb = 64;
    let workers = Workers::new(settings);
    for code in [
        "x = [1]\nwhile True: x = x + x",
        "x = []\nwhile True: x.append(bytearray(1000000))",
    ] {
        match printed(&workers, None, code).await.unwrap_err() {
            Trouble::TooLarge { memory_mb: 64 } => {}
            Trouble::Python(error) => assert_eq!(error.r#type, "MemoryError", "{error:?}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(printed(&workers, None, "print(1)").await.unwrap(), "1");
    }
}

async fn dropped() {
    let workers = Workers::new(settings());
    printed(&workers, None, "print(1)").await.unwrap();
    let other = workers.clone();
    let endless = tokio::spawn(async move { printed(&other, None, "while True: pass").await });
    while workers.status().busy == 0 {
        tokio::task::yield_now().await;
    }
    endless.abort();
    let _ = endless.await;
    assert_eq!(workers.status().busy, 0);
    assert_eq!(printed(&workers, None, "print(2)").await.unwrap(), "2");
}

#[derive(Default)]
struct Listener(Mutex<Vec<Json>>);

impl Host for Listener {
    fn event(&self, event: Json) {
        self.0.lock().unwrap().push(event);
    }

    fn call<'a>(&'a self, ask: Json) -> Answer<'a> {
        Box::pin(async move {
            match ask["name"].as_str() {
                Some("given") => Ok(json!({ "value": "secret" })),
                _ => Err(Refusal::new("missing", "there is no such variable")),
            }
        })
    }
}

async fn host() {
    let workers = Workers::new(settings());
    let listener = Arc::new(Listener::default());
    let code = "
import _host, json
print(json.loads(_host.call(json.dumps({'ask': 'variable', 'name': 'given'}))))
print(json.loads(_host.call(json.dumps({'ask': 'variable', 'name': 'other'}))))
_host.event(json.dumps({'event': 'log', 'name': 'n', 'message': 'm'}))
";
    let request = json!({ "do": "exec", "code": code, "imports": [], "context": {} });
    let answer = workers.ask(None, &request, &*listener).await.unwrap();
    let said = answer["stdout"].as_str().unwrap();
    assert!(
        said.contains("'value': 'secret'") && said.contains("there is no such variable"),
        "{said}"
    );
    let heard = listener.0.lock().unwrap();
    assert!(
        heard.contains(&json!({ "event": "log", "name": "n", "message": "m" })),
        "{heard:?}"
    );
}

async fn external() {
    let mut settings = settings();
    settings.python = Some(machine_python());
    let workers = Workers::new(settings);
    let answer = workers.ask(None, &run(UPPER, "hello"), &NoHost).await.unwrap();
    assert_eq!(answer["outputs"]["result"]["text"], "HELLO");
    for attempt in [
        "open('/etc/passwd').read()",
        "open('/tmp/ferro-was-here', 'w')",
        "__import__('os').listdir('/home')",
        "__import__('os').environ['PATH']",
        "__import__('os').fork()",
        "__import__('os').kill(1, 9)",
        "__import__('socket').socket()",
        "__import__('subprocess').run(['/bin/true'])",
        "open('/proc/1/environ').read()",
    ] {
        let code = format!(
            "try:\n    print({attempt})\nexcept BaseException as e:\n    print('no:', type(e).__name__)"
        );
        let said = printed(&workers, None, &code).await.unwrap();
        assert!(said.starts_with("no:"), "{attempt}: {said}");
    }
}

async fn many() {
    let mut settings = settings();
    (settings.at_once, settings.seconds) = (4, 30);
    let workers = Workers::new(settings);
    let asked = (0..40).map(|number| {
        let workers = workers.clone();
        tokio::spawn(async move {
            let scope = format!("run-{}", number % 7);
            printed(&workers, Some(&scope), &format!("print({number} * 2)"))
                .await
                .unwrap()
        })
    });
    for (number, task) in asked.collect::<Vec<_>>().into_iter().enumerate() {
        assert_eq!(task.await.unwrap(), (number * 2).to_string());
    }
}

async fn nothing_is_left() {
    let workers = Workers::new(settings());
    printed(&workers, Some("a"), "print(1)").await.unwrap();
    let own = std::process::id().to_string();
    let children = || {
        let listed = std::fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap_or_default();
        let all = std::fs::read_dir(format!("/proc/{own}/task"))
            .unwrap()
            .filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("children")).ok());
        all.collect::<String>() + &listed
    };
    assert!(!children().trim().is_empty());
    workers.stop();
    let begun = std::time::Instant::now();
    while !children().trim().is_empty() {
        assert!(begun.elapsed().as_secs() < 10, "still there: {}", children());
        tokio::task::yield_now().await;
    }
}

/// Those that need no worker, in plain Python.
async fn shim() {
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/../ferro-worker/tests/shim/run.py");
    let ran = tokio::process::Command::new(machine_python())
        .args(["-B", tests])
        .output()
        .await;
    let ran = ran.expect("cargo xtask test installs python3");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

/// Below `/tmp`, where the new root is put otherwise.
async fn environment() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    // A worker of a root server is somebody else.
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let home = folder.path().join("venv");
    let made = tokio::process::Command::new(machine_python())
        .args(["-m", "venv", "--without-pip"])
        .arg(&home)
        .status();
    assert!(made.await.unwrap().success());
    let lib = std::fs::read_dir(home.join("lib"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let package = lib.join("site-packages/ferro_test_package");
    std::fs::create_dir_all(&package).unwrap();
    std::fs::write(package.join("__init__.py"), "VALUE = 42").unwrap();
    let mut settings = settings();
    settings.python = Some(home.join("bin/python"));
    let workers = Workers::new(settings);
    let code = "import ferro_test_package\nprint(ferro_test_package.VALUE)";
    assert_eq!(printed(&workers, None, code).await.unwrap(), "42");
    let look = format!(
        "import os\nprint(os.path.exists({:?}))",
        folder.path().parent().unwrap().join("nothing")
    );
    assert_eq!(printed(&workers, None, &look).await.unwrap(), "False");
}

async fn no_interpreter() {
    for (path, said) in [
        ("/usr/bin/true", "/usr/bin/true is not a Python interpreter"),
        ("/no/such/python", "/no/such/python: "),
    ] {
        let mut settings = settings();
        settings.python = Some(path.into());
        let trouble = Workers::new(settings).describe(UPPER).await.unwrap_err();
        assert!(
            matches!(&trouble, Trouble::Start(why) if why.starts_with(said)),
            "{trouble:?}"
        );
    }
}
