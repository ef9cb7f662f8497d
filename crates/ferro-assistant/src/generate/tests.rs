use std::sync::Arc;

use ferro_llm::{ChatModel, Class, LlmError};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::*;
use crate::fake::{CODE, Said, Script, World, fails, says, trace};
use crate::gate::Gate;
use crate::host::Validated;

struct Bench {
    world: Arc<World>,
    model: Arc<Script>,
    generator: Generator,
    heard: UnboundedReceiver<AssistEvent>,
}

impl Bench {
    fn new(max_attempts: u32, answers: impl IntoIterator<Item = Said>) -> Self {
        let world = World::new();
        let model = Script::new(answers);
        let (sender, heard) = unbounded_channel();
        let generator = Generator {
            host: Arc::clone(&world) as Arc<dyn Host>,
            model: Arc::clone(&model) as Arc<dyn ChatModel>,
            out: Arc::new(Out::new(sender, Gate::default())),
            max_attempts,
        };
        Self {
            world,
            model,
            generator,
            heard,
        }
    }

    /// The next check refuses.
    fn refuse(self, message: &str, hopeless: bool) -> Self {
        let invalid = Invalid {
            message: message.to_owned(),
            class_name: Some("Doubler".to_owned()),
            r#unsafe: false,
            hopeless,
        };
        self.world.checks.lock().unwrap().push_back(Err(invalid));
        self
    }

    fn heard(&mut self) -> Vec<AssistEvent> {
        std::iter::from_fn(|| self.heard.try_recv().ok()).collect()
    }
}

fn block(code: &str) -> Said {
    says(&format!("Here it is.\n\n```python\n{code}```\n"))
}

#[tokio::test]
async fn a_component_that_passes_at_once() {
    let mut bench = Bench::new(3, [block(CODE)]);
    let done = bench.generator.generate("double a number", true).await;
    let Generated::Done {
        class_name,
        code,
        text,
        attempts,
        registered,
    } = done
    else {
        panic!("{done:?}")
    };
    assert_eq!((class_name.as_str(), attempts, registered), ("Doubler", 1, true));
    assert_eq!(code, CODE.trim());
    assert!(text.starts_with("Here it is."));
    assert_eq!(
        trace(&bench.heard()),
        [
            "progress generating_component 1/3",
            "progress generation_complete 1/3",
            "progress extracting_code 1/3",
            "progress validating 1/3",
            "progress validated 1/3",
        ]
    );
    assert_eq!(
        *bench.world.registered.lock().unwrap(),
        [("Doubler".to_owned(), CODE.trim().to_owned())]
    );
}

#[tokio::test]
async fn a_second_attempt_is_told_what_was_wrong() {
    let mut bench = Bench::new(3, [block("class Wrong(Component): pass\n"), block(CODE)])
        .refuse("Line 1: the component has no outputs.", false);
    let done = bench.generator.generate("double a number", true).await;
    assert!(matches!(done, Generated::Done { attempts: 2, .. }), "{done:?}");
    let heard = bench.heard();
    assert_eq!(
        trace(&heard),
        [
            "progress generating_component 1/3",
            "progress generation_complete 1/3",
            "progress extracting_code 1/3",
            "progress validating 1/3",
            "progress validation_failed 1/3",
            "progress retrying 2/3",
            "progress generating_component 2/3",
            "progress generation_complete 2/3",
            "progress extracting_code 2/3",
            "progress validating 2/3",
            "progress validated 2/3",
        ]
    );
    let AssistEvent::Progress {
        error,
        class_name,
        component_code,
        ..
    } = &heard[4]
    else {
        panic!("{:?}", heard[4])
    };
    assert_eq!(error.as_deref(), Some("Line 1: the component has no outputs."));
    assert_eq!(class_name.as_deref(), Some("Doubler"));
    assert_eq!(component_code.as_deref(), Some("class Wrong(Component): pass"));
    let second = bench.model.user_text(1);
    for part in [
        "double a number",
        "Line 1: the component has no outputs.",
        "class Wrong(Component): pass",
    ] {
        assert!(second.contains(part), "{part} is not in {second}");
    }
}

