//! Where the values came from that a step began with.

use std::sync::Arc;

use ferro_engine::{At, Brings, FieldOrigin, Origin, Plan, Value, WireOrigin};
use serde_json::Value as Json;

use super::super::detail::{Input, Source};
use super::super::shown::Shown;
use super::{Scope, Steps};

impl Steps<'_> {
    /// Asked when a step begins: what came before it is known by then.
    pub(super) fn inputs(&self, at: &At) -> Vec<Input> {
        let Some(plan) = self.about.plan else {
            return Vec::new();
        };
        let wanted = match &self.scope {
            Scope::All { .. } => true,
            Scope::One { node, .. } => **node == *at.node,
        };
        if !wanted {
            return Vec::new();
        }
        let component = plan.node(&at.node).and_then(|node| node.component());
        let origins = plan.origins(&at.node, self.about.overrides);
        let fields = origins
            .iter()
            .flat_map(|field| self.input(plan, at, component, field));
        fields.collect()
    }

    fn input(&self, plan: &Plan, at: &At, component: Option<&str>, field: &FieldOrigin<'_>) -> Vec<Input> {
        let most = self.most(&at.node);
        let one = |source, from: Option<String>, shown: Shown| Input {
            field: field.name.to_owned(),
            label: field.label.to_owned(),
            source,
            from,
            shown: if field.secret { Shown::SECRET } else { shown },
        };
        let wired: Vec<Input> = field
            .wires
            .iter()
            .filter_map(|wire| {
                let shown = self.brought(at, wire)?;
                let from = format!("{}.{}", wire.from, wire.output);
                Some(one(Source::Wire, Some(from), shown))
            })
            .collect();
        if !wired.is_empty() {
            return wired;
        }
        if let Some(given) = self.given(plan, at, component, field) {
            return vec![one(Source::Input, None, Shown::of(&given, most))];
        }
        let (source, from, shown) = match &field.otherwise {
            Origin::Tweak(value) => (Source::Tweak, None, Shown::of(value, most)),
            Origin::Variable(name) => (Source::Variable, Some((*name).to_owned()), Shown::NONE),
            Origin::Agent => (Source::Agent, None, Shown::NONE),
            Origin::Literal(json) | Origin::Default(json) if is_empty(json) => return Vec::new(),
            Origin::Literal(json) => (Source::Literal, None, Shown::json(json, most)),
            Origin::Default(json) => (Source::Default, None, Shown::json(json, most)),
        };
        vec![one(source, from, shown)]
    }

    /// What a wire brought to this execution, if anything.
    fn brought(&self, at: &At, wire: &WireOrigin<'_>) -> Option<Shown> {
        if wire.brings == Brings::Item {
            let (round, around) = at.rounds.split_last()?;
            let source = At {
                node: Arc::clone(wire.from),
                rounds: around.to_vec(),
            };
            return self.items.get(&source)?.get(*round as usize).cloned();
        }
        if wire.brings == Brings::Results {
            return None;
        }
        let done = self.finished.get(wire.from)?;
        let fits = |rounds: &[u32]| match wire.brings {
            Brings::Value => at.rounds.starts_with(rounds),
            _ => true,
        };
        let (_, place) = done.iter().rev().find(|(rounds, _)| fits(rounds))?;
        let outputs = &self.list[*place].outputs;
        let output = outputs.iter().find(|output| *output.name == **wire.output)?;
        Some(output.shown.clone())
    }

    /// What the run itself was given for this field.
    fn given(&self, plan: &Plan, at: &At, component: Option<&str>, field: &FieldOrigin<'_>) -> Option<Value> {
        let given = &self.about.given;
        let text = || given.input.filter(|text| !text.is_empty());
        match (component?, field.name) {
            ("ChatInput", "input_value") if given.to_chat => text().map(Value::plain),
            ("ChatInput", "files") if !given.files.is_empty() => Some(Value::plain(given.files.to_vec())),
            ("TextInput", "input_value") => {
                let tweaked = self.about.tweaks.sets(plan, &at.node, field.name);
                let typed = match &field.otherwise {
                    Origin::Literal(json) | Origin::Default(json) => !is_empty(json),
                    Origin::Variable(_) | Origin::Agent => true,
                    // Set by the run's input, as no tweak did it.
                    Origin::Tweak(_) => false,
                };
                (!tweaked && !typed).then(text).flatten().map(Value::plain)
            }
            ("Webhook", "data") => given.webhook.map(Value::plain),
            _ => None,
        }
    }
}

fn is_empty(json: &Json) -> bool {
    match json {
        Json::Null => true,
        Json::String(text) => text.is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Object(map) => map.is_empty(),
        Json::Bool(_) | Json::Number(_) => false,
    }
}
