//! Tools that Python code makes: each call makes them anew and uses the one of that name.

use std::sync::Arc;

use ferro_engine::{Called, Context, Failure, Tool, Value};
use serde_json::{Map, Value as Json, json};

use super::desk::Desk;
use super::given::Given;
use super::node::{Code, ask, context};
use super::read::{Reader, Told};
use super::wire::Tables;

/// One of the tools in this output.
pub(super) fn tool(code: &Arc<Code>, desk: &Desk, output: &str, told: Told) -> Tool {
    let maker = Arc::new(Maker {
        code: Arc::clone(code),
        call: desk.call.clone(),
        given: Arc::clone(&desk.given),
        output: output.to_owned(),
        name: told.name.clone(),
    });
    Tool {
        name: told.name,
        description: told.description,
        schema: told.schema,
        approval: false,
        call: Arc::new(move |arguments, caller| {
            let maker = Arc::clone(&maker);
            Box::pin(async move { maker.use_it(arguments, caller).await })
        }),
    }
}

struct Maker {
    code: Arc<Code>,
    call: ferro_engine::Call,
    given: Arc<Given>,
    output: String,
    name: String,
}

impl Maker {
    async fn use_it(&self, arguments: Map<String, Json>, caller: Option<Context>) -> Result<Called, Failure> {
        let mut call = self.call.clone();
        if let Some(caller) = caller {
            call.cx.act_for(&caller);
        }
        let arguments = Value::Plain(Arc::new(Json::Object(arguments)));
        let request = json!({
            "do": "tool",
            "code": self.code.source,
            "fields": self.given.fields,
            "output": self.output,
            "tool": self.name,
            "arguments": Tables::default().write(&arguments)?,
            "context": context(&call),
        });
        let desk = Desk::new(call, Arc::clone(&self.given), self.code.nodes.net.clone());
        let mut answer = match ask(&self.code.nodes, &request, &desk).await {
            Ok(answer) => answer,
            Err(failure) => {
                // A model is told of it, and the chat shows it.
                let failure = desk.call.cx.masked(failure);
                desk.break_off(&failure);
                return Err(failure);
            }
        };
        let reader = Reader {
            tables: &desk.given.tables,
            message: &|name| desk.message_id(name),
            tool: &|told| tool(&self.code, &desk, &self.output, told),
        };
        let value = reader.value(answer.get_mut("value").map(Json::take).unwrap_or_default());
        desk.finish(&std::collections::HashSet::new());
        Ok(Called {
            value,
            usage: desk.usage(),
        })
    }
}
