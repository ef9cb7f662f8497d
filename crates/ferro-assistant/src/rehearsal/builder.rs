//! What the builder does: which of its rules a request falls under, and the answer when the work is done.

use serde_json::{Value as Json, json};

use super::ask::{Ask, Node};
use super::build::{build, failed, for_people};
use super::change::Changing;
use super::classify::{RUN, core, intent};
use super::design::{Design, behaviour, has_purpose, is_large, large, named_model};
use super::ports::Kind;
use super::said::{Lang, Said};
use super::tape::{Heard, Next, Step, Tape};
use super::template::{Fit, no_template, template};
use super::wish::{Wish, wishes};
use super::{files, mend, names, parts, question};
use crate::turn::Intent;

pub(super) fn answer(tape: &mut Tape<'_>, ask: &Ask) -> Step<String> {
    let text = ask.said.text();
    if let Some(findings) = &ask.findings {
        return mend::mend(tape, ask, findings);
    }
    if text == crate::PLAN_APPROVAL_INPUT {
        return approved(tape, ask);
    }
    if text == crate::EDIT_CONTINUATION_INPUT {
        return continued(tape, ask);
    }
    if let Some(plan) = &ask.refined {
        return refined(tape, ask, plan);
    }
    match intent(ask) {
        Intent::ManageFiles => files::files(tape, ask),
        Intent::RunFlow => run(tape, ask),
        Intent::ComponentThenFlow => component_then_flow(tape, ask),
        Intent::GenerateComponent => component(tape, ask).map(|(_, text)| text),
        Intent::BuildFlow => build_or_edit(tape, ask),
        Intent::Question | Intent::OffTopic => Ok(question::abilities(ask.lang).to_owned()),
    }
}

pub(super) fn wants_run(said: &Said) -> bool {
    said.has(RUN)
}

fn build_or_edit(tape: &mut Tape<'_>, ask: &Ask) -> Step<String> {
    let said = core(&ask.said);
    if said.has(r"\btemplates?\b|\bstarters?\b|\bmodelo pronto\b") && !said.has(r"\bprompt templates?\b") {
        return template(tape, ask, Fit::Named).and_then(|text| match text {
            Some(text) => Ok(text),
            None => no_template(tape, ask.lang),
        });
    }
    let new = said.has(
        r"^\W*(?:build|create|make me|make an?\b|generate|design|develop|set up|i need|i want|give me|construa|construir|crie|criar|cria|monte|montar|faca um|gere|desenvolva|quero|preciso)\b",
    );
    let wishes = wishes(&Ask::of_clause(ask, said.clone()));
    if !new && !wishes.is_empty() {
        return change(tape, ask, &wishes);
    }
    if said.has(CLEAR) {
        return clear(tape, ask);
    }
    // What is there is not replaced because a rule is missing.
    if !new && !ask.canvas.nodes.is_empty() && !said.has(r"^\W*(?:summari[sz]e|resum)") {
        return Ok(question::abilities(ask.lang).to_owned());
    }
    if is_large(&said) && !ask.headless {
        return propose(tape, ask, &large(ask));
    }
    let design = Design::of(ask);
    // A chatbot that remembers is a template as well.
    let remembers = |design: &Design| design.reads.as_deref() == Some("message history");
    let fit = match &design {
        None => Some(Fit::Well),
        Some(design) if design.guessed || remembers(design) => Some(Fit::Whole),
        Some(_) => None,
    };
    if let Some(fit) = fit
        && let Some(text) = template(tape, ask, fit)?
    {
        return Ok(text);
    }
    match design {
        Some(design) => built(tape, ask, &design),
        None if ask.headless || has_purpose(&said) => built(tape, ask, &large(ask)),
        None => propose(tape, ask, &large(ask)),
    }
}

/// Everything is to go.
const CLEAR: &str = r"^\W*(?:clear|empty|limpe|limpar|esvazie)\b|^\W*(?:remove|delete|remova|apague|exclua)\s+(?:everything|all\b|tudo|todos|todas)";

