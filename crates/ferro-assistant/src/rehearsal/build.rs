//! Building: components are searched for and described, a spec is written, mistakes are mended once.

use std::fmt::Write as _;

use serde_json::json;

use super::ask::Ask;
use super::design::Design;
use super::parts::{self, Part};
use super::ports::{self, Kind};
use super::said::Lang;
use super::tape::{Heard, Next, Step, Tape};

/// A flow that was built.
pub(super) struct Built {
    /// For people: what is joined to what.
    pub line: String,
    pub notes: Vec<String>,
}

/// One node of a spec.
struct Placed {
    id: String,
    part: Part,
}

struct Drawing {
    name: String,
    placed: Vec<Placed>,
    wires: Vec<(usize, String, usize, String)>,
    config: Vec<(usize, String, String)>,
}

impl Drawing {
    fn spec(&self) -> String {
        let mut spec = format!("name: {}\nnodes:", self.name);
        for (place, one) in self.placed.iter().enumerate() {
            if self.is_wired(place) {
                let _ = write!(spec, "\n  {}: {}", one.id, one.part.r#type);
            }
        }
        spec.push_str("\nedges:");
        for (from, output, to, input) in &self.wires {
            if let (Some(from), Some(to)) = (self.placed.get(*from), self.placed.get(*to)) {
                let _ = write!(spec, "\n  {}.{output} -> {}.{input}", from.id, to.id);
            }
        }
        if !self.config.is_empty() {
            spec.push_str("\nconfig:");
        }
        for (place, field, value) in &self.config {
            if let Some(one) = self.placed.get(*place).filter(|_| self.is_wired(*place)) {
                let _ = write!(spec, "\n  {}.{field}: {value}", one.id);
            }
        }
        spec
    }

    /// What no wire touches is left out: a flow with it would be refused.
    fn is_wired(&self, place: usize) -> bool {
        self.wires.iter().any(|wire| wire.0 == place || wire.2 == place)
    }

    fn add(&mut self, part: &Part) -> usize {
        let base: String = part
            .label()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let mut id = base.clone();
        let mut number = 2;
        while self.placed.iter().any(|one| one.id == id) {
            id = format!("{base}_{number}");
            number += 1;
        }
        self.placed.push(Placed {
            id,
            part: part.clone(),
        });
        self.placed.len() - 1
    }

    fn part(&self, place: usize) -> &Part {
        static NONE: Part = Part {
            r#type: String::new(),
            name: String::new(),
            outputs: Vec::new(),
            inputs: Vec::new(),
            fields: Vec::new(),
        };
        self.placed.get(place).map_or(&NONE, |one| &one.part)
    }
}

/// Builds what the design says, as far as the components are there.
pub(super) fn build(tape: &mut Tape<'_>, ask: &Ask, design: &Design) -> Step<Built> {
    let lang = ask.lang;
    let (wanted, joints) = design.parts();
    let mut queries = wanted.clone();
    queries.extend(design.wished.iter().map(String::as_str));
    let found = parts::look_up(tape, &queries)?;
    let mut notes = Vec::new();
    for (query, part) in queries.iter().zip(&found).skip(wanted.len()) {
        if part.is_none() {
            notes.push(missing(lang, query));
        }
    }
    let mut drawing = Drawing {
        name: design.name.replace('\n', " "),
        placed: Vec::new(),
        wires: Vec::new(),
        config: Vec::new(),
    };
    let mut places = Vec::new();
    for (query, part) in wanted.iter().zip(&found) {
        places.push(part.as_ref().map(|part| drawing.add(part)));
        if part.is_none() {
            notes.push(missing(lang, query));
        }
    }
    let place = |wanted: usize| places.get(wanted).copied().flatten();
    let mut parser = None;
    for (from, to, kind) in bridged(&joints, &places) {
        let (Some(from), Some(to)) = (place(from), place(to)) else {
            continue;
        };
        connect(tape, &mut drawing, &mut parser, (from, to, kind))?;
    }
    if drawing.wires.is_empty() {
        let missing = notes.join(" ");
        let text = lang.say(
            "I cannot build that with the components that are here.",
            "Não consigo montar isso com os componentes que existem aqui.",
        );
        return Err(Next::Say(format!("{text} {missing}")));
    }
    let alone = (0..drawing.placed.len()).filter(|place| !drawing.is_wired(*place));
    notes.extend(alone.map(|place| left_out(lang, drawing.part(place).label())));
    configure(&mut drawing, ask, design, design.thinker().and_then(place));
    submit(tape, lang, &mut drawing)?;
    let mut line: Vec<&str> = Vec::new();
    for query in 0..design.chain.len() {
        let place = place(query).filter(|place| drawing.is_wired(*place));
        line.extend(place.map(|place| drawing.part(place).label()));
    }
    let mut line = line.join(" → ");
    let tools = (design.chain.len()..design.chain.len() + design.tools.len()).filter_map(place);
    let tools: Vec<&str> = tools.map(|place| drawing.part(place).label()).collect();
    if !tools.is_empty() {
        let _ = write!(
            line,
            " ({}: {})",
            lang.say("tools", "ferramentas"),
            tools.join(", ")
        );
    }
    Ok(Built { line, notes })
}

fn missing(lang: Lang, query: &str) -> String {
    match lang {
        Lang::En => format!("There is no component for \"{query}\" here, so the flow does without it."),
        Lang::Pt => format!("Não há componente para \"{query}\" aqui, então o fluxo fica sem ele."),
    }
}

fn left_out(lang: Lang, label: &str) -> String {
    match lang {
        Lang::En => format!("{label} is left out: none of its ports fits the others."),
        Lang::Pt => format!("{label} ficou de fora: nenhuma de suas portas combina com as outras."),
    }
}

/// The wires that are left when some parts were not found: what stood before a gap is joined to what stands after it.
fn bridged(joints: &[(usize, usize, Kind)], places: &[Option<usize>]) -> Vec<(usize, usize, Kind)> {
    let there = |wanted: usize| places.get(wanted).is_some_and(Option::is_some);
    let mut wires = Vec::new();
    for &(from, to, kind) in joints {
        if !there(to) {
            continue;
        }
        let mut from = from;
        while kind == Kind::Main && !there(from) && from > 0 {
            from -= 1;
        }
        wires.push((from, to, kind));
    }
    wires
}

/// Joins two nodes; with a parser between them when one speaks in tables and the other reads text.
fn connect(
    tape: &mut Tape<'_>,
    drawing: &mut Drawing,
    parser: &mut Option<Part>,
    (from, to, kind): (usize, usize, Kind),
) -> Step<()> {
    if let Some((output, input)) = ports::join(drawing.part(from), drawing.part(to), kind) {
        drawing.wires.push((from, output, to, input));
        return Ok(());
    }
    if kind == Kind::Tool {
        return Ok(());
    }
    if parser.is_none() {
        *parser = parts::look_up(tape, &["parser"])?.pop().flatten();
    }
    let Some(part) = parser.as_ref() else {
        return Ok(());
    };
    let first = ports::join(drawing.part(from), part, Kind::Main);
    let second = ports::join(part, drawing.part(to), kind);
    if let (Some((output, entrance)), Some((exit, input))) = (first, second) {
        let between = drawing.add(part);
        drawing.wires.push((from, output, between, entrance));
        drawing.wires.push((between, exit, to, input));
    }
    Ok(())
}

fn configure(drawing: &mut Drawing, ask: &Ask, design: &Design, thinker: Option<usize>) {
    if let Some(input) = &design.input
        && let Some(field) = drawing.part(0).field(&["input_value"])
    {
        drawing.config.push((0, field.to_owned(), input.clone()));
    }
    let Some(thinker) = thinker else {
        return;
    };
    let part = drawing.part(thinker).clone();
    if let Some(instructions) = &design.instructions {
        let wired = |field: &str| {
            drawing
                .wires
                .iter()
                .any(|wire| wire.2 == thinker && wire.3 == field)
        };
        let field = part.field(&["system_prompt", "system_message"]);
        if let Some(field) = field.filter(|field| !wired(field)) {
            drawing
                .config
                .push((thinker, field.to_owned(), instructions.clone()));
        }
    }
    if let Some((provider, model)) = design.model.as_ref().or(ask.default_model.as_ref())
        && let Some(field) = part.field(&["model"])
    {
        let value = json!([{"provider": provider, "name": model}]).to_string();
        drawing.config.push((thinker, field.to_owned(), value));
    }
}

/// Hands the spec in. What is wrong with it is mended where a rule knows how; the same mistake twice ends it.
fn submit(tape: &mut Tape<'_>, lang: Lang, drawing: &mut Drawing) -> Step<Heard> {
    let mut before = String::new();
    loop {
        let heard = tape.call("build_flow", &[("spec", json!(drawing.spec()))])?;
        if !heard.failed {
            return Ok(heard);
        }
        if heard.text == before || !mend(tape, drawing, &heard.text)? {
            return Err(Next::Say(failed(lang, heard.error())));
        }
        before = heard.text;
    }
}

/// Whether something was changed about the spec.
fn mend(tape: &mut Tape<'_>, drawing: &mut Drawing, problem: &str) -> Step<bool> {
    // A wire that does not fit gets a parser between its ends.
    let named = |wire: &(usize, String, usize, String)| {
        let (Some(from), Some(to)) = (drawing.placed.get(wire.0), drawing.placed.get(wire.2)) else {
            return false;
        };
        let output = format!("{}.{}", from.id, wire.1);
        let input = format!("{}.{}", to.id, wire.3);
        problem.contains(&output) && problem.contains(&input)
    };
    if let Some(place) = drawing.wires.iter().position(named) {
        let (from, output, to, input) = drawing.wires.remove(place);
        let Some(parser) = parts::look_up(tape, &["parser"])?.pop().flatten() else {
            return Ok(false);
        };
        let (Some(entrance), Some(exit)) = (parser.inputs.first(), parser.outputs.first()) else {
            return Ok(false);
        };
        let (entrance, exit) = (entrance.name.clone(), exit.name.clone());
        let between = drawing.add(&parser);
        drawing.wires.push((from, output, between, entrance));
        drawing.wires.push((between, exit, to, input));
        return Ok(true);
    }
    // A setting that is refused is left out.
    let refused = drawing.config.iter().position(|(place, field, _)| {
        let node = drawing.placed.get(*place);
        problem.contains(field.as_str()) && node.is_some_and(|node| problem.contains(&node.id))
    });
    if let Some(place) = refused {
        drawing.config.remove(place);
        return Ok(true);
    }
    Ok(false)
}

pub(super) fn failed(lang: Lang, problem: &str) -> String {
    let problem: String = for_people(problem).chars().take(400).collect();
    match lang {
        Lang::En => format!("That did not work, and I know no other way: {problem}"),
        Lang::Pt => format!("Isso não funcionou, e não conheço outro jeito: {problem}"),
    }
}

/// What a tool says went wrong, without the sentences that tell a model what to do next.
pub(super) fn for_people(problem: &str) -> String {
    let to_models = [
        "End the turn",
        "Mend ",
        "Do without",
        "Use ",
        "Try ",
        "Call ",
        "Wire every node",
    ];
    let sentences = problem.split_inclusive(". ");
    let kept: String = sentences
        .filter(|sentence| !to_models.iter().any(|start| sentence.starts_with(start)))
        .collect();
    if kept.trim().is_empty() {
        problem.to_owned()
    } else {
        kept.trim().to_owned()
    }
}
