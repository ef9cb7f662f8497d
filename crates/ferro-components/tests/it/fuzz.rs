//! Damaged flows and templates: nothing panics, and what one step accepts the next one accepts too. The bodies are
//! those of the targets in `fuzz/` at the root, which run for as long as one likes.

#[path = "../../../ferro-model/tests/it/damage.rs"]
mod damage;
#[path = "../../../../fuzz/src/plan.rs"]
mod plan;
#[path = "../../../../fuzz/src/templates.rs"]
mod templates;

use proptest::prelude::*;

use damage::{damage, damaged};

const FLOWS: [&str; 5] = [
    include_str!("../corpus/plan/run_flow.json"),
    include_str!("../corpus/plan/router.json"),
    include_str!("../../../ferro-model/tests/corpus/echo.json"),
    include_str!("../../../ferro-model/tests/corpus/loop.json"),
    include_str!("../../../ferro-model/tests/corpus/group.json"),
];
const TEMPLATES: [&str; 3] = [
    include_str!("../corpus/templates/braces.txt"),
    include_str!("../corpus/templates/double.txt"),
    include_str!("../corpus/templates/paths.txt"),
];

#[test]
fn the_corpus_passes() {
    FLOWS.iter().for_each(|text| plan::plan(text));
    TEMPLATES.iter().for_each(|text| templates::templates(text));
    templates::templates("");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn damaged_flows(which in 0..FLOWS.len(), damages in prop::collection::vec(damage(), 1..6)) {
        plan::plan(&String::from_utf8_lossy(&damaged(FLOWS[which], &damages)));
    }

    #[test]
    fn damaged_templates(which in 0..TEMPLATES.len(), damages in prop::collection::vec(damage(), 0..6), more in "[a{}\\[\\]. \n#é_-]{0,12}") {
        let text = damaged(TEMPLATES[which], &damages);
        templates::templates(&format!("{}{more}", String::from_utf8_lossy(&text)));
        templates::templates(&more);
    }
}
