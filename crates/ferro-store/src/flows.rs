//! Flows: what they are called and allowed, apart from the document that says what they do.

pub(crate) mod changes;

use std::collections::HashMap;

use sqlx::FromRow;

use crate::{
    FlowId, Packed, Page, Principal, ProjectId, Store, Timestamp, UserId, Window,
    db::{dual, read, write},
    error::{Result, StoreError},
    names::containing,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "UPPERCASE")]
pub enum Access {
    Private,
    Public,
}

/// Everything but the document.
#[derive(Clone, Debug, FromRow)]
pub struct FlowHeader {
    pub id: FlowId,
    pub user_id: UserId,
    pub folder_id: ProjectId,
    pub name: String,
    pub description: Option<String>,
    pub endpoint_name: Option<String>,
    pub icon: Option<String>,
    pub icon_bg_color: Option<String>,
    pub gradient: Option<String>,
    /// JSON array of strings, or `null`.
    pub tags: String,
    pub locked: bool,
    pub is_component: bool,
    pub webhook: bool,
    pub mcp_enabled: bool,
    pub action_name: Option<String>,
    pub action_description: Option<String>,
    pub access_type: Access,
    pub flow_type: String,
    pub a2a_enabled: bool,
    /// JSON object of the fields there is no column for.
    pub extra: String,
    pub node_count: i64,
    pub edge_count: i64,
    pub note_count: i64,
    /// Counts the changes; what `ETag` and `If-Match` speak of.
    pub revision: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Clone, Debug)]
pub struct Flow {
    pub header: FlowHeader,
    /// The document's exact text, or `None` for a flow that has none yet.
    pub data: Option<String>,
}

/// The document of a flow and what was counted in it.
#[derive(Clone, Debug)]
pub struct Document {
    pub text: Packed,
    pub node_count: i64,
    pub edge_count: i64,
    pub note_count: i64,
    pub webhook: bool,
}

#[derive(Clone, Debug)]
pub struct NewFlow {
    /// Kept if it is free; otherwise the flow gets a new one.
    pub id: Option<FlowId>,
    pub folder_id: ProjectId,
    pub name: String,
    pub description: Option<String>,
    pub endpoint_name: Option<String>,
    pub icon: Option<String>,
    pub icon_bg_color: Option<String>,
    pub gradient: Option<String>,
    pub tags: String,
    pub locked: bool,
    pub is_component: bool,
    pub mcp_enabled: bool,
    pub action_name: Option<String>,
    pub action_description: Option<String>,
    pub access_type: Access,
    pub flow_type: String,
    pub a2a_enabled: bool,
    pub extra: String,
    pub data: Option<Document>,
}

/// What to change; `None` leaves a thing as it is.
#[derive(Clone, Debug, Default)]
pub struct FlowChange {
    pub folder_id: Option<ProjectId>,
    pub name: Option<String>,
    pub description: Option<Option<String>>,
    pub endpoint_name: Option<Option<String>>,
    pub icon: Option<Option<String>>,
    pub icon_bg_color: Option<Option<String>>,
    pub gradient: Option<Option<String>>,
    pub tags: Option<String>,
    pub locked: Option<bool>,
    pub is_component: Option<bool>,
    pub mcp_enabled: Option<bool>,
    pub action_name: Option<Option<String>>,
    pub action_description: Option<Option<String>>,
    pub access_type: Option<Access>,
    pub flow_type: Option<String>,
    pub a2a_enabled: Option<bool>,
    pub extra: Option<String>,
    pub data: Option<Document>,
}

impl FlowChange {
    /// Nothing but the document: what saving on the canvas sends, over and over.
    pub(crate) fn only_data(&self) -> bool {
        // Every field by name: one that is added later must be thought of here.
        let Self {
            folder_id,
            name,
            description,
            endpoint_name,
            icon,
            icon_bg_color,
            gradient,
            tags,
            locked,
            is_component,
            mcp_enabled,
            action_name,
            action_description,
            access_type,
            flow_type,
            a2a_enabled,
            extra,
            data,
        } = self;
        data.is_some()
            && folder_id.is_none()
            && name.is_none()
            && [
                description,
                endpoint_name,
                icon,
                icon_bg_color,
                gradient,
                action_name,
                action_description,
            ]
            .iter()
            .all(|field| field.is_none())
            && [locked, is_component, mcp_enabled, a2a_enabled]
                .iter()
                .all(|field| field.is_none())
            && access_type.is_none()
            && [tags, flow_type, extra].iter().all(|field| field.is_none())
    }
}

