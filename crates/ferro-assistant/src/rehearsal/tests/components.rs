//! Components that are written to order pass the product's own checks.

use ferro_python::analysis::{Severity, check};

use super::play;
use crate::generate::extract_code;
use crate::rehearsal::ask::Ask;
use crate::rehearsal::write::answer;

const KNOWN: &[(&str, &str)] = &[
    (
        "UppercaseText",
        "create a component that converts text to uppercase",
    ),
    (
        "UppercaseText",
        "crie um componente que converte o texto em maiúsculas",
    ),
    ("LowercaseText", "a component that makes text lowercase"),
    ("LowercaseText", "um componente que passa o texto para minúsculas"),
    ("TitleCaseText", "component to title case a text"),
    (
        "TitleCaseText",
        "componente que põe o texto com iniciais maiúsculas",
    ),
    ("ReverseText", "create a component that reverses text"),
    ("ReverseText", "crie um componente que inverte o texto"),
    ("CountWords", "create a component that counts words"),
    (
        "CountWords",
        "crie um componente que conta as palavras de um texto",
    ),
    (
        "CountCharacters",
        "a component that returns the number of characters",
    ),
    ("CountLines", "componente para contar linhas"),
    ("AddNumbers", "create a component that adds two numbers"),
    ("AddNumbers", "crie um componente que soma dois números"),
    ("SubtractNumbers", "component that subtracts two numbers"),
    ("MultiplyNumbers", "componente que multiplica dois números"),
    ("DivideNumbers", "component that divides two numbers"),
    ("JoinTexts", "component that joins two texts"),
    ("SplitParts", "component that splits text by comma"),
    ("SplitParts", "componente que divide o texto por vírgulas"),
    (
        "ReplaceText",
        "component that replaces \"a\" with \"b\" in a text",
    ),
    (
        "JsonField",
        "component that extracts the field \"email\" from JSON",
    ),
    ("JsonField", "componente que extrai um campo de um JSON"),
    ("ChooseRandom", "component that makes a random choice"),
    ("ChooseRandom", "make a component to flip a coin"),
    ("RollDice", "component that rolls dice"),
    ("RollDice", "componente que joga dados"),
    ("TellTime", "component that tells the current date and time"),
    ("TellTime", "componente que diz a data atual"),
    (
        "ConvertTemperature",
        "component that converts Celsius to Fahrenheit",
    ),
    ("SlugText", "component that makes a slug"),
    ("TrimText", "component that trims a text"),
    ("AddPrefix", "component that adds the prefix \"Dear \" to a text"),
    ("AddSuffix", "componente que adiciona um sufixo ao texto"),
];

fn written(text: &str) -> String {
    extract_code(&answer(&Ask::of(text))).unwrap_or_else(|| panic!("no code for {text}"))
}

#[test]
fn each_passes_the_checks_with_every_output() {
    for (class, text) in KNOWN {
        for output in [
            "",
            " with a table output",
            " with json output",
            " with text output",
        ] {
            let code = written(&format!("{text}{output}"));
            let checked = check(&code);
            let errors: Vec<_> = checked
                .diagnostics
                .iter()
                .filter(|found| found.severity == Severity::Error)
                .collect();
            assert!(errors.is_empty(), "{text}: {errors:?}\n{code}");
            assert_eq!(checked.class_name.as_deref(), Some(*class), "{text}");
            let wanted = match output {
                "" => continue,
                " with a table output" => "-> DataFrame:",
                " with text output" => "-> Message:",
                _ => "-> Data:",
            };
            assert!(code.contains(wanted), "{text}{output}\n{code}");
        }
    }
}

#[test]
fn a_name_and_values_are_taken_from_the_request() {
    let code = written("create a component called \"Shout It\" that makes text uppercase");
    assert_eq!(check(&code).class_name.as_deref(), Some("ShoutIt"));
    assert!(code.contains("display_name = \"Shout It\""));
    assert!(written("component that adds the prefix \"Dear \" to a text").contains("value=\"Dear \""));
    assert!(written("component that extracts the field \"email\" from JSON").contains("value=\"email\""));
}

#[test]
fn what_no_rule_knows_is_said_without_code() {
    for (text, word) in [
        ("create a component that trades on the stock exchange", "Settings"),
        ("crie um componente que pinta quadros", "Eu sigo regras"),
    ] {
        let answer = answer(&Ask::of(text));
        assert!(extract_code(&answer).is_none(), "{answer}");
        assert!(answer.contains(word), "{answer}");
    }
}

#[tokio::test]
async fn a_component_is_written_and_kept() {
    let play = play();
    let played = play.ask("Crie um componente que conta palavras").await;
    assert_eq!(played.completed.validated, Some(true));
    assert_eq!(played.completed.class_name.as_deref(), Some("CountWords"));
    assert_eq!(play.world.registered.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_follow_up_changes_the_last_one() {
    let play = play().after(
        "create a component that counts words",
        "The component CountWords: …",
    );
    let played = play.ask("use dataframe output instead").await;
    assert_eq!(played.completed.class_name.as_deref(), Some("CountWords"));
    assert!(played.completed.component_code.unwrap().contains("-> DataFrame:"));
}

#[tokio::test]
async fn code_that_is_rejected_is_not_written_again() {
    let play = play();
    let invalid = crate::Invalid {
        message: "Line 3 is wrong.".to_owned(),
        class_name: None,
        r#unsafe: false,
        hopeless: false,
    };
    play.world.checks.lock().unwrap().push_back(Err(invalid));
    let played = play.ask("create a component that reverses text").await;
    assert!(
        played.completed.result.contains("Line 3 is wrong."),
        "{}",
        played.completed.result
    );
    assert_eq!(play.world.checked.lock().unwrap().len(), 1);
}
