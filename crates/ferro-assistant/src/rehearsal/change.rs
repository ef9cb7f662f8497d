//! Carrying out changes of the canvas with the tools, and saying what came of each.

mod fields;
mod wires;

use serde_json::json;

use super::ask::{Ask, Node};
use super::ports::Kind;
use super::said::{Lang, Said, fold, words};
use super::tape::{Heard, Step, Tape};
use super::wish::{Place, Wish};
use super::{names, parts};

/// The canvas, and what is changed about it.
pub(super) struct Changing<'a, 't> {
    pub ask: &'a Ask,
    pub tape: &'a mut Tape<'t>,
    /// Changes are made at once, not proposed: nobody can agree, or a run comes after them.
    pub at_once: bool,
    /// What was done or not, in sentences.
    pub told: Vec<String>,
    /// Something waits for the person's consent.
    pub waits: bool,
}

impl Changing<'_, '_> {
    pub(super) fn make(&mut self, wish: &Wish) -> Step<()> {
        match wish {
            Wish::Add { what, place } => self.add(what, place),
            Wish::Remove { what } => self.remove(what),
            Wish::Replace { old, new } => self.replace(old, new),
            Wish::Connect { pair, tool } => {
                let Some((from, to)) = self.pair(pair) else {
                    return Ok(());
                };
                let kind = if *tool { Kind::Tool } else { Kind::Main };
                self.connect(&from, &to, kind)
            }
            Wish::Disconnect { pair } => match self.pair(pair) {
                Some((from, to)) => self.disconnect(&from, &to).map(drop),
                None => Ok(()),
            },
            Wish::Rename { what, name } => self.rename(what, name),
            Wish::Model { what, name, provider } => self.model(what, name, provider.as_deref()),
            Wish::Instruct { what, text, more } => self.instruct(what, text, *more),
            Wish::Set { what, field, value } => self.set(what, field, value),
        }
    }

    fn say(&mut self, english: String, portuguese: String) {
        self.told.push(match self.ask.lang {
            Lang::En => english,
            Lang::Pt => portuguese,
        });
    }

    /// The tool's own words when it failed; whether it worked.
    fn worked(&mut self, heard: &Heard) -> bool {
        if heard.failed {
            let text = super::build::failed(self.ask.lang, heard.error());
            if !self.told.contains(&text) {
                self.told.push(text);
            }
        }
        !heard.failed
    }

    /// The node that is meant. Says so when there is none.
    fn node(&mut self, words: &str) -> Option<Node> {
        let found = names::on_canvas(&self.ask.canvas, words).cloned();
        if found.is_none() {
            let there: Vec<&str> = self
                .ask
                .canvas
                .nodes
                .iter()
                .map(|node| node.id.as_str())
                .collect();
            let there = if there.is_empty() {
                "-".to_owned()
            } else {
                there.join(", ")
            };
            self.say(
                format!("I found no \"{words}\" on the canvas. It has: {there}."),
                format!("Não encontrei \"{words}\" no quadro. Ele tem: {there}."),
            );
        }
        found
    }

    fn add(&mut self, what: &str, place: &Place) -> Step<()> {
        let (what, target) = self.target(what);
        if let Some(missing) = target.as_ref().err() {
            self.node(missing);
            return Ok(());
        }
        let Some((new, query)) = self.put(&what)? else {
            return Ok(());
        };
        if let Place::Between(from, to) = place {
            let (Some(from), Some(to)) = (self.node(from), self.node(to)) else {
                return Ok(());
            };
            self.disconnect(&from, &to)?;
            self.connect(&from, &new, Kind::Main)?;
            return self.connect(&new, &to, Kind::Main);
        }
        let as_tool = Said::new(&what).has(r"\btools?\b|\bferramentas?\b");
        self.settle(&new, &query, target.unwrap_or_default(), as_tool)
    }

    /// "This to that" taken apart, where "that" is on the canvas; or what was meant and is not there.
    fn target(&self, what: &str) -> (String, Result<Option<Node>, String>) {
        let said = Said::new(what);
        let canvas = &self.ask.canvas;
        for (from, to) in said.places(r"\s(?:to|into|onto|for|ao|a|no|na|para|para o|para a)\s") {
            let (Some(left), Some(right)) = (said.text().get(..from), said.text().get(to..)) else {
                continue;
            };
            if let Some(node) = names::on_canvas(canvas, right) {
                return (left.to_owned(), Ok(Some(node.clone())));
            }
            let named =
                !names::named(&Said::new(right)).is_empty() && !names::named(&Said::new(left)).is_empty();
            if named {
                return (left.to_owned(), Err(right.to_owned()));
            }
        }
        (what.to_owned(), Ok(None))
    }

