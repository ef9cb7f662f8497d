//! Code that the assistant wrote: what can be said without running it, then a worker tries it out.

use ferro_assistant::{Invalid, Validated};
use ferro_python::NoHost;
use serde_json::json;

use crate::app::user_components::check_class_name;
use crate::app::{custom_components, python, user_components};
use crate::error::AppError;
use crate::http::identity::Actor;
use crate::state::App;

pub async fn validate(app: &App, actor: &Actor, code: &str) -> Result<Validated, Invalid> {
    if let Some(why) = python::barred(app, actor.principal()) {
        return Err(Invalid {
            message: why.to_owned(),
            class_name: None,
            r#unsafe: false,
            hopeless: true,
        });
    }
    let code = custom_components::without_mark(code);
    let looked = python::look(code).await.map_err(|error| told(&error, None))?;
    let class = looked.class_name.clone();
    // Once more in full: what is unsafe is written down on the way.
    if let Err(error) = python::check(app, actor, code).await {
        return Err(Invalid {
            r#unsafe: python::is_unsafe(&looked),
            ..told(&error, class)
        });
    }
    let name = class.clone().unwrap_or_default();
    check_class_name(&name).map_err(|error| told(&error, class.clone()))?;
    if app.runs.catalog.registry().canonical(&name).is_some() {
        return Err(Invalid {
            message: format!("there is a built-in component called {name}. Give the class another name."),
            class_name: class,
            r#unsafe: false,
            hopeless: false,
        });
    }
    if user_components::is_persons(app, actor.user.id, &name).await {
        return Err(Invalid {
            message: format!(
                "the person keeps a component called {name} of their own, which is not written over. Give the class another name."
            ),
            class_name: class,
            r#unsafe: false,
            hopeless: false,
        });
    }
    let tried = try_out(app, actor, &name, code).await;
    tried.map_err(|error| told(&error, class))?;
    Ok(Validated { class_name: name })
}

async fn try_out(app: &App, actor: &Actor, class: &str, code: &str) -> Result<(), AppError> {
    let description = python::describe(app, actor, code).await?;
    custom_components::fresh(code, &description)?;
    if description["class_name"] != class {
        return Err(AppError::invalid_component(format!(
            "the class is called {class} in the code, but gives itself another name"
        )));
    }
    let request = json!({ "do": "probe", "code": code });
    python::ask(app, actor, &request, &NoHost).await?;
    Ok(())
}

fn told(error: &AppError, class_name: Option<String>) -> Invalid {
    Invalid {
        message: error.said().to_owned(),
        class_name,
        r#unsafe: false,
        // No other code would do better on a server that has no worker, or no time.
        hopeless: error.is_internal() || error.is_throttled(),
    }
}
