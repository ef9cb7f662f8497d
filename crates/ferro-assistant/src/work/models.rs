//! Which model a node of the flow gets: always one that this person can really ask.

use ferro_model::model_value::{self, ModelRef, ModelValueError};
use serde_json::{Value as Json, json};

use super::Rules;
use crate::host::Available;

/// A value for a field that holds a model, and what to say when it is not the one that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settled {
    pub value: Json,
    pub note: Option<String>,
}

impl Settled {
    fn plain(value: Json) -> Self {
        Self { value, note: None }
    }

    fn instead_of(wanted: &ModelRef, value: Json) -> Self {
        let name = if wanted.name.is_empty() {
            "it"
        } else {
            &wanted.name
        };
        let taken = |key: &str| {
            value
                .pointer(&format!("/0/{key}"))
                .and_then(Json::as_str)
                .unwrap_or_default()
        };
        let why = if wanted.provider.is_empty() {
            format!("No provider that is set up has a model {name}")
        } else {
            format!(
                "{} is not set up for this person, so {name} cannot be used",
                wanted.provider
            )
        };
        let note = format!(
            "{why}; {} of {} was taken instead. Say so.",
            taken("name"),
            taken("provider")
        );
        Self {
            note: Some(note),
            value,
        }
    }
}

impl Rules {
    /// For nodes that name no model: what the person asked for, else the model of the turn.
    pub(crate) fn usual_model(&self) -> Settled {
        let own = || value(&self.model.0, &self.model.1);
        let Some((provider, name)) = &self.requested else {
            return Settled::plain(own());
        };
        let wanted = ModelRef {
            provider: provider.clone().unwrap_or_default(),
            name: name.clone(),
        };
        match self.find(&wanted) {
            Some((provider, name)) => Settled::plain(value(&provider, &name)),
            None => Settled::instead_of(&wanted, own()),
        }
    }

    /// The value for a model field; `None` for what says that the model comes by wire.
    pub(crate) fn settle(&self, wanted: &Json) -> Result<Option<Settled>, ModelValueError> {
        let models = match model_value::parse(wanted) {
            Ok(models) => models,
            Err(ModelValueError::ByWire) => return Ok(None),
            Err(ModelValueError::Empty) => Vec::new(),
            Err(error) => return Err(error),
        };
        let Some(wanted) = models.first() else {
            return Ok(Some(self.usual_model()));
        };
        Ok(Some(match self.find(wanted) {
            Some((provider, name)) => Settled::plain(value(&provider, &name)),
            None => Settled::instead_of(wanted, self.usual_model().value),
        }))
    }

    /// Whether the value names a provider this person can use.
    pub(crate) fn can_ask(&self, value: &Json) -> bool {
        match model_value::parse(value) {
            Ok(models) => models.first().is_some_and(|model| self.find(model).is_some()),
            Err(error) => error == ModelValueError::ByWire,
        }
    }

    /// The model among those there are, spelt as they are.
    fn find(&self, wanted: &ModelRef) -> Option<(String, String)> {
        if wanted.provider.is_empty() {
            // The provider of the turn goes first where several have a model of that name.
            let own = self.available.iter().filter(|one| one.provider == self.model.0);
            let all = own.chain(&self.available);
            let found = all
                .clone()
                .find_map(|one| Some((one, listed(one, &wanted.name)?)));
            let found = found.or_else(|| {
                all.clone()
                    .find_map(|one| Some((one, of_family(one, &wanted.name)?)))
            });
            if let Some((one, name)) = found {
                return Some((one.provider.clone(), name));
            }
            return (plain(&wanted.name) == plain(&self.model.1)).then(|| self.model.clone());
        }
        let same = |one: &&Available| plain(&one.provider) == plain(&wanted.provider);
        if let Some(one) = self.available.iter().find(same) {
            let name = listed(one, &wanted.name).or_else(|| of_family(one, &wanted.name));
            // A model that is not in the list may still exist: lists are older than models. `Claude` alone is none.
            let is_model = wanted.name.contains(|letter: char| letter.is_ascii_digit());
            let unlisted = || match one.models.first() {
                Some(first) if !is_model => first.clone(),
                _ => wanted.name.clone(),
            };
            return Some((one.provider.clone(), name.unwrap_or_else(unlisted)));
        }
        (plain(&self.model.0) == plain(&wanted.provider)).then(|| (self.model.0.clone(), wanted.name.clone()))
    }
}

fn listed(one: &Available, name: &str) -> Option<String> {
    let wanted = plain(name);
    one.models.iter().find(|known| plain(known) == wanted).cloned()
}

/// The best model of a family people name: `Claude`, `sonnet`, `gpt`. Nothing for the name of one model.
fn of_family(one: &Available, name: &str) -> Option<String> {
    let wanted = plain(name);
    let family = wanted.chars().count() >= 3 && wanted.chars().all(char::is_alphabetic);
    one.models
        .iter()
        .find(|known| family && plain(known).contains(&wanted))
        .cloned()
}

/// `GPT 4o`, `gpt-4o` and `openai/gpt-4o` are not told apart by people; the last is, since it is another provider's.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| !matches!(letter, ' ' | '-' | '_'));
    letters.flat_map(char::to_lowercase).collect()
}

fn value(provider: &str, name: &str) -> Json {
    json!([{ "provider": provider, "name": name }])
}
