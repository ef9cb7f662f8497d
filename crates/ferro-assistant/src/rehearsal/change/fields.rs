//! Settings: models, instructions, any field.

use serde_json::{Value as Json, json};

use super::super::ask::Node;
use super::super::said::{fold, spaced, words};
use super::super::tape::Step;
use super::super::{names, parts};
use super::Changing;

impl Changing<'_, '_> {
    /// The node that is meant, or else the one that answers.
    fn thinker(&mut self, what: &str) -> Option<Node> {
        let canvas = &self.ask.canvas;
        let meant = names::on_canvas(canvas, what).filter(|node| names::thinks(node));
        let found = meant.or_else(|| names::thinker(canvas)).cloned();
        if found.is_none() {
            self.say(
                "There is no agent or language model on the canvas.".to_owned(),
                "Não há agente nem modelo de linguagem no quadro.".to_owned(),
            );
        }
        found
    }

    pub(super) fn model(&mut self, what: &str, name: &str, provider: Option<&str>) -> Step<()> {
        let Some(provider) = provider else {
            let there: Vec<&str> = self
                .ask
                .models
                .iter()
                .flat_map(|(_, models)| models)
                .map(String::as_str)
                .collect();
            let there = there.join(", ");
            self.say(
                format!("There is no model \"{name}\" with a key here. There is: {there}. More are set up in Settings › Model providers."),
                format!("Não há modelo \"{name}\" com chave aqui. Há: {there}. Outros são configurados em Settings › Model providers."),
            );
            return Ok(());
        };
        let Some(node) = self.thinker(what) else {
            return Ok(());
        };
        let value = json!([{"provider": provider, "name": name}]);
        self.configure(&node, "model", value)
    }

    pub(super) fn instruct(&mut self, what: &str, text: &str, more: bool) -> Step<()> {
        let Some(node) = self.thinker(what) else {
            return Ok(());
        };
        let part = parts::describe(self.tape, &[&node.r#type])?
            .pop()
            .unwrap_or_default();
        let Some(field) = part.field(&["system_prompt", "system_message"]) else {
            self.say(
                format!("{} has no instructions that could be set.", node.id),
                format!("{} não tem instruções que se possam definir.", node.id),
            );
            return Ok(());
        };
        let mut value = text.to_owned();
        if more {
            let heard = self.tape.call(
                "get_field_value",
                &[("component_id", json!(node.id)), ("field_name", json!(field))],
            )?;
            if let Some(old) = heard.str("value").filter(|old| !old.trim().is_empty()) {
                value = format!("{}\n{text}", old.trim_end());
            }
        }
        self.write(&node, field, json!(value))
    }

    pub(super) fn set(&mut self, what: &str, field: &str, value: &str) -> Step<()> {
        let canvas = &self.ask.canvas;
        let meant: Vec<Node> = match names::on_canvas(canvas, what) {
            Some(node) => vec![node.clone()],
            None => canvas.nodes.clone(),
        };
        let types: Vec<&str> = meant.iter().map(|node| node.r#type.as_str()).collect();
        let described = parts::describe(self.tape, &types)?;
        let wanted = spaced(field);
        let fits = |name: &&String| {
            **name == field || words(&wanted).all(|word| spaced(name).split(' ').any(|part| part == word))
        };
        for node in &meant {
            let part = described.iter().find(|part| part.r#type == node.r#type);
            let name = part.and_then(|part| {
                // The shortest: "model" is not `model_name`.
                part.fields.iter().filter(fits).min_by_key(|name| name.len())
            });
            if let Some(name) = name {
                let name = name.clone();
                return match literal(value) {
                    Json::String(text) => self.write(node, &name, json!(text)),
                    plain => self.configure(node, &name, plain),
                };
            }
        }
        self.say(
            format!("I found no field \"{field}\" on the canvas."),
            format!("Não encontrei um campo \"{field}\" no quadro."),
        );
        Ok(())
    }

    /// A text of a component that was there before: proposed, so that a person agrees to it.
    fn write(&mut self, node: &Node, field: &str, value: Json) -> Step<()> {
        if self.at_once || !self.tape.has("propose_field_edit") {
            return self.configure(node, field, value);
        }
        let heard = self.tape.call(
            "propose_field_edit",
            &[
                ("component_id", json!(node.id)),
                ("field_name", json!(field)),
                ("new_value", value),
            ],
        )?;
        if self.worked(&heard) {
            self.waits = true;
            self.say(
                format!("Proposed a new `{field}` for {}: accept it to apply it.", node.id),
                format!("Propus um novo `{field}` para {}: aceite para aplicar.", node.id),
            );
        }
        Ok(())
    }

    fn configure(&mut self, node: &Node, field: &str, value: Json) -> Step<()> {
        let heard = self.tape.call(
            "configure_component",
            &[
                ("component_id", json!(node.id)),
                ("params", json!({ field: value })),
            ],
        )?;
        if !heard.list("proposed").is_empty() {
            self.waits = true;
            self.say(
                format!("Proposed a new `{field}` for {}: accept it to apply it.", node.id),
                format!("Propus um novo `{field}` para {}: aceite para aplicar.", node.id),
            );
        } else if self.worked(&heard) {
            self.say(
                format!("Set `{field}` of {}.", node.id),
                format!("`{field}` de {} definido.", node.id),
            );
        }
        Ok(())
    }
}

/// Numbers, yes and no as such; everything else is text.
fn literal(text: &str) -> Json {
    match fold(text).as_str() {
        "true" | "on" | "yes" | "sim" | "verdadeiro" => json!(true),
        "false" | "off" | "no" | "nao" | "falso" => json!(false),
        other => match other.parse::<i64>() {
            Ok(number) => json!(number),
            Err(_) => other
                .parse::<f64>()
                .ok()
                .filter(|number| number.is_finite())
                .map_or(json!(text), |number| json!(number)),
        },
    }
}
