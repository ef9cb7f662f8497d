use expect_test::{Expect, expect};
use ferro_model::ascii::draw;
use ferro_model::read;

use crate::fixtures::{ECHO, LOOP, built, flow};

fn check(spec: &str, expected: Expect) {
    expected.assert_eq(&draw(&read(&built(spec))));
}

#[test]
fn draws() {
    check(
        ECHO,
        expect![[r#"
        +-----------+
        | ChatInput |
        +-----------+
          ChatInput --> ChatOutput
        +------------+
        | ChatOutput |
        +------------+"#]],
    );
    check(
        LOOP,
        expect![[r#"
        +--------------+
        | URLComponent |
        +--------------+
          URLComponent --> LoopComponent
        +---------------+
        | LoopComponent |
        +---------------+
          LoopComponent --> ParserComponent #1, ParserComponent #2
        +--------------------+
        | ParserComponent #1 |
        +--------------------+
          ParserComponent #1 --> LoopComponent
        +--------------------+
        | ParserComponent #2 |
        +--------------------+
          ParserComponent #2 --> ChatOutput
        +------------+
        | ChatOutput |
        +------------+"#]],
    );
    check(
        "nodes:\n B: ChatOutput\n A: ChatInput\n C: ChatInput",
        expect!["ChatInput #1, ChatInput #2, ChatOutput"],
    );
    expect!["(empty)"].assert_eq(&draw(&read(&flow("{}"))));
}

#[test]
fn wide_layers_go_on_in_the_next_row() {
    let mut spec = "nodes:\n A: ChatInput\n".to_owned();
    let mut edges = "edges:\n".to_owned();
    for number in 0..9 {
        spec.push_str(&format!(" P{number}: Prompt Template\n"));
        edges.push_str(&format!(" A.message -> P{number}.topic\n"));
    }
    let drawing = draw(&read(&built(&format!("{spec}{edges}"))));
    assert!(
        drawing.lines().filter(|line| line.starts_with('|')).count() == 4,
        "{drawing}"
    );
    assert!(
        drawing
            .lines()
            .filter(|line| !line.contains("-->"))
            .all(|line| line.chars().count() <= 100)
    );
}