    /// Puts a component on the canvas; the node, and the words it was found by.
    fn put(&mut self, what: &str) -> Step<Option<(Node, String)>> {
        let said = Said::new(what);
        let query = names::named(&said)
            .first()
            .map_or_else(|| plain(&said), |query| (*query).to_owned());
        let found = match query.is_empty() {
            true => None,
            false => parts::look_up(self.tape, &[&query])?.pop().flatten(),
        };
        let Some(part) = found else {
            self.say(
                format!("There is no component for \"{what}\"."),
                format!("Não há componente para \"{what}\"."),
            );
            return Ok(None);
        };
        let heard = self
            .tape
            .call("add_component", &[("component_type", json!(part.r#type))])?;
        if !self.worked(&heard) {
            return Ok(None);
        }
        let id = heard.str("id").unwrap_or_default().to_owned();
        self.say(
            format!("Added {} ({id}).", part.label()),
            format!("{} adicionado ({id}).", part.label()),
        );
        let new = Node {
            id,
            r#type: part.r#type.clone(),
        };
        Ok(Some((new, query)))
    }

    /// Another component in the place of one, with its wires as far as they fit.
    fn replace(&mut self, old: &str, new: &str) -> Step<()> {
        let Some(old) = self.node(old) else {
            return Ok(());
        };
        let Some((new, _)) = self.put(new)? else {
            return Ok(());
        };
        // First, because what took its output takes no second wire.
        let heard = self
            .tape
            .call("remove_component", &[("component_id", json!(old.id))])?;
        if !self.worked(&heard) {
            return Ok(());
        }
        self.say(format!("Removed {}.", old.id), format!("{} removido.", old.id));
        let canvas = &self.ask.canvas;
        for wire in &canvas.wires {
            let ends = match (wire.source == old.id, wire.target == old.id) {
                (true, false) => canvas.node(&wire.target).map(|target| (&new, target)),
                (false, true) => canvas.node(&wire.source).map(|source| (source, &new)),
                _ => None,
            };
            match (ends, wire.input.as_str()) {
                (Some((tool, _)), "tools") if !self.takes_tools(&new)? => self.say(
                    format!(
                        "{} is not connected any more: {} takes no tools.",
                        tool.id, new.id
                    ),
                    format!(
                        "{} não está mais conectado: {} não recebe ferramentas.",
                        tool.id, new.id
                    ),
                ),
                (Some((from, to)), "tools") => self.connect(from, to, Kind::Tool)?,
                (Some((from, to)), "system_prompt" | "system_message") => {
                    self.connect(from, to, Kind::System)?
                }
                (Some((from, to)), _) => self.connect(from, to, Kind::Main)?,
                (None, _) => {}
            }
        }
        Ok(())
    }

    fn takes_tools(&mut self, node: &Node) -> Step<bool> {
        let part = parts::describe(self.tape, &[&node.r#type])?
            .pop()
            .unwrap_or_default();
        Ok(part
            .inputs
            .iter()
            .any(|input| input.types.iter().any(|kind| kind == "Tool")))
    }

    /// Joins a new node to what is there, where it is plain how.
    fn settle(&mut self, new: &Node, query: &str, named: Option<Node>, as_tool: bool) -> Step<()> {
        let canvas = &self.ask.canvas;
        let was_named = named.is_some();
        let Some(target) = named.or_else(|| names::thinker(canvas).cloned()) else {
            return self.alone(new);
        };
        let is_agent = |node: &Node| fold(&node.r#type).contains("agent");
        if (names::is_tool(query) || as_tool) && is_agent(&target) {
            return self.connect(new, &target, Kind::Tool);
        }
        if query == "message history" && is_agent(&target) {
            self.say(
                "An Agent reads the conversation by itself, so I left it unconnected. Say \"connect … to …\" to wire it."
                    .to_owned(),
                "Um Agent lê a conversa por conta própria, então deixei o componente sem conexão. Diga \"conecte … ao …\" para ligá-lo."
                    .to_owned(),
            );
            return Ok(());
        }
        if ["message history", "prompt template", "read file"].contains(&query) {
            return self.connect(new, &target, Kind::System);
        }
        let wired = |id: &str, out: bool| {
            canvas.wires.iter().any(|wire| {
                if out {
                    wire.source == id
                } else {
                    wire.target == id && wire.input == "input_value"
                }
            })
        };
        if query == "chat output" && !wired(&target.id, true) {
            return self.connect(&target, new, Kind::Main);
        }
        if query == "chat input" && !wired(&target.id, false) {
            return self.connect(new, &target, Kind::Main);
        }
        if was_named {
            return self.connect(new, &target, Kind::Main);
        }
        self.alone(new)
    }

    fn alone(&mut self, new: &Node) -> Step<()> {
        if !self.ask.canvas.nodes.is_empty() {
            self.say(
                format!("{} is not connected yet: tell me to what.", new.id),
                format!("{} ainda não está conectado: diga a quê.", new.id),
            );
        }
        Ok(())
    }

    fn remove(&mut self, what: &str) -> Step<()> {
        let Some(node) = self.node(what) else {
            return Ok(());
        };
        let heard = self
            .tape
            .call("remove_component", &[("component_id", json!(node.id))])?;
        if self.worked(&heard) {
            self.say(format!("Removed {}.", node.id), format!("{} removido.", node.id));
        }
        Ok(())
    }

    fn rename(&mut self, what: &str, name: &str) -> Step<()> {
        let Some(node) = self.node(what) else {
            return Ok(());
        };
        let argument = self
            .tape
            .argument("rename_component", &["display_name", "new_name", "name"]);
        let heard = self.tape.call(
            "rename_component",
            &[("component_id", json!(node.id)), (argument, json!(name))],
        )?;
        if self.worked(&heard) {
            self.say(
                format!("{} is called \"{name}\" now.", node.id),
                format!("{} agora se chama \"{name}\".", node.id),
            );
        }
        Ok(())
    }
}

/// Without the words around the name.
fn plain(said: &Said) -> String {
    let empty = [
        "a",
        "an",
        "the",
        "some",
        "another",
        "component",
        "node",
        "as",
        "tool",
        "new",
        "um",
        "uma",
        "o",
        "os",
        "componente",
        "no",
        "como",
        "ferramenta",
        "novo",
        "nova",
        "de",
    ];
    let kept: Vec<&str> = words(said.folded())
        .filter(|word| !empty.contains(word))
        .collect();
    kept.join(" ")
}
