//! `ferroflow validate`, `graph`, `diff`, `fmt`, `components` and `starters`.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use ferro_model::{Descriptor, Registry, Severity, text_form};
use ferro_net::AddressPolicy;
use serde_json::{Value as Json, json};

use super::{
    ComponentsCommand, DiffArgs, FmtArgs, GraphArgs, StartersCommand, ValidateArgs, catalog, read, say,
    say_json, text_of,
};
use crate::config::Python;
use crate::starters;

pub fn validate(policy: &AddressPolicy, args: &ValidateArgs) -> anyhow::Result<()> {
    let catalog = catalog(policy, &Python::default())?;
    let (mut errors, mut all) = (0_usize, Vec::new());
    for path in &args.flows {
        let shown = path.display();
        let flow = match read(path) {
            Ok(flow) => flow,
            // The other files are looked at all the same.
            Err(error) => {
                errors += 1;
                if args.json {
                    all.push(json!({ "file": shown.to_string(), "error": format!("{error:#}") }));
                } else {
                    say(&format!("{shown}: error: {error:#}\n"))?;
                }
                continue;
            }
        };
        let problems = ferro_model::problems(&flow.data, catalog.registry(), None);
        errors += problems
            .iter()
            .filter(|problem| problem.severity == Severity::Error)
            .count();
        if args.json {
            all.push(json!({ "file": shown.to_string(), "problems": problems }));
            continue;
        }
        if problems.is_empty() {
            say(&format!("{shown}: fine\n"))?;
        }
        for problem in &problems {
            let severity = match problem.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            say(&format!("{shown}: {severity}: {}\n", problem.message))?;
            if !problem.advice.is_empty() {
                say(&format!("    {}\n", problem.advice))?;
            }
        }
    }
    if args.json {
        say_json(&all)?;
    }
    match errors {
        0 => Ok(()),
        1 => bail!("1 problem keeps a flow from running"),
        many => bail!("{many} problems keep flows from running"),
    }
}

pub fn graph(args: &GraphArgs) -> anyhow::Result<()> {
    let flow = read(&args.flow)?;
    let mut view = ferro_model::read(&flow.data);
    // People know their nodes by name; the drawing labels them by type.
    for node in &mut view.nodes {
        node.r#type = node.name.clone();
    }
    say(&format!("{}\n", ferro_model::ascii::draw(&view)))
}

pub fn diff(args: &DiffArgs) -> anyhow::Result<()> {
    let (before, after) = (read(&args.before)?, read(&args.after)?);
    let changes = ferro_model::diff(&before.data, &after.data);
    if args.json {
        return say_json(&changes);
    }
    let text = changes.text.trim_end();
    say(&format!(
        "{}\n",
        if text.is_empty() { "no changes" } else { text }
    ))
}

pub fn fmt(args: &FmtArgs) -> anyhow::Result<()> {
    let mut unformatted = Vec::new();
    for path in &args.flows {
        let shown = path.display();
        let text = text_of(path)?;
        let json = text_form::parse(&text).with_context(|| format!("{shown} is not a flow"))?;
        let formatted = if args.to_json {
            indented(&json)
        } else {
            text_form::format(&json).with_context(|| format!("{shown} is not a flow"))?
        };
        if args.check {
            if formatted != text {
                unformatted.push(shown.to_string());
            }
        } else if args.write {
            if !path.exists() {
                bail!("{shown} is no file; leave out --write");
            }
            if formatted != text {
                replace(path, &formatted)?;
                say(&format!("{shown}: written\n"))?;
            }
        } else {
            say(&formatted)?;
        }
    }
    if unformatted.is_empty() {
        return Ok(());
    }
    bail!("not formatted: {}", unformatted.join(", "))
}

/// JSON without white space, on lines of its own. Read as a tree it would lose digits of long numbers.
fn indented(json: &str) -> String {
    let mut text = String::with_capacity(json.len() * 2);
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    let mut letters = json.chars().peekable();
    while let Some(letter) = letters.next() {
        if quoted {
            text.push(letter);
            quoted = escaped || letter != '"';
            escaped = !escaped && letter == '\\';
            continue;
        }
        let line = |text: &mut String, depth: usize| {
            text.push('\n');
            text.extend(std::iter::repeat_n("  ", depth));
        };
        match letter {
            '{' | '[' => {
                text.push(letter);
                if let Some(close) = letters.next_if(|next| matches!(next, '}' | ']')) {
                    text.push(close);
                } else {
                    depth += 1;
                    line(&mut text, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut text, depth);
                text.push(letter);
            }
            ',' => {
                text.push(letter);
                line(&mut text, depth);
            }
            ':' => text.push_str(": "),
            _ => {
                quoted = letter == '"';
                text.push(letter);
            }
        }
    }
    text.push('\n');
    text
}

/// All of the new text or all of the old, whatever happens in between.
fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    use std::io::Write as _;
    let folder = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).context("a file beside it cannot be made")?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)
        .with_context(|| format!("{} cannot be replaced", path.display()))?;
    Ok(())
}

