//! Whether a call may run: the tool is known, the arguments can be read and fit, it has not failed again and again.

use std::sync::Arc;

use ferro_llm::{ToolCall, ToolSpec};
use serde_json::{Map, Value as Json};

use crate::schema;
use crate::state::AgentState;
use crate::tool::{Tool, Toolbox};

/// A call that failed so often with the very same arguments is not tried again.
const SAME_FAILURES: u32 = 3;
/// So much of a name that nobody knows is shown.
const SHOWN: usize = 500;

/// A tool, and arguments that fit it.
pub(crate) type Fitting = (Arc<dyn Tool>, Map<String, Json>);

/// Why a call does not run.
pub(crate) struct Refused {
    pub message: String,
    /// The model wrote it in a way that cannot be read.
    pub malformed: bool,
}

/// The arguments as an object. Nothing at all means no arguments; a text that holds the object counts as it.
pub(crate) fn read(call: &ToolCall) -> Result<Map<String, Json>, String> {
    let text = call.arguments.trim();
    if text.is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str(text) {
        Ok(Json::Object(map)) => Ok(map),
        Ok(Json::Null) => Ok(Map::new()),
        Ok(Json::String(inner)) => {
            serde_json::from_str(&inner).map_err(|_| "the arguments are a text, not a JSON object".to_owned())
        }
        Ok(_) => Err("the arguments are not a JSON object".to_owned()),
        Err(error) => Err(format!("the arguments are not JSON ({error})")),
    }
}

pub(crate) fn check(
    state: &AgentState,
    toolbox: &Toolbox,
    call: &ToolCall,
    read: Result<Map<String, Json>, String>,
) -> Result<Fitting, Refused> {
    // Whether there is such a tool comes first: the arguments of one that does not exist are of no use.
    known(toolbox, &call.name)?;
    let arguments = read.map_err(|problem| Refused {
        message: format!(
            "The call was not made: {problem}. Call `{}` again with a JSON object that fits its schema.",
            call.name
        ),
        malformed: true,
    })?;
    let (tool, arguments) = fitting(toolbox, &call.name, arguments)?;
    if state.times_failed(&call.name, &arguments) >= SAME_FAILURES {
        return Err(Refused {
            message: format!(
                "The call was not made: with these arguments it has failed {SAME_FAILURES} times. Try something else, \
                 or answer with what you know."
            ),
            malformed: false,
        });
    }
    Ok((tool, arguments))
}

fn known<'t>(toolbox: &'t Toolbox, name: &str) -> Result<&'t (ToolSpec, Arc<dyn Tool>), Refused> {
    toolbox.get(name).ok_or_else(|| {
        let shown = shortened(name.to_owned(), SHOWN);
        let message = if toolbox.is_empty() {
            format!("There is no tool `{shown}`; there are no tools at all. Answer without.")
        } else {
            format!("There is no tool `{shown}`. The tools are: {}.", toolbox.names())
        };
        Refused {
            message,
            malformed: false,
        }
    })
}

/// The tool, and the arguments bent to its schema.
pub(crate) fn fitting(
    toolbox: &Toolbox,
    name: &str,
    arguments: Map<String, Json>,
) -> Result<Fitting, Refused> {
    let (spec, tool) = known(toolbox, name)?;
    let mut value = Json::Object(arguments);
    schema::coerce(&spec.schema, &mut value);
    let found = schema::problems(&spec.schema, &value);
    match value {
        Json::Object(arguments) if found.is_empty() => Ok((Arc::clone(tool), arguments)),
        _ => Err(Refused {
            message: format!(
                "The call was not made: the arguments do not fit: {}. Call `{name}` again with arguments that fit.",
                found.join("; ")
            ),
            malformed: true,
        }),
    }
}

/// The beginning of a text, with a note of what is missing.
pub(crate) fn shortened(mut text: String, most: usize) -> String {
    if text.len() <= most {
        return text;
    }
    let Some((end, _)) = text.char_indices().nth(most) else {
        return text;
    };
    let whole = text.chars().count();
    text.truncate(end);
    text.push_str(&format!(
        "\n[Cut: these are the first {most} of {whole} characters.]"
    ));
    text
}
