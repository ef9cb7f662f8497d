//! The components that can be written, each with the words that mean it.

mod chance;
mod figures;
mod pieces;
mod texts;

use super::{Component, Field, Shape, python};
use crate::rehearsal::said::{Lang, Said};

/// What the words mean; the first that fits.
pub(super) fn known(said: &Said, lang: Lang) -> Option<Component> {
    texts::known(said, lang)
        .or_else(|| pieces::known(said, lang))
        .or_else(|| figures::known(said, lang))
        .or_else(|| chance::known(said, lang))
}

struct Draft {
    class: &'static str,
    label: (&'static str, &'static str),
    description: (&'static str, &'static str),
    icon: &'static str,
    method: &'static str,
}

impl Draft {
    fn with(self, lang: Lang, fields: Vec<Field>, body: &[&str]) -> Component {
        Component {
            class: self.class.to_owned(),
            label: lang.say(self.label.0, self.label.1).to_owned(),
            description: lang.say(self.description.0, self.description.1).to_owned(),
            icon: self.icon,
            fields,
            imports: Vec::new(),
            body: body.iter().map(|line| (*line).to_owned()).collect(),
            method: self.method,
            shape: Shape::Text,
            as_text: "str(result)",
        }
    }
}

fn field(class: &'static str, name: &'static str, label: &str, info: &str) -> Field {
    Field {
        class,
        name,
        label: label.to_owned(),
        info: info.to_owned(),
        more: String::new(),
        tool: true,
    }
}

fn text(lang: Lang) -> Field {
    field(
        "MessageTextInput",
        "text",
        lang.say("Text", "Texto"),
        lang.say("The text to work on.", "O texto a tratar."),
    )
}

/// What a person gave in quotation marks, as the value a field begins with.
fn given(said: &Said, place: usize, otherwise: &str) -> String {
    let quoted = said.quoted();
    format!(
        "value={}",
        python(quoted.get(place).copied().unwrap_or(otherwise))
    )
}
