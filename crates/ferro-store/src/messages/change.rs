//! Changing a message that is there.

use crate::{
    FlowId, MessageId, Principal, Store, UserId,
    db::{dual, record},
    error::{Result, StoreError},
    messages::{MessageRecord, columns},
    runs::clean_in_place,
};

/// What to change; `None` leaves a thing as it is. A text that is not the same makes it an edited message, whatever else was
/// asked.
#[derive(Clone, Debug, Default)]
pub struct MessageChange {
    /// Only if it is a message of this flow.
    pub of_flow: Option<FlowId>,
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
    fn clean(&mut self) {
        for text in [
            &mut self.text,
            &mut self.sender,
            &mut self.sender_name,
            &mut self.session_id,
            &mut self.files,
            &mut self.properties,
            &mut self.category,
            &mut self.content_blocks,
        ] {
            text.as_mut().map(clean_in_place);
        }
        for text in [&mut self.context_id, &mut self.session_metadata] {
            text.iter_mut().flatten().for_each(clean_in_place);
        }
    }
}

impl Store {
    pub async fn change_message(
        &self,
        by: &Principal,
        id: MessageId,
        mut change: MessageChange,
    ) -> Result<MessageRecord> {
        let owner = by.owner()?;
        change.clean();
        record!(self, update(owner, id, change))
    }
}

dual! {
    async fn update(c, owner: UserId, id: MessageId, change: MessageChange) -> Result<MessageRecord> {
        // One statement, so that it never writes back what a run or another change has replaced meanwhile.
        sqlx::query_as::<Db, MessageRecord>(concat!(
            "UPDATE messages SET text = COALESCE($3, text), sender = COALESCE($4, sender),
             sender_name = COALESCE($5, sender_name), session_id = COALESCE($6, session_id),
             context_id = CASE WHEN $7 THEN $8 ELSE context_id END, files = COALESCE($9, files),
             error = COALESCE($10, error), edit = CASE WHEN $3 <> text THEN TRUE ELSE COALESCE($11, edit) END,
             properties = COALESCE($12, properties), category = COALESCE($13, category),
             content_blocks = COALESCE($14, content_blocks),
             session_metadata = CASE WHEN $15 THEN $16 ELSE session_metadata END,
             duration_ms = COALESCE($17, duration_ms)
             WHERE id = $1 AND user_id = $2 AND ($18 IS NULL OR flow_id = $18) RETURNING ", columns!()
        ))
        .bind(id)
        .bind(owner)
        .bind(change.text)
        .bind(change.sender)
        .bind(change.sender_name)
        .bind(change.session_id)
        .bind(change.context_id.is_some())
        .bind(change.context_id.flatten())
        .bind(change.files)
        .bind(change.error)
        .bind(change.edit)
        .bind(change.properties)
        .bind(change.category)
        .bind(change.content_blocks)
        .bind(change.session_metadata.is_some())
        .bind(change.session_metadata.flatten())
        .bind(change.duration_ms)
        .bind(change.of_flow)
        .fetch_optional(c)
        .await?
        .ok_or(StoreError::NotFound("message"))
    }
}
