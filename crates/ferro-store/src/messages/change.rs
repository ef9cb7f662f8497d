//! Changing a message that is there.

use crate::{messages::MessageRecord, text::clean};

/// What to change; `None` leaves a thing as it is.
#[derive(Clone, Debug, Default)]
pub struct MessageChange {
    pub text: Option<String>,
    pub sender: Option<String>,
    pub sender_name: Option<String>,
    pub session_id: Option<String>,
    pub context_id: Option<Option<String>>,
    pub files: Option<String>,
    pub error: Option<bool>,
    pub edit: Option<bool>,
    pub properties: Option<String>,
    pub category: Option<String>,
    pub content_blocks: Option<String>,
    pub session_metadata: Option<Option<String>>,
    pub duration_ms: Option<i64>,
}

impl MessageChange {
    /// A text that is not the same makes it an edited message, whatever else was asked.
    pub(super) fn apply(self, message: &mut MessageRecord) {
        let edits = self.text.as_ref().is_some_and(|text| clean(text) != message.text);
        set(&mut message.text, self.text);
        set(&mut message.sender, self.sender);
        set(&mut message.sender_name, self.sender_name);
        set(&mut message.session_id, self.session_id);
        set(&mut message.context_id, self.context_id);
        set(&mut message.files, self.files);
        set(&mut message.error, self.error);
        set(&mut message.edit, if edits { Some(true) } else { self.edit });
        set(&mut message.properties, self.properties);
        set(&mut message.category, self.category);
        set(&mut message.content_blocks, self.content_blocks);
        set(&mut message.session_metadata, self.session_metadata);
        set(&mut message.duration_ms, self.duration_ms.map(Some));
        message.clean();
    }
}

fn set<T>(field: &mut T, wanted: Option<T>) {
    if let Some(wanted) = wanted {
        *field = wanted;
    }
}
