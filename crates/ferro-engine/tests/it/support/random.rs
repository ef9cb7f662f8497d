//! Random flows: blocks one after the other, each fed by outputs of those before it.

use proptest::prelude::*;

#[derive(Clone, Debug)]
pub struct Block {
    kind: u8,
    sources: (usize, usize),
}

pub fn blocks(most: usize) -> impl Strategy<Value = Vec<Block>> {
    let block = (any::<u8>(), any::<(usize, usize)>()).prop_map(|(kind, sources)| Block { kind, sources });
    prop::collection::vec(block, 1..most)
}

/// The text of a flow. `work` is the component that stands for work that takes time.
pub fn text(blocks: &[Block], work: &str) -> String {
    let mut outputs: Vec<String> = vec!["s.out".to_owned(), "r.left".to_owned()];
    let mut text = String::from("s Echo in=lr; r Router in=q go=left\n");
    for (n, block) in blocks.iter().enumerate() {
        let a = outputs[block.sources.0 % outputs.len()].clone();
        let b = outputs[block.sources.1 % outputs.len()].clone();
        let (lines, made) = match block.kind % 12 {
            0 => (format!("n{n} Add; {a} -> n{n}.in"), vec![format!("n{n}.out")]),
            1 | 2 => (format!("n{n} {work}; {a} -> n{n}.in"), vec![format!("n{n}.out")]),
            3 => (format!("n{n} Join a=A b=B; {a} -> n{n}.a; {b} -> n{n}.b"), vec![format!("n{n}.out")]),
            4 => (format!("n{n} Collect; {a} -> n{n}.list; {b} -> n{n}.list"), vec![format!("n{n}.out")]),
            5 => (
                format!("n{n} Router; {a} -> n{n}.in; {b} -> n{n}.go"),
                vec![format!("n{n}.left"), format!("n{n}.right")],
            ),
            6 => (
                format!("n{n} Loop; b{n} {work}; {a} -> n{n}.data; n{n}.item -> b{n}.in; b{n}.out => n{n}.item"),
                vec![format!("n{n}.done")],
            ),
            // A loop with a router in it, and something from outside.
            7 => (
                format!(
                    "n{n} Loop; r{n} Router; b{n} {work}; j{n} Join; {a} -> n{n}.data; n{n}.item -> r{n}.go; n{n}.item -> r{n}.in
                     r{n}.left -> b{n}.in; b{n}.out -> j{n}.a; {b} -> j{n}.b; j{n}.out => n{n}.item; r{n}.right => n{n}.item"
                ),
                vec![format!("n{n}.done")],
            ),
            // A circle.
            8 => (
                format!("e{n} {work}; u{n} Until size=9; {a} -> e{n}.in; e{n}.out -> u{n}.in; u{n}.again -> e{n}.in"),
                vec![format!("u{n}.done")],
            ),
            9 => (format!("n{n} Effect; {a} -> n{n}.in"), vec![format!("n{n}.out")]),
            10 => (format!("n{n} Ask; {a} -> n{n}.in"), vec![format!("n{n}.left"), format!("n{n}.right")]),
            // A loop in a loop, which leaves something behind.
            _ => (
                format!(
                    "n{n} Loop; o{n} Add; m{n} Loop; b{n} {work}; j{n} Join; x{n} Join; {a} -> n{n}.data; n{n}.item -> o{n}.in
                     o{n}.out -> m{n}.data; m{n}.item -> b{n}.in; b{n}.out => m{n}.item; m{n}.done -> j{n}.a; b{n}.out -> j{n}.b
                     j{n}.out => n{n}.item; n{n}.done -> x{n}.a; j{n}.out -> x{n}.b"
                ),
                vec![format!("x{n}.out")],
            ),
        };
        text += &lines;
        text.push('\n');
        outputs.extend(made);
        if block.kind >= 250 {
            text += &format!("f{n} Picky not=lr; {a} -> f{n}.in\n");
            outputs.push(format!("f{n}.out"));
        }
    }
    text
}
