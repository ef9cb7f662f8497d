//! What a model's answer is, besides what it says.

/// A flow written out in the answer. It changes nothing, whatever the words around it say.
pub(super) fn holds_flow_json(text: &str) -> bool {
    if text.contains("```flow_json") {
        return true;
    }
    let fenced = text.split("```").skip(1).step_by(2);
    let blocks = fenced.map(|block| block.split_once('\n').map_or(block, |(_, body)| body));
    blocks.chain([text]).any(|block| {
        let block = block.trim();
        block.starts_with('{') && block.contains("\"nodes\"") && block.contains("\"edges\"")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flows_in_answers_are_noticed() {
        let table = [
            ("Here:\n```flow_json\n{}\n```", true),
            ("Here:\n```json\n{\"nodes\": [], \"edges\": []}\n```\nDone.", true),
            ("{\"data\": {\"nodes\": [], \"edges\": []}}", true),
            ("```python\nnodes = {}\n```", false),
            ("It has \"nodes\" and \"edges\".", false),
            ("```json\n{\"name\": 1}\n```", false),
        ];
        for (text, expected) in table {
            assert_eq!(holds_flow_json(text), expected, "{text}");
        }
    }
}