#[derive(Clone, Debug, Default)]
pub struct FlowFilter {
    pub folder_id: Option<ProjectId>,
    pub is_component: Option<bool>,
    pub flow_type: Option<String>,
    pub search: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlowOrder {
    #[default]
    UpdatedLast,
    UpdatedFirst,
    CreatedLast,
    CreatedFirst,
    NameUp,
    NameDown,
}

macro_rules! columns {
    () => {
        "id, user_id, folder_id, name, description, endpoint_name, icon, icon_bg_color, gradient, tags, \
         locked, is_component, webhook, mcp_enabled, action_name, action_description, access_type, flow_type, \
         a2a_enabled, extra, node_count, edge_count, note_count, revision, created_at, updated_at"
    };
}
pub(crate) use columns;

macro_rules! where_listed {
    () => {
        r" FROM flows f WHERE f.user_id = $1 AND f.deleted_at IS NULL
           AND ($2 IS NULL OR f.folder_id = $2) AND ($3 IS NULL OR f.is_component = $3)
           AND ($4 IS NULL OR f.flow_type = $4) AND ($5 IS NULL OR f.search_text LIKE $5 ESCAPE '\') "
    };
}

macro_rules! listed_by {
    ($order:literal) => {
        [
            concat!(
                "SELECT ",
                columns!(),
                where_listed!(),
                "ORDER BY ",
                $order,
                " LIMIT $6 OFFSET $7"
            ),
            concat!(
                "SELECT flow_id, data FROM flow_data WHERE flow_id IN (SELECT f.id",
                where_listed!(),
                "ORDER BY ",
                $order,
                " LIMIT $6 OFFSET $7)"
            ),
        ]
    };
}

/// The statements for a list's headers and for their documents.
fn list_statements(order: FlowOrder) -> [&'static str; 2] {
    match order {
        FlowOrder::UpdatedLast => listed_by!("f.updated_at DESC, f.id DESC"),
        FlowOrder::UpdatedFirst => listed_by!("f.updated_at, f.id"),
        FlowOrder::CreatedLast => listed_by!("f.created_at DESC, f.id DESC"),
        FlowOrder::CreatedFirst => listed_by!("f.created_at, f.id"),
        FlowOrder::NameUp => listed_by!("lower(f.name), f.id"),
        FlowOrder::NameDown => listed_by!("lower(f.name) DESC, f.id DESC"),
    }
}

impl Store {
    pub async fn flow(&self, by: &Principal, id: FlowId) -> Result<Flow> {
        let owner = by.owner()?;
        read!(self, by_id(owner, id))
    }

    /// By the name it has in addresses.
    pub async fn flow_by_endpoint(&self, by: &Principal, endpoint_name: &str) -> Result<Flow> {
        let owner = by.owner()?;
        read!(self, by_endpoint(owner, endpoint_name))
    }

    pub async fn flow_header(&self, by: &Principal, id: FlowId) -> Result<FlowHeader> {
        let owner = by.owner()?;
        read!(self, header_by_id(owner, id))
    }

    /// Open to anyone, if its owner made it public.
    pub async fn public_flow(&self, _by: &Principal, id: FlowId) -> Result<Flow> {
        read!(self, public_by_id(id))
    }

    /// Several flows with their documents, in the order asked for. One that is missing fails the whole.
    pub async fn flows_by_id(&self, by: &Principal, ids: &[FlowId]) -> Result<Vec<Flow>> {
        let owner = by.owner()?;
        read!(self, by_ids(owner, ids))
    }

    pub async fn flow_headers(
        &self,
        by: &Principal,
        filter: FlowFilter,
        order: FlowOrder,
        window: Window,
    ) -> Result<Page<FlowHeader>> {
        let owner = by.owner()?;
        read!(self, list(owner, &filter, order, window))
    }

    /// As `flow_headers`, with the documents.
    pub async fn flows(
        &self,
        by: &Principal,
        filter: FlowFilter,
        order: FlowOrder,
        window: Window,
    ) -> Result<Page<Flow>> {
        let owner = by.owner()?;
        read!(self, list_whole(owner, &filter, order, window))
    }

    /// All of them or none. Names and endpoint names that are taken get a number.
    pub async fn create_flows(&self, by: &Principal, new: Vec<NewFlow>) -> Result<Vec<FlowHeader>> {
        use changes::{postgres, sqlite};
        let owner = by.owner()?;
        write!(self, insert_all(owner, new, Timestamp::now()))
    }

    /// `expected` is the revision the change was made on; a flow that has moved on is left alone.
    pub async fn change_flow(
        &self,
        by: &Principal,
        id: FlowId,
        expected: Option<i64>,
        change: FlowChange,
    ) -> Result<FlowHeader> {
        use changes::{postgres, sqlite};
        let owner = by.owner()?;
        write!(self, update(owner, id, expected, change, Timestamp::now()))
    }

    /// Makes a flow under exactly this id.
    pub async fn create_flow_at(&self, by: &Principal, id: FlowId, new: NewFlow) -> Result<FlowHeader> {
        use changes::{postgres, sqlite};
        let owner = by.owner()?;
        write!(self, insert_at(owner, id, new, Timestamp::now()))
    }

    pub async fn trash_flows(&self, by: &Principal, ids: Vec<FlowId>, expected: Option<i64>) -> Result<u64> {
        use changes::{postgres, sqlite};
        let owner = by.owner()?;
        write!(self, trash(owner, ids, expected, Timestamp::now()))
    }
}

dual! {
    async fn by_id(c, owner: UserId, id: FlowId) -> Result<Flow> {
        let header = header_by_id(&mut *c, owner, id).await?;
        let data = data_of(c, id).await?;
        Ok(Flow { header, data })
    }

    async fn by_endpoint(c, owner: UserId, endpoint_name: &str) -> Result<Flow> {
        let id = sqlx::query_scalar::<Db, FlowId>(
            "SELECT f.id FROM flows f WHERE f.user_id = $1 AND f.endpoint_name = $2 AND f.deleted_at IS NULL",
        )
        .bind(owner)
        .bind(endpoint_name)
        .fetch_optional(&mut *c)
        .await?
        .ok_or(StoreError::NotFound("flow"))?;
        by_id(c, owner, id).await
    }

    async fn header_by_id(c, owner: UserId, id: FlowId) -> Result<FlowHeader> {
        sqlx::query_as::<Db, FlowHeader>(concat!(
            "SELECT ", columns!(), " FROM flows f WHERE f.id = $1 AND f.user_id = $2 AND f.deleted_at IS NULL"
        ))
        .bind(id)
        .bind(owner)
        .fetch_optional(c)
        .await?
        .ok_or(StoreError::NotFound("flow"))
    }

    async fn data_of(c, id: FlowId) -> Result<Option<String>> {
        let packed = sqlx::query_scalar::<Db, Option<Packed>>("SELECT data FROM flow_data WHERE flow_id = $1")
            .bind(id)
            .fetch_optional(c)
            .await?
            .flatten();
        packed.map(|packed| packed.text()).transpose()
    }

    async fn public_by_id(c, id: FlowId) -> Result<Flow> {
        let header = sqlx::query_as::<Db, FlowHeader>(concat!(
            "SELECT ", columns!(), " FROM flows f WHERE f.id = $1 AND f.access_type = 'PUBLIC' AND f.deleted_at IS NULL"
        ))
        .bind(id)
        .fetch_optional(&mut *c)
        .await?
        .ok_or(StoreError::NotFound("flow"))?;
        let data = data_of(c, id).await?;
        Ok(Flow { header, data })
    }

    async fn by_ids(c, owner: UserId, ids: &[FlowId]) -> Result<Vec<Flow>> {
        let mut flows = Vec::with_capacity(ids.len());
        for id in ids {
            flows.push(by_id(&mut *c, owner, *id).await?);
        }
        Ok(flows)
    }

    async fn list(c, owner: UserId, filter: &FlowFilter, order: FlowOrder, window: Window) -> Result<Page<FlowHeader>> {
        let pattern = filter.search.as_deref().map(containing);
        let [headers, _] = list_statements(order);
        let items = sqlx::query_as::<Db, FlowHeader>(headers)
            .bind(owner)
            .bind(filter.folder_id)
            .bind(filter.is_component)
            .bind(filter.flow_type.as_deref())
            .bind(pattern.as_deref())
            .bind(window.limit)
            .bind(window.offset)
            .fetch_all(&mut *c)
            .await?;
        if window.offset == 0 && (items.len() as i64) < window.limit {
            let total = items.len() as i64;
            return Ok(Page { items, total });
        }
        let total = sqlx::query_scalar::<Db, i64>(concat!("SELECT count(*)", where_listed!()))
            .bind(owner)
            .bind(filter.folder_id)
            .bind(filter.is_component)
            .bind(filter.flow_type.as_deref())
            .bind(pattern.as_deref())
            .fetch_one(c)
            .await?;
        Ok(Page { items, total })
    }

    async fn list_whole(c, owner: UserId, filter: &FlowFilter, order: FlowOrder, window: Window) -> Result<Page<Flow>> {
        let page = list(&mut *c, owner, filter, order, window).await?;
        let pattern = filter.search.as_deref().map(containing);
        let [_, documents] = list_statements(order);
        let found = sqlx::query_as::<Db, (FlowId, Option<Packed>)>(documents)
            .bind(owner)
            .bind(filter.folder_id)
            .bind(filter.is_component)
            .bind(filter.flow_type.as_deref())
            .bind(pattern.as_deref())
            .bind(window.limit)
            .bind(window.offset)
            .fetch_all(c)
            .await?;
        let mut packed: HashMap<FlowId, Option<Packed>> = found.into_iter().collect();
        let mut items = Vec::with_capacity(page.items.len());
        for header in page.items {
            let data = packed.remove(&header.id).flatten().map(|packed| packed.text()).transpose()?;
            items.push(Flow { header, data });
        }
        Ok(Page { items, total: page.total })
    }
}