#[tokio::test]
async fn attempts_never_go_beyond_the_maximum() {
    for max in [1, 2, 3] {
        let mut bench = Bench::new(max, (0..max).map(|_| block(CODE)));
        for attempt in 1..=max {
            bench = bench.refuse(&format!("wrong {attempt}"), false);
        }
        let failed = bench.generator.generate("double a number", true).await;
        assert_eq!(
            failed,
            Generated::Failed {
                error: format!("wrong {max}"),
                code: Some(CODE.trim().to_owned()),
                class_name: Some("Doubler".to_owned()),
                attempts: max,
                fatal: None,
            }
        );
        let heard = bench.heard();
        let beyond = heard.iter().find(
            |event| matches!(event, AssistEvent::Progress { attempt, max_attempts, .. } if attempt > max_attempts || *attempt == 0),
        );
        assert_eq!(beyond, None);
        let last = format!("progress validation_failed {max}/{max}");
        assert_eq!(trace(&heard).last(), Some(&last));
        assert_eq!(bench.world.registered.lock().unwrap().len(), 0);
    }
}

#[tokio::test]
async fn what_the_model_cannot_mend_is_not_tried_again() {
    let bench = Bench::new(3, [block(CODE)]).refuse("Custom components are off on this server.", true);
    let failed = bench.generator.generate("double a number", false).await;
    assert!(
        matches!(&failed, Generated::Failed { attempts: 1, error, fatal: Some(_), .. } if error.contains("are off")),
        "{failed:?}"
    );
    assert_eq!(bench.model.times(), 1);
}

#[tokio::test]
async fn an_answer_without_code_is_kept_as_words() {
    let mut bench = Bench::new(3, [says("Which unit should the price have?")]);
    let words = bench.generator.generate("a price component", true).await;
    assert_eq!(
        words,
        Generated::Words {
            text: "Which unit should the price have?".to_owned(),
            attempts: 1
        }
    );
    assert_eq!(
        trace(&bench.heard()).last().map(String::as_str),
        Some("progress extracting_code 1/3")
    );
    assert!(bench.world.checked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_model_that_fails_ends_it() {
    let error = LlmError::new(Class::Authentication, "OpenAI does not accept the API key");
    let bench = Bench::new(3, [block(CODE), fails(error.clone())]).refuse("wrong", false);
    let failed = bench.generator.generate("double a number", false).await;
    let Generated::Failed {
        error: said,
        code,
        fatal,
        attempts,
        ..
    } = failed
    else {
        panic!("{failed:?}")
    };
    assert!(said.contains("API key"), "{said}");
    assert_eq!(code.as_deref(), Some(CODE.trim()));
    assert_eq!((fatal, attempts), (Some(AgentError::from(error)), 2));
}

#[tokio::test]
async fn abuse_in_code_is_sent_back() {
    let rude = CODE.replace("\"Doubler\"", "\"fucking doubler\"");
    let bench = Bench::new(2, [block(&rude), block(CODE)]);
    let done = bench.generator.generate("double a number", false).await;
    assert!(matches!(done, Generated::Done { attempts: 2, .. }), "{done:?}");
    assert_eq!(*bench.world.checked.lock().unwrap(), [CODE.trim()]);
    assert!(bench.model.user_text(1).contains("offensive words"));
}

#[tokio::test]
async fn in_the_middle_of_a_loop_nothing_is_told() {
    let mut bench = Bench::new(3, [block(CODE)]);
    bench.world.checks.lock().unwrap().push_back(Ok(Validated {
        class_name: "Doubler".to_owned(),
    }));
    bench.generator.generate("double a number", false).await;
    assert_eq!(bench.heard(), []);
}

#[test]
fn code_is_found_in_any_answer() {
    let component = "class A(Component):\n    pass";
    for (text, code) in [
        (format!("```python\n{component}\n```"), Some(component)),
        (format!("```py\n{component}\n```"), Some(component)),
        (format!("a\n\n```\n{component}\n```\nb"), Some(component)),
        (
            format!("```json\n{{}}\n```\n```python\n{component}\n```"),
            Some(component),
        ),
        (
            format!("```python\nimport os\n```\nthen\n```python\n{component}\n```"),
            Some(component),
        ),
        (
            "```python\nprint(1)\n```\n```python\nprint(2)\n```".to_owned(),
            Some("print(1)"),
        ),
        (format!("cut off\n```python\n{component}"), Some(component)),
        (format!("```\r\n{component}\r\n```"), Some(component)),
        (component.to_owned(), None),
        ("`class A(Component)` is how it begins".to_owned(), None),
        ("```python\n```".to_owned(), None),
        (String::new(), None),
    ] {
        assert_eq!(extract_code(&text).as_deref(), code, "{text}");
    }
}

#[test]
fn a_fence_inside_of_a_text_does_not_end_the_code() {
    let code = "class A(Component):\n    template = \"write ```json here\"\n    note = 1";
    assert_eq!(
        extract_code(&format!("```python\n{code}\n```")).as_deref(),
        Some(code)
    );
}