pub fn components(policy: &AddressPolicy, command: &ComponentsCommand) -> anyhow::Result<()> {
    let catalog = catalog(policy, &Python::default())?;
    let registry = catalog.registry();
    match command {
        ComponentsCommand::List { json: true } => {
            let all: Vec<Json> = registry
                .iter()
                .map(|known| json!({ "type": known.r#type, "name": known.display_name, "category": known.category, "description": known.description }))
                .collect();
            say_json(&all)?;
        }
        ComponentsCommand::List { json: false } => say(&list(registry))?,
        ComponentsCommand::Describe { name, json } => {
            let known = registry.get(name).or_else(|| {
                registry
                    .iter()
                    .find(|known| known.display_name.eq_ignore_ascii_case(name))
            });
            let Some(known) = known else {
                let word = name.to_lowercase();
                let near = registry
                    .iter()
                    .filter(|known| known.display_name.to_lowercase().contains(&word));
                let near: Vec<&str> = near.map(|known| known.r#type.as_str()).collect();
                let hint = if near.is_empty() {
                    "see ferroflow components list".to_owned()
                } else {
                    format!("there are {}", near.join(", "))
                };
                bail!("there is no component `{name}`; {hint}");
            };
            if *json {
                say_json(&known.to_node())?;
            } else {
                say(&describe(known))?;
            }
        }
    }
    Ok(())
}

pub fn list_starters(command: &StartersCommand) -> anyhow::Result<()> {
    let starter = match command {
        StartersCommand::Show { name } => super::starter(name)?,
        StartersCommand::List { json } => {
            let catalog = catalog(&AddressPolicy::default(), &Python::default())?;
            let all = starters::all(&catalog);
            if *json {
                let row = |starter: &starters::Starter| {
                    json!({
                        "slug": starter.slug,
                        "name": starter.name,
                        "description": starter.description,
                        "tags": starter.tags,
                    })
                };
                return say_json(&all.iter().map(row).collect::<Vec<_>>());
            }
            let width = all
                .iter()
                .map(|starter| starter.slug.len())
                .max()
                .unwrap_or_default();
            let mut text = String::new();
            for starter in all {
                let _ = writeln!(text, "{:width$}  {}", starter.slug, starter.description);
            }
            return say(&format!(
                "{text}\nRun one with: ferroflow run starter:echo \"hello\"\n"
            ));
        }
    };
    say(&indented(&starter.export()))
}

fn list(registry: &Registry) -> String {
    let mut all: Vec<_> = registry.iter().collect();
    all.sort_by(|a, b| (&a.category, a.legacy, &a.r#type).cmp(&(&b.category, b.legacy, &b.r#type)));
    let width = all
        .iter()
        .map(|known| known.r#type.len())
        .max()
        .unwrap_or_default();
    let (mut category, mut text) = ("", String::new());
    for known in all {
        if known.category != category {
            if !category.is_empty() {
                text.push('\n');
            }
            category = &known.category;
            let _ = writeln!(text, "{category}");
        }
        let legacy = if known.legacy { " (legacy)" } else { "" };
        let _ = writeln!(text, "  {:width$}  {}{legacy}", known.r#type, known.description);
    }
    text
}

fn describe(known: &Descriptor) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{} ({}), {}\n",
        known.display_name, known.r#type, known.category
    );
    let _ = writeln!(text, "{}\n", known.help.trim());
    let _ = writeln!(text, "Fields");
    for field in &known.fields {
        let mut marks = Vec::new();
        if field.required {
            marks.push("required".to_owned());
        }
        if field.advanced {
            marks.push("advanced".to_owned());
        }
        if !field.input_types.is_empty() {
            marks.push(format!("takes {}", field.input_types.join(", ")));
        }
        if !field.options.is_empty() {
            marks.push(format!("one of {}", field.options.join(", ")));
        }
        let marks = if marks.is_empty() {
            String::new()
        } else {
            format!(" ({})", marks.join("; "))
        };
        let _ = writeln!(text, "  {} : {}{marks}", field.name, field.r#type);
        if !field.info.is_empty() {
            let _ = writeln!(text, "      {}", field.info);
        }
    }
    let _ = writeln!(text, "Outputs");
    for output in &known.outputs {
        let _ = writeln!(text, "  {} : {}", output.name, output.types.join(", "));
    }
    text
}