/// Work that would be lost is agreed on first.
fn clear(tape: &mut Tape<'_>, ask: &Ask) -> Step<String> {
    let lang = ask.lang;
    if ask.canvas.nodes.is_empty() {
        return Ok(lang
            .say("The canvas is empty already.", "O quadro já está vazio.")
            .to_owned());
    }
    let ids: Vec<&str> = ask.canvas.nodes.iter().map(|node| node.id.as_str()).collect();
    if ask.headless {
        return remove_all(tape, ask, &ids);
    }
    let lines: Vec<String> = ids.iter().map(|id| format!("- remove: `{id}`")).collect();
    let title = lang.say("Plan: clear the canvas", "Plano: limpar o quadro");
    let plan = format!("**{title}**\n\n{}", lines.join("\n"));
    propose_text(tape, lang, &plan)
}

fn remove_all(tape: &mut Tape<'_>, ask: &Ask, ids: &[&str]) -> Step<String> {
    for id in ids.iter().filter(|id| ask.canvas.node(id).is_some()) {
        let heard = tape.call("remove_component", &[("component_id", json!(id))])?;
        if heard.failed {
            return Ok(failed(ask.lang, heard.error()));
        }
    }
    Ok(ask
        .lang
        .say("The canvas is empty now.", "O quadro está vazio agora.")
        .to_owned())
}

/// Changes, then the run that was asked for.
fn change(tape: &mut Tape<'_>, ask: &Ask, wishes: &[Wish]) -> Step<String> {
    let runs = wants_run(&ask.said);
    let mut changing = Changing {
        ask,
        tape: &mut *tape,
        at_once: ask.headless || runs,
        told: Vec::new(),
        waits: false,
    };
    for wish in wishes {
        changing.make(wish)?;
    }
    let (mut told, waits) = (changing.told, changing.waits);
    if runs && waits {
        let text = ask.lang.say(
            "The flow is run once that is on the canvas.",
            "O fluxo roda assim que isso estiver no quadro.",
        );
        told.push(text.to_owned());
    } else if runs {
        told.push(run(tape, ask)?);
    }
    Ok(told.join(" "))
}

/// Builds, then runs when that was asked for.
fn built(tape: &mut Tape<'_>, ask: &Ask, design: &Design) -> Step<String> {
    let done = build(tape, ask, design)?;
    let mut told = vec![match ask.lang {
        Lang::En => format!("Built \"{}\": {}.", design.name, done.line),
        Lang::Pt => format!("\"{}\" montado: {}.", design.name, done.line),
    }];
    told.extend(done.notes);
    if wants_run(&ask.said) {
        told.push(run(tape, ask)?);
    }
    Ok(told.join(" "))
}

pub(super) fn run(tape: &mut Tape<'_>, ask: &Ask) -> Step<String> {
    let lang = ask.lang;
    let input = ask.said.find(
        r#"\b(?:with|asking|using|com|perguntando)\s+(?:the\s+|a\s+|o\s+)?(?:inputs?|questions?|messages?|texts?|entrada|pergunta|mensagem|texto)?\s*:?\s*["“]([^"”]+)["”]"#,
    );
    let arguments: Vec<(&str, Json)> = match input.as_ref().and_then(|found| found.get(1)) {
        Some(input) => vec![("input", json!(input))],
        None => Vec::new(),
    };
    let heard = tape.call("run_flow", &arguments)?;
    if heard.failed && heard.error().starts_with("The flow was not run") {
        // A gate, not a mistake: it is for the person now.
        return Ok(for_people(heard.error()));
    }
    if heard.failed {
        return Ok(failed(lang, heard.error()));
    }
    Ok(reported(lang, &heard))
}

