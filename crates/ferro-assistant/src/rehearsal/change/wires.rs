//! Wires: drawn and taken away.

use serde_json::json;

use super::super::ask::Node;
use super::super::parts::{self, Part};
use super::super::ports::Kind;
use super::super::said::Said;
use super::super::tape::{Heard, Step};
use super::super::{names, ports};
use super::Changing;

impl Changing<'_, '_> {
    /// The two nodes of "this to that", wherever the words come apart so that both are on the canvas.
    pub(super) fn pair(&mut self, text: &str) -> Option<(Node, Node)> {
        let said = Said::new(text);
        let places = said.places(r"\s(?:to|with|into|from|and|ao|com|a|de|do|da|na|no|e|aos|as)\s");
        let text = said.text();
        let sides = |place: &(usize, usize)| Some((text.get(..place.0)?, text.get(place.1..)?));
        for (left, right) in places.iter().filter_map(sides) {
            let canvas = &self.ask.canvas;
            let nodes = (names::on_canvas(canvas, left), names::on_canvas(canvas, right));
            if let (Some(from), Some(to)) = nodes
                && from.id != to.id
            {
                return Some((from.clone(), to.clone()));
            }
        }
        // Whichever is missing is named.
        let (left, right) = places.iter().find_map(sides).unwrap_or((text, text));
        self.node(left)?;
        self.node(right)?;
        None
    }

    pub(super) fn disconnect(&mut self, from: &Node, to: &Node) -> Step<bool> {
        let canvas = &self.ask.canvas;
        let is = |source: &Node, target: &Node| {
            canvas
                .wires
                .iter()
                .any(|wire| wire.source == source.id && wire.target == target.id)
        };
        // "Disconnect the agent from the input" says nothing about which way the wire goes.
        let (from, to) = if !is(from, to) && is(to, from) {
            (to, from)
        } else {
            (from, to)
        };
        let heard = self.tape.call(
            "disconnect_components",
            &[("source_id", json!(from.id)), ("target_id", json!(to.id))],
        )?;
        let done = self.worked(&heard);
        if done {
            self.say(
                format!("Disconnected {} from {}.", from.id, to.id),
                format!("{} desconectado de {}.", from.id, to.id),
            );
        }
        Ok(done)
    }

    pub(in super::super) fn connect(&mut self, from: &Node, to: &Node, kind: Kind) -> Step<()> {
        let described = parts::describe(self.tape, &[&from.r#type, &to.r#type])?;
        let part = |node: &Node| described.iter().find(|part| part.r#type == node.r#type).cloned();
        let (Some(source), Some(target)) = (part(from), part(to)) else {
            self.say(
                format!("I could not read the ports of {} and {}.", from.id, to.id),
                format!("Não consegui ler as portas de {} e {}.", from.id, to.id),
            );
            return Ok(());
        };
        // What serves an agent is meant as its tool before text is made of it.
        let kinds = [kind, Kind::Main, Kind::Tool, Kind::System];
        let Some(ports) = kinds.iter().find_map(|kind| ports::join(&source, &target, *kind)) else {
            return self.through_parser(from, to, &source, &target);
        };
        let heard = self.wire(from, to, &ports)?;
        if heard.failed && heard.text.to_lowercase().contains("parser") {
            return self.through_parser(from, to, &source, &target);
        }
        let already = heard.str("text").is_some_and(|text| text.contains("already"));
        if already {
            self.say(
                format!("{} and {} were connected already.", from.id, to.id),
                format!("{} e {} já estavam conectados.", from.id, to.id),
            );
        } else if self.worked(&heard) {
            self.joined(from, to);
        }
        Ok(())
    }

    fn joined(&mut self, from: &Node, to: &Node) {
        self.say(
            format!("Connected {} to {}.", from.id, to.id),
            format!("{} conectado a {}.", from.id, to.id),
        );
    }

    fn wire(&mut self, from: &Node, to: &Node, (output, input): &(String, String)) -> Step<Heard> {
        self.tape.call(
            "connect_components",
            &[
                ("source_id", json!(from.id)),
                ("source_output", json!(output)),
                ("target_id", json!(to.id)),
                ("target_input", json!(input)),
            ],
        )
    }

    fn through_parser(&mut self, from: &Node, to: &Node, source: &Part, target: &Part) -> Step<()> {
        let parser = parts::look_up(self.tape, &["parser"])?.pop().flatten();
        let ways = parser.as_ref().and_then(|parser| {
            let first = ports::join(source, parser, Kind::Main)?;
            Some((first, ports::join(parser, target, Kind::Main)?))
        });
        let (Some(parser), Some((first, second))) = (parser, ways) else {
            self.say(
                format!("No output of {} fits an input of {}.", from.id, to.id),
                format!(
                    "Nenhuma saída de {} combina com uma entrada de {}.",
                    from.id, to.id
                ),
            );
            return Ok(());
        };
        let heard = self
            .tape
            .call("add_component", &[("component_type", json!(parser.r#type))])?;
        if !self.worked(&heard) {
            return Ok(());
        }
        let between = Node {
            id: heard.str("id").unwrap_or_default().to_owned(),
            r#type: parser.r#type.clone(),
        };
        let heard = self.wire(from, &between, &first)?;
        if !self.worked(&heard) {
            return Ok(());
        }
        let heard = self.wire(&between, to, &second)?;
        if self.worked(&heard) {
            self.say(
                format!(
                    "Connected {} to {} through {}, which makes text of it.",
                    from.id, to.id, between.id
                ),
                format!(
                    "{} conectado a {} por meio de {}, que o transforma em texto.",
                    from.id, to.id, between.id
                ),
            );
        }
        Ok(())
    }
}
