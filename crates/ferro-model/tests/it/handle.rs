use expect_test::{Expect, expect};
use ferro_model::handle::{SourceHandle, TargetHandle};

/// Text in, canonical text out.
fn check_source(text: &str, expected: Expect) {
    let outcome = text.parse::<SourceHandle>();
    expected.assert_eq(&outcome.map_or_else(|error| error.to_string(), |handle| handle.to_string()));
}

fn check_target(text: &str, expected: Expect) {
    let outcome = text.parse::<TargetHandle>();
    expected.assert_eq(&outcome.map_or_else(|error| error.to_string(), |handle| handle.to_string()));
}

#[test]
fn source_handles() {
    check_source(
        "{œdataTypeœ:œChatInputœ,œidœ:œChatInput-qœ,œnameœ:œmessageœ,œoutput_typesœ:[œMessageœ]}",
        expect!["{œdataTypeœ:œChatInputœ,œidœ:œChatInput-qœ,œnameœ:œmessageœ,œoutput_typesœ:[œMessageœ]}"],
    );
    check_source(
        "{œnameœ: œmessageœ, œoutput_typesœ: [œMessageœ, œDataœ], œidœ: œChatInput-qœ, œdataTypeœ: œChatInputœ}",
        expect![
            "{œdataTypeœ:œChatInputœ,œidœ:œChatInput-qœ,œnameœ:œmessageœ,œoutput_typesœ:[œMessageœ,œDataœ]}"
        ],
    );
    check_source(
        "{œbaseClassesœ:[œobjectœ,œToolœ],œdataTypeœ:œSerpAPIœ,œidœ:œSerpAPI-1œ}",
        expect!["{œbaseClassesœ:[œobjectœ,œToolœ],œdataTypeœ:œSerpAPIœ,œidœ:œSerpAPI-1œ}"],
    );
    // Written without the substitute, as JSON.
    check_source(
        r#"{"dataType":"A","id":"A-1","name":"o","output_types":[]}"#,
        expect!["{œdataTypeœ:œAœ,œidœ:œA-1œ,œnameœ:œoœ,œoutput_typesœ:[]}"],
    );
    check_source(
        "{œnameœ:œmessageœ}",
        expect!["the handle has no `id`; draw the wire again"],
    );
    check_source(
        "approve",
        expect!["the handle is not an object written with `œ` for quotes; draw the wire again"],
    );
}

#[test]
fn target_handles() {
    check_target(
        "{œtypeœ:œstrœ,œidœ:œAgent-1œ, œfieldNameœ:œinputœ,œinputTypesœ:null}",
        expect!["{œfieldNameœ:œinputœ,œidœ:œAgent-1œ,œinputTypesœ:null,œtypeœ:œstrœ}"],
    );
    check_target(
        "{œfieldNameœ:œxœ,œidœ:œgœ,œinputTypesœ:[œMessageœ],œproxyœ:{œidœ:œinnerœ,œfieldœ:œfœ},œtypeœ:œstrœ}",
        expect![
            "{œfieldNameœ:œxœ,œidœ:œgœ,œinputTypesœ:[œMessageœ],œproxyœ:{œfieldœ:œfœ,œidœ:œinnerœ},œtypeœ:œstrœ}"
        ],
    );
    check_target(
        "{œdataTypeœ:œLoopComponentœ,œidœ:œL-1œ,œnameœ:œitemœ,œoutput_typesœ:[œDataœ]}",
        expect!["{œdataTypeœ:œLoopComponentœ,œidœ:œL-1œ,œnameœ:œitemœ,œoutput_typesœ:[œDataœ]}"],
    );
    check_target(
        "{œidœ:œL-1œ}",
        expect!["the handle has no `fieldName`; draw the wire again"],
    );
}

#[test]
fn a_real_ligature_survives() {
    let handle =
        TargetHandle::from_value(&serde_json::json!({"fieldName": "œuvre \"x\"", "id": "a", "type": "str"}))
            .unwrap();
    assert_eq!(handle.to_string().parse(), Ok(handle));
}
