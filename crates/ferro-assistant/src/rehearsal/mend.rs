//! Mending a flow that did not pass its proof, where a rule knows how.

use serde_json::json;

use super::ask::Ask;
use super::said::{Lang, fold};
use super::tape::{Step, Tape};

/// What can be said of the findings: a model that is missing is set, everything else is left as it is and said.
pub(super) fn mend(tape: &mut Tape<'_>, ask: &Ask, findings: &str) -> Step<String> {
    let folded = fold(findings);
    let model = folded.contains("no model")
        || folded.contains("missing a provider")
        || folded.contains("model selected");
    // Which node it is, the findings say.
    let node = tape.ids().into_iter().find(|id| findings.contains(id.as_str()));
    if model
        && let (Some(node), Some((provider, name))) =
            (node, ask.default_model.as_ref().or(tape.default_model.as_ref()))
    {
        let value = json!([{"provider": provider, "name": name}]);
        let (provider, name) = (provider.clone(), name.clone());
        let heard = tape.call(
            "configure_component",
            &[
                ("component_id", json!(node)),
                ("params", json!({ "model": value })),
            ],
        )?;
        if !heard.failed {
            return Ok(match ask.lang {
                Lang::En => format!("Set the model of {node} to {provider} / {name}."),
                Lang::Pt => format!("Modelo de {node} definido como {provider} / {name}."),
            });
        }
    }
    let short: String = findings.trim().chars().take(300).collect();
    Ok(match ask.lang {
        Lang::En => format!("I know no rule to mend this, so I leave the flow as it is: {short}"),
        Lang::Pt => {
            format!("Não conheço uma regra para consertar isto, então deixo o fluxo como está: {short}")
        }
    })
}
