//! Flows on the command line: run, check, draw, compare and format them without a server.

mod host;
mod models;
mod run;
mod show;

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand, ValueEnum};
use ferro_engine::Catalog;
use ferro_model::{FlowData, text_form};
use ferro_net::AddressPolicy;
use serde::Deserialize;
use serde_json::value::RawValue;

pub use run::run;
pub use show::{components, diff, fmt, graph, list_starters, validate};

use crate::config::Python;
use crate::starters::{self, Starter};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Shape {
    /// The answer as text
    #[default]
    Text,
    /// The results as JSON, as POST /api/v1/run gives them
    Json,
    /// Every event as a line of JSON, as it happens
    Events,
}

#[derive(Args)]
pub struct RunArgs {
    /// A file with a flow (an export, its data alone, or what `ferroflow fmt` wrote), - for standard input, or
    /// starter:NAME
    flow: PathBuf,
    /// What to say to the flow; - reads it from standard input
    input: Option<String>,
    /// What to print
    #[arg(long, short, default_value = "text")]
    output: Shape,
    /// The conversation
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Set a field for this run, the node by id or name. Fields of text take the value as it is, others read it
    /// as JSON (repeat for several)
    #[arg(long = "set", value_name = "NODE.FIELD=VALUE")]
    set: Vec<String>,
    /// Ask this model wherever the flow asks one, such as openai/gpt-4o; a provider alone means its usual model.
    /// `rehearsal` works offline and needs no key, but is no AI
    #[arg(long, value_name = "PROVIDER[/NAME]")]
    model: Option<String>,
    /// A variable that fields may name, or that a model provider needs, such as OPENAI_API_KEY. Others are looked up
    /// in the environment (repeat for several)
    #[arg(long = "var", value_name = "NAME=VALUE")]
    vars: Vec<String>,
    /// A file that goes with the input (repeat for several)
    #[arg(long = "file", value_name = "FILE")]
    files: Vec<String>,
    /// Run only this node and what it needs
    #[arg(long, value_name = "NODE")]
    up_to: Option<String>,
    /// Stop after so many seconds
    #[arg(long, default_value_t = 300, value_name = "SECONDS")]
    timeout: u64,
}

#[derive(Args)]
pub struct ValidateArgs {
    /// Flows: files, - or starter:NAME
    #[arg(required = true)]
    flows: Vec<PathBuf>,
    /// Print the problems as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub struct GraphArgs {
    /// A flow: a file, - or starter:NAME
    flow: PathBuf,
}

#[derive(Args)]
pub struct DiffArgs {
    /// The older flow
    before: PathBuf,
    /// The newer flow
    after: PathBuf,
    /// Print the changes as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub struct FmtArgs {
    /// Flows: files, - or starter:NAME; without --write the text goes to standard output
    #[arg(required = true)]
    flows: Vec<PathBuf>,
    /// Write the result back into the file
    #[arg(long, short)]
    write: bool,
    /// Only tell which files are not formatted; fails if there are any
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Turn the text form back into the JSON that Langflow reads
    #[arg(long, conflicts_with = "check")]
    to_json: bool,
}

#[derive(Subcommand)]
pub enum ComponentsCommand {
    /// List every component
    List {
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the fields, outputs and help of a component
    Describe {
        /// Its type or name
        name: String,
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Subcommand)]
pub enum StartersCommand {
    /// List them
    List {
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print one as a flow's file
    Show {
        /// As `ferroflow starters list` calls it
        name: String,
    },
}

/// A flow from a file.
pub struct FlowFile {
    pub name: String,
    pub id: Option<uuid::Uuid>,
    pub data: FlowData,
}

/// What of a flow's file matters here.
#[derive(Deserialize)]
struct Contents<'a> {
    #[serde(default, borrow)]
    name: Option<&'a RawValue>,
    #[serde(default, borrow)]
    id: Option<&'a RawValue>,
    #[serde(default, borrow)]
    data: Option<&'a RawValue>,
    #[serde(default, borrow)]
    flows: Option<&'a RawValue>,
}

/// The text of a flow, wherever it is kept.
fn text_of(path: &Path) -> anyhow::Result<String> {
    let shown = path.display();
    if path.as_os_str() == "-" {
        return std::io::read_to_string(std::io::stdin()).context("standard input cannot be read");
    }
    if let Some(name) = path.to_str().and_then(|path| path.strip_prefix("starter:")) {
        return Ok(starter(name)?.export());
    }
    std::fs::read_to_string(path).with_context(|| {
        let known = starters::slugs().find(|slug| path.as_os_str() == *slug);
        let hint = known.map_or_else(String::new, |slug| format!(" (did you mean starter:{slug}?)"));
        format!("{shown} cannot be read{hint}")
    })
}

/// Reads any form a flow is kept in.
fn read(path: &Path) -> anyhow::Result<FlowFile> {
    let shown = path.display();
    let text = text_of(path)?;
    // The text form is JSON too; plain JSON is its own text form.
    let text = text_form::parse(&text).with_context(|| format!("{shown} is not a flow"))?;
    if !text.starts_with('{') {
        bail!("{shown} is not a flow: a flow is one JSON object");
    }
    let contents: Contents<'_> =
        serde_json::from_str(&text).with_context(|| format!("{shown} is not a flow"))?;
    let document = match contents.data.map(RawValue::get) {
        Some(data) if data.starts_with('{') => data,
        Some(_) => bail!("{shown} has no document: `data` is not an object"),
        None if contents.flows.is_some() => {
            bail!("{shown} holds several flows; save each in a file of its own")
        }
        None => &text,
    };
    let data = FlowData::parse(document).with_context(|| format!("{shown} is not a flow"))?;
    let said =
        |value: Option<&RawValue>| value.and_then(|value| serde_json::from_str::<String>(value.get()).ok());
    let stem = || {
        path.file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default()
    };
    Ok(FlowFile {
        name: said(contents.name).unwrap_or_else(stem),
        id: said(contents.id).and_then(|id| id.parse().ok()),
        data,
    })
}

/// Prints to standard output. A reader that has had enough, such as `head`, is no failure.
fn say(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(error).context("nothing can be printed")
        }
        _ => Ok(()),
    }
}

fn say_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    say(&format!("{}\n", serde_json::to_string_pretty(value)?))
}

fn starter(name: &str) -> anyhow::Result<Starter> {
    let catalog = catalog(&AddressPolicy::default(), &Python::default())?;
    match starters::find(&catalog, name) {
        Some(starter) => starter,
        None => bail!(
            "there is no starter `{name}`; there are {}",
            starters::slugs().collect::<Vec<_>>().join(", ")
        ),
    }
}

/// No worker starts before some flow runs Python.
fn catalog(policy: &AddressPolicy, python: &Python) -> anyhow::Result<Arc<Catalog>> {
    let net = ferro_net::Client::new(policy.clone())?;
    let mut shared = ferro_components::Shared::new(net);
    if !std::io::stdout().is_terminal() {
        // Nobody reads along.
        shared.models = shared.models.with_rehearsal_pace(Duration::ZERO);
    }
    let workers = ferro_python::Workers::new(python.settings()?);
    Ok(Arc::new(ferro_components::catalog(
        &shared,
        Some(Arc::new(workers)),
    )))
}
