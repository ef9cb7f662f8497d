//! The three ways in which the older loaders are given something: a file, a path, or the text itself.

use ferro_engine::{Call, Failure};

use crate::documents::decode;
use crate::files_and_knowledge::paths_in;
use crate::wait::unless_stopped;

/// The text of the one source that is filled in.
pub(super) async fn text(call: &Call, kind: &str) -> Result<String, Failure> {
    let [file, path, string] = ["file", "path", "string"].map(|end| format!("{kind}_{end}"));
    let files = paths_in(call, &file);
    let (path_text, string_text) = (call.text(&path), call.text(&string));
    let sources = [
        !files.is_empty(),
        !path_text.trim().is_empty(),
        !string_text.trim().is_empty(),
    ];
    match sources {
        [true, false, false] => read(call, &files[0]).await,
        [false, true, false] => read(call, path_text.trim()).await,
        [false, false, true] => Ok(string_text),
        [false, false, false] => Err(Failure::input(&string, "There is nothing to load")
            .advice("Give a file, a path or the text itself.")),
        _ => Err(Failure::input(&string, "There is more than one source")
            .advice("Give only one of file, path and text.")),
    }
}

async fn read(call: &Call, path: &str) -> Result<String, Failure> {
    let file = unless_stopped(&call.cx, call.cx.host.read_file(path)).await?;
    if file.bytes.len() > crate::documents::MAX_BYTES {
        return Err(Failure::limit(format!("{:?} is too large to be loaded", file.name)).advice("Split it."));
    }
    Ok(decode::text(&file.bytes, None))
}
