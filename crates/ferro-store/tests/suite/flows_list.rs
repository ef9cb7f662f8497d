//! Lists of flows: filters, search, order, pages.

use ferro_store::{FlowChange, FlowFilter, FlowOrder, Window};

use crate::{
    both,
    db::{Db, Owner, names},
};

both!(
    filters_narrow_the_list,
    search_takes_its_text_literally,
    order_and_pages
);

impl Db {
    async fn found(&self, owner: &Owner, filter: FlowFilter) -> Vec<String> {
        let page = self
            .store
            .flow_headers(&owner.by, filter.clone(), FlowOrder::NameUp, Window::ALL)
            .await
            .unwrap();
        let whole = self
            .store
            .flows(&owner.by, filter, FlowOrder::NameUp, Window::ALL)
            .await
            .unwrap();
        assert_eq!(page.total, whole.total);
        let both = page.items.iter().zip(&whole.items);
        both.for_each(|(header, flow)| assert_eq!(header.id, flow.header.id));
        names(&page).into_iter().map(str::to_owned).collect()
    }

    async fn search(&self, owner: &Owner, text: &str) -> Vec<String> {
        self.found(
            owner,
            FlowFilter {
                search: Some(text.to_owned()),
                ..FlowFilter::default()
            },
        )
        .await
    }
}

async fn filters_narrow_the_list(db: &Db) {
    let ada = db.owner("ada").await;
    let other = db.project(&ada, "Other").await.id;
    db.flow(&ada, "Plain").await;
    let mut component = ada.new_flow("Component");
    component.is_component = true;
    db.make(&ada, component).await;
    let mut agent = ada.new_flow("Agent");
    (agent.flow_type, agent.folder_id) = ("agent".into(), other);
    db.make(&ada, agent).await;
    let gone = db.flow(&ada, "Gone").await;
    db.store.trash_flows(&ada.by, vec![gone.id], None).await.unwrap();

    assert_eq!(
        db.found(&ada, FlowFilter::default()).await,
        ["Agent", "Component", "Plain"]
    );
    let filter = FlowFilter {
        is_component: Some(true),
        ..FlowFilter::default()
    };
    assert_eq!(db.found(&ada, filter).await, ["Component"]);
    let filter = FlowFilter {
        is_component: Some(false),
        folder_id: Some(ada.project),
        ..FlowFilter::default()
    };
    assert_eq!(db.found(&ada, filter).await, ["Plain"]);
    let filter = FlowFilter {
        flow_type: Some("agent".into()),
        ..FlowFilter::default()
    };
    assert_eq!(db.found(&ada, filter).await, ["Agent"]);
    let filter = FlowFilter {
        folder_id: Some(other),
        search: Some("plain".into()),
        ..FlowFilter::default()
    };
    assert!(db.found(&ada, filter).await.is_empty());
}

async fn search_takes_its_text_literally(db: &Db) {
    let ada = db.owner("ada").await;
    for name in [
        "100% sure",
        "1000 sure",
        "snake_case",
        "snakeXcase",
        r"back\slash",
        "STRASSE",
        "Ärger",
        "日本語",
    ] {
        db.flow(&ada, name).await;
    }
    let mut described = ada.new_flow("Z");
    (described.description, described.tags) = (Some("Über den Wolken".into()), r#"["Kranich"]"#.into());
    let described = db.make(&ada, described).await;
    for (text, expected) in [
        ("0% ", vec!["100% sure"]),
        ("e_c", vec!["snake_case"]),
        (r"k\s", vec![r"back\slash"]),
        ("strasse", vec!["STRASSE"]),
        ("äRGER", vec!["Ärger"]),
        ("本", vec!["日本語"]),
        ("ÜBER DEN", vec!["Z"]),
        ("kranich", vec!["Z"]),
        ("' OR 1=1 --", vec![]),
        ("%", vec!["100% sure"]),
        ("_", vec!["snake_case"]),
    ] {
        assert_eq!(db.search(&ada, text).await, expected, "{text:?}");
    }
    let change = FlowChange {
        name: Some("Möwe".into()),
        description: Some(None),
        ..FlowChange::default()
    };
    db.store
        .change_flow(&ada.by, described.id, None, change)
        .await
        .unwrap();
    assert_eq!(
        db.search(&ada, "MÖWE").await,
        ["Möwe"],
        "what is searched changes with the flow"
    );
    assert!(db.search(&ada, "wolken").await.is_empty());
}

async fn order_and_pages(db: &Db) {
    let ada = db.owner("ada").await;
    let mut made = Vec::new();
    for name in ["b", "C", "a", "D", "e"] {
        made.push(db.flow(&ada, name).await);
    }
    // The first made is the last changed.
    let touch = FlowChange {
        icon: Some(Some("cat".into())),
        ..FlowChange::default()
    };
    db.store
        .change_flow(&ada.by, made[0].id, None, touch)
        .await
        .unwrap();
    let listed = async |order, offset, limit| {
        let window = Window { offset, limit };
        let page = db
            .store
            .flow_headers(&ada.by, FlowFilter::default(), order, window)
            .await
            .unwrap();
        assert_eq!(page.total, 5);
        names(&page).concat()
    };
    for (order, expected) in [
        (FlowOrder::NameUp, "abCDe"),
        (FlowOrder::NameDown, "eDCba"),
        (FlowOrder::CreatedFirst, "bCaDe"),
        (FlowOrder::CreatedLast, "eDaCb"),
        (FlowOrder::UpdatedLast, "beDaC"),
        (FlowOrder::UpdatedFirst, "CaDeb"),
    ] {
        assert_eq!(listed(order, 0, i64::MAX).await, expected, "{order:?}");
        let pages = [
            listed(order, 0, 2).await,
            listed(order, 2, 2).await,
            listed(order, 4, 2).await,
        ];
        assert_eq!(pages.concat(), expected, "{order:?} page by page");
        assert_eq!(listed(order, 99, 2).await, "");
        assert_eq!(listed(order, i64::MAX, 2).await, "");
    }
}