fn reported(lang: Lang, heard: &Heard) -> String {
    let result = heard.str("result").unwrap_or(&heard.text).trim();
    let result: String = result.chars().take(1000).collect();
    let number = |key: &str| {
        heard
            .json
            .get("metrics")
            .and_then(|metrics| metrics.get(key))
            .and_then(Json::as_f64)
    };
    let mut text = match lang {
        Lang::En => format!("The flow answered: {result}"),
        Lang::Pt => format!("O fluxo respondeu: {result}"),
    };
    if let (Some(seconds), Some(tokens)) = (number("duration_seconds"), number("total_tokens")) {
        text.push_str(&match lang {
            Lang::En => format!("\n\n({seconds:.1} s, {tokens:.0} tokens)"),
            Lang::Pt => format!("\n\n({seconds:.1} s, {tokens:.0} tokens)"),
        });
    }
    text
}

fn propose(tape: &mut Tape<'_>, ask: &Ask, design: &Design) -> Step<String> {
    let (wanted, _) = design.parts();
    let found = parts::look_up(tape, &wanted)?;
    let label = |part: &str| {
        let place = wanted.iter().position(|known| *known == part);
        let found = place.and_then(|place| found.get(place)).and_then(Option::as_ref);
        found.map_or_else(
            || (part.to_owned(), part.to_owned()),
            |part| (part.label().to_owned(), part.r#type.clone()),
        )
    };
    propose_text(tape, ask.lang, &design.plan(ask.lang, &label))
}

fn propose_text(tape: &mut Tape<'_>, lang: Lang, plan: &str) -> Step<String> {
    let heard = tape.call("propose_plan", &[("plan", json!(plan))])?;
    if heard.failed {
        return Ok(failed(lang, heard.error()));
    }
    // The turn remembers the plan itself.
    let text = lang.say(
        "Here is a plan to agree on first. Approve it and I carry it out, or say what should be different.",
        "Aqui está um plano para combinarmos antes. Aprove e eu o executo, ou diga o que deve mudar.",
    );
    Ok(text.to_owned())
}

fn approved(tape: &mut Tape<'_>, ask: &Ask) -> Step<String> {
    let last = ask
        .past
        .last()
        .map(|(_, answer)| answer.as_str())
        .unwrap_or_default();
    let ids: Vec<&str> = last
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- remove: `")?.strip_suffix('`'))
        .collect();
    if !ids.is_empty() {
        return remove_all(tape, ask, &ids);
    }
    let plan = ask
        .past
        .iter()
        .rev()
        .find_map(|(_, answer)| Design::from_plan(answer));
    let Some(design) = plan else {
        let text = ask.lang.say(
            "I do not find the plan in this conversation any more. Please say again what to build.",
            "Não encontro mais o plano nesta conversa. Por favor, diga de novo o que montar.",
        );
        return Ok(text.to_owned());
    };
    let asked = ask
        .past
        .iter()
        .rev()
        .map(|(user, _)| Said::new(user))
        .find(|said| !said.text().is_empty());
    let mut text = built(tape, ask, &design)?;
    if asked.is_some_and(|said| wants_run(&said)) {
        text = format!("{text} {}", run(tape, ask)?);
    }
    Ok(text)
}

fn continued(tape: &mut Tape<'_>, ask: &Ask) -> Step<String> {
    match ask.past.last() {
        Some((asked, _)) if wants_run(&Said::new(asked)) => run(tape, ask),
        _ => Ok(ask
            .lang
            .say("The edits are on the canvas.", "As edições estão no quadro.")
            .to_owned()),
    }
}

/// A new plan with what the person wants to be different.
fn refined(tape: &mut Tape<'_>, ask: &Ask, plan: &str) -> Step<String> {
    let Some(mut design) = Design::from_plan(plan) else {
        return build_or_edit(tape, ask);
    };
    let said = &ask.said;
    let named = names::named(said);
    let drops = said.has(r"\b(?:without|remove|drop|no|not|sem|remova|tire|nao)\b");
    for part in named.iter().filter(|part| names::is_tool(part)) {
        if drops {
            design.tools.retain(|tool| !names::means(part, tool));
        } else if !design.tools.iter().any(|tool| names::means(part, tool)) {
            design.tools.push((*part).to_owned());
        }
    }
    let model = named_model(&ask.models, said);
    if model.is_some() {
        design.model = model;
    } else if let Some(how) = behaviour(said, ask.lang) {
        design.instruct(&how);
    } else if named.iter().all(|part| !names::is_tool(part)) {
        design.instruct(said.text());
    }
    if ask.headless {
        return built(tape, ask, &design);
    }
    propose(tape, ask, &design)
}

/// Has a component written; its class and a sentence about it.
fn component(tape: &mut Tape<'_>, ask: &Ask) -> Step<(Option<String>, String)> {
    // What comes after the component is not part of it.
    let spec = ask.said.find(
        r"^(.*?)(?:[,;.]\s*(?:and |then |e |depois )?|\s+(?:and then|and|then|e depois|e)\s+)(?:use it|use|build|create|put|add|connect|make|run|a flow|crie um fluxo|monte|construa|adicione|conecte|coloque|rode|execute|um fluxo)\b",
    );
    let spec = spec
        .as_ref()
        .and_then(|found| found.get(1))
        .unwrap_or(ask.said.text())
        .to_owned();
    let heard = tape.call("generate_component", &[("spec", json!(spec))])?;
    if heard.failed {
        return Ok((None, failed(ask.lang, heard.error())));
    }
    let class = heard.str("class_name").map(str::to_owned);
    let name = class.clone().unwrap_or_default();
    Ok((
        class,
        match ask.lang {
            Lang::En => format!("Wrote the component {name}."),
            Lang::Pt => format!("Componente {name} escrito."),
        },
    ))
}

fn component_then_flow(tape: &mut Tape<'_>, ask: &Ask) -> Step<String> {
    let (class, text) = component(tape, ask)?;
    let Some(class) = class else {
        return Ok(text);
    };
    let edits =
        ask.said.has(r"\b(?:add|connect|put|adicione|conecte|coloque)\b") && !ask.canvas.nodes.is_empty();
    if edits {
        return Ok(format!("{text} {}", add_to_canvas(tape, ask, &class)?));
    }
    let agent = ask.said.has(r"\bagents?\b|\bagentes?\b");
    let mut design = Design {
        name: class.clone(),
        ..Design::default()
    };
    let chain: &[&str] = if agent {
        &["chat input", "agent", "chat output"]
    } else {
        &["chat input", &class, "chat output"]
    };
    design.chain = chain.iter().map(|part| (*part).to_owned()).collect();
    if agent {
        design.tools = vec![class];
    }
    Ok(format!("{text} {}", built(tape, ask, &design)?))
}

fn add_to_canvas(tape: &mut Tape<'_>, ask: &Ask, class: &str) -> Step<String> {
    let Some(part) = parts::look_up(tape, &[class])?.pop().flatten() else {
        return Err(Next::Say(failed(ask.lang, class)));
    };
    let heard = tape.call("add_component", &[("component_type", json!(part.r#type))])?;
    if heard.failed {
        return Ok(failed(ask.lang, heard.error()));
    }
    let new = Node {
        id: heard.str("id").unwrap_or_default().to_owned(),
        r#type: part.r#type.clone(),
    };
    let mut changing = Changing {
        ask,
        tape: &mut *tape,
        at_once: true,
        told: vec![match ask.lang {
            Lang::En => format!("Added {}.", new.id),
            Lang::Pt => format!("{} adicionado.", new.id),
        }],
        waits: false,
    };
    if let Some(target) = names::thinker(&ask.canvas) {
        changing.connect(&new, &target.clone(), Kind::Tool)?;
    }
    let mut told = changing.told;
    if wants_run(&ask.said) {
        told.push(run(tape, ask)?);
    }
    Ok(told.join(" "))
}
