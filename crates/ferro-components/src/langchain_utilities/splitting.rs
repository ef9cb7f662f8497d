//! What the splitters share: their fields, and objects cut into objects.

use ferro_engine::{Call, Data, Failure, Outcome, Outputs};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::Value as Json;

use crate::text::fields::{count, list, objects};
use crate::text::split::Sizes;

/// A splitter with its sizes, its input and its output; what is special to it follows.
pub(super) fn splitter(r#type: &str, name: &str) -> Descriptor {
    Descriptor::new(r#type, name)
        .category("langchain_utilities")
        .icon("scissors")
        .field(FieldSpec::int("chunk_size", "Chunk Size", 1000).info("Characters a chunk may have."))
        .field(
            FieldSpec::int("chunk_overlap", "Chunk Overlap", 200).info("Characters that chunks may share."),
        )
        .field(
            FieldSpec::handle("data_input", "Input", &["Document", "Data", "JSON"])
                .required()
                .list()
                .info("Texts to cut."),
        )
        .output(OutputSpec::new("data", "Data", "transform_data", &["JSON"]))
}

/// Cuts the text of every object. Chunks keep the other keys of their source.
pub(super) fn transform(
    call: &Call,
    cut: impl Fn(&str, Sizes) -> Result<Vec<String>, Failure>,
) -> Result<Outcome, Failure> {
    let sizes = Sizes::new(
        count(call, "chunk_size", 1000, 1)?,
        count(call, "chunk_overlap", 200, 0)?,
    )?;
    let mut chunks = Vec::new();
    for data in objects(call, "data_input")? {
        let text = data.text().into_owned();
        for chunk in cut(&text, sizes)? {
            let mut piece = Data {
                map: data.map.clone(),
                text_key: data.text_key.clone(),
            };
            piece
                .map
                .insert(data.text_key.clone().into_owned(), Json::String(chunk));
            chunks.push(piece);
        }
    }
    Ok(Outputs::one("data", list(chunks)))
}
