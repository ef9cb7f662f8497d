//! Components written to order: a handful that these rules know, in the shape the product's own checks want.

mod known;

use std::fmt::Write as _;

use ferro_llm::rehearsal::LABEL;

use self::known::known;
use super::ask::Ask;
use super::design::called;
use super::said::{Lang, Said};

/// What an output gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Text,
    Json,
    Table,
}

pub(super) struct Field {
    class: &'static str,
    name: &'static str,
    label: String,
    info: String,
    /// Python, such as `value=3`.
    more: String,
    /// An agent fills it in.
    tool: bool,
}

/// A component before it is written down.
pub(super) struct Component {
    class: String,
    label: String,
    description: String,
    icon: &'static str,
    fields: Vec<Field>,
    imports: Vec<&'static str>,
    /// Python that ends with `result` being there.
    body: Vec<String>,
    method: &'static str,
    shape: Shape,
    /// Python that makes text of `result`.
    as_text: &'static str,
}

/// The writer's answer to a request.
pub(super) fn answer(ask: &Ask) -> String {
    let lang = ask.lang;
    if let Some(problem) = ask.rejected.as_deref() {
        let problem: String = problem.lines().take(3).collect::<Vec<_>>().join(" ");
        let text = lang.say(
            "The component I wrote did not pass its checks, and my rules know no other way to write it. A real model, set up in Settings › Model providers, can mend it. What was found:",
            "O componente que escrevi não passou na verificação, e minhas regras não conhecem outra forma de escrevê-lo. Um modelo de verdade, configurado em Settings › Model providers, pode consertá-lo. O que foi encontrado:",
        );
        return format!("{LABEL} {text} {problem}");
    }
    match meant(ask) {
        Some(component) => {
            let text = match lang {
                Lang::En => format!("The component {}: {}", component.class, component.description),
                Lang::Pt => format!("O componente {}: {}", component.class, component.description),
            };
            format!("{LABEL} {text}\n\n```python\n{}```", component.code())
        }
        None => format!("{LABEL} {}", unable(lang)),
    }
}

pub(super) fn unable(lang: Lang) -> &'static str {
    lang.say(
        "I follow rules and cannot write that component. I can write ones that: change a text to upper, lower or title case, reverse it, count words, characters or lines, add, subtract, multiply or divide two numbers, join, split, trim or replace text, read a field of JSON, choose at random or roll dice, tell the date and time, convert temperatures, make slugs, put a prefix or suffix to a text; with text, JSON or table (DataFrame) output. For everything else set up a real model in Settings › Model providers.",
        "Eu sigo regras e não sei escrever esse componente. Sei escrever os que: mudam um texto para maiúsculas, minúsculas ou título, invertem o texto, contam palavras, caracteres ou linhas, somam, subtraem, multiplicam ou dividem dois números, juntam, dividem, aparam ou substituem texto, leem um campo de JSON, sorteiam ou jogam dados, dizem a data e a hora, convertem temperaturas, fazem slugs, põem prefixo ou sufixo num texto; com saída de texto, JSON ou tabela (DataFrame). Para todo o resto, configure um modelo de verdade em Settings › Model providers.",
    )
}

/// What the request asks for, or changes about the last one.
fn meant(ask: &Ask) -> Option<Component> {
    let said = &ask.said;
    if let Some(component) = known(said, ask.lang) {
        return Some(finished(component, said));
    }
    let before = last_component(ask)?;
    let component = known(&before, Lang::of(before.text()))?;
    Some(finished(finished(component, &before), said))
}

/// The earlier request that a component was written for.
pub(super) fn last_component(ask: &Ask) -> Option<Said> {
    let users = ask.past.iter().rev().map(|(user, _)| Said::new(user));
    users
        .into_iter()
        .find(|said| said.has(r"\bcomponent\w*\b") && known(said, Lang::En).is_some())
}

/// With the output and the name that the words ask for.
fn finished(mut component: Component, said: &Said) -> Component {
    if said.has(r"\bdata ?frames?\b|\btables?\b|\btabelas?\b") {
        component.shape = Shape::Table;
    } else if said.has(r"\b(?:text|message) output\b|\boutput (?:as |of |in )?(?:text|message)\b|\bsaida (?:de |em |como )?(?:texto|mensagem)\b") {
        component.shape = Shape::Text;
    } else if said.has(r"\b(?:json|data)\b[^.]{0,20}\b(?:output|saida)\b|\b(?:output|saida)\b[^.]{0,20}\b(?:json|data)\b|\b(?:as|como|em) json\b") {
        component.shape = Shape::Json;
    }
    if let Some(name) = called(said) {
        let class = class_name(&name);
        if !class.is_empty() {
            component.label = name.replace('"', "'");
            component.class = class;
        }
    }
    component
}

/// A name in CamelCase that begins with a letter.
fn class_name(name: &str) -> String {
    let mut class = String::new();
    for word in name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        let mut chars = word.chars();
        class.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        class.extend(chars);
    }
    let class = class.trim_start_matches(|c: char| c.is_ascii_digit());
    class.chars().take(64).collect()
}

impl Component {
    fn code(&self) -> String {
        let mut classes: Vec<&str> = self
            .fields
            .iter()
            .map(|field| field.class)
            .chain(["Output"])
            .collect();
        classes.sort_unstable();
        classes.dedup();
        let mut code = String::new();
        for import in &self.imports {
            let _ = writeln!(code, "{import}");
        }
        if !self.imports.is_empty() {
            code.push('\n');
        }
        let (schema, kind) = match self.shape {
            Shape::Text => ("message", "Message"),
            Shape::Json => ("data", "Data"),
            Shape::Table => ("dataframe", "DataFrame"),
        };
        let _ = write!(
            code,
            "from lfx.custom import Component\nfrom lfx.io import {}\nfrom lfx.schema.{schema} import {kind}\n\n\n\
             class {}(Component):\n    display_name = {}\n    description = {}\n    icon = \"{}\"\n    name = \"{}\"\n\n    inputs = [\n",
            classes.join(", "),
            self.class,
            python(&self.label),
            python(&self.description),
            self.icon,
            self.class,
        );
        for field in &self.fields {
            let more = if field.more.is_empty() {
                String::new()
            } else {
                format!(", {}", field.more)
            };
            let tool = if field.tool { ", tool_mode=True" } else { "" };
            let _ = writeln!(
                code,
                "        {}(name=\"{}\", display_name={}, info={}{more}{tool}),",
                field.class,
                field.name,
                python(&field.label),
                python(&field.info),
            );
        }
        let _ = write!(
            code,
            "    ]\n    outputs = [Output(name=\"result\", display_name=\"Result\", method=\"{}\")]\n\n    def {}(self) -> {kind}:\n",
            self.method, self.method,
        );
        for line in &self.body {
            let _ = writeln!(code, "        {line}");
        }
        code.push_str("        self.status = str(result)\n");
        let end = match self.shape {
            Shape::Text => format!("        return Message(text={})\n", self.as_text),
            Shape::Json => "        return Data(data={\"result\": result})\n".to_owned(),
            Shape::Table => "        rows = result if isinstance(result, list) else [result]\n        return DataFrame([{\"result\": row} for row in rows])\n".to_owned(),
        };
        code.push_str(&end);
        code
    }
}

/// A text as Python has it.
pub(super) fn python(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}
