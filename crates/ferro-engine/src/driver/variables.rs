//! Global variables, asked for when a node runs that names them.

use std::sync::Arc;

use crate::call::Call;
use crate::context::{Sink as _, VARIABLE};
use crate::event::{Body, Kept};
use crate::failure::Failure;
use crate::journal::Journal;
use crate::plan::VariableField;
use crate::value::Value;

/// Puts the values of variables into the fields that name them, and into no others.
pub(super) async fn with_variables(
    named: impl Iterator<Item = &VariableField>,
    mut call: Call,
    journal: &Journal,
) -> Result<Call, Failure> {
    for wanted in named {
        if call.is_set(&wanted.field) {
            continue;
        }
        let (field, name) = (&wanted.field, &wanted.variable);
        let found = call.cx.host.variable(name).await?;
        let Some(variable) = found else {
            if wanted.lenient {
                call.absent.push((Arc::clone(field), name.clone()));
                continue;
            }
            return Err(
                Failure::input(field, format!("there is no variable `{name}`")).advice(format!(
                    "Make it in Settings › Variables, or choose another for {}.",
                    call.label(field)
                )),
            );
        };
        if variable.secret && !wanted.password {
            return Err(Failure::input(
                field,
                format!(
                    "`{name}` is a credential, and {} would show it",
                    call.label(field)
                ),
            )
            .advice("Use a generic variable here, or put the credential into a password field."));
        }
        let secret = variable.secret || wanted.password;
        if secret {
            journal.hide(&variable.value);
        }
        journal.emit(Body::VariableRead {
            at: call.cx.doer(),
            field: Some(field.to_string()),
            name: name.clone(),
            value: (!secret).then(|| Kept::new(variable.value.clone(), VARIABLE)),
        });
        call.overrides
            .push((Arc::clone(field), Value::plain(variable.value)));
    }
    Ok(call)
}
