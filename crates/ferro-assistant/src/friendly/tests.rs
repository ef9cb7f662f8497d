use super::*;

#[test]
fn texts_are_mapped_in_order() {
    for (text, said) in [
        (
            "1 validation error for Agent: input should be a valid string (429)",
            SCHEMA,
        ),
        ("Recursion limit of 30 reached", ROUNDS),
        ("error parsing tool call: unexpected end", TOOL_CALL),
        ("HTTP 429 Too Many Requests for api_key sk", RATE),
        ("consumption_limit reached", RATE),
        ("401 Unauthorized", AUTH),
        ("Incorrect API key provided", AUTH),
        ("You exceeded your current quota", QUOTA),
        ("flow run timed out", TIMEOUT),
        ("Connection refused", NETWORK),
        ("Error code: 500", SERVER),
        ("model_not_found: gpt-9", MODEL),
        ("blocked by content policy", POLICY),
        ("context_length_exceeded", CONTEXT),
    ] {
        assert_eq!(friendly(text), said, "{text}");
    }
}

#[test]
fn numbers_inside_of_numbers_are_no_status() {
    let text = "the table has 1500 rows and 4290 cells";
    assert_eq!(friendly(text), text);
}

#[test]
fn the_deepest_cause_is_what_is_shown() {
    for (text, cause) in [
        (
            "Error building Component Agent: Error code: 400 - {'error': {'message': 'Unsupported value: it\\'s wrong', 'code': 'x'}}",
            "Unsupported value: it's wrong",
        ),
        (
            r#"{"error": {"message": "No such \"thing\"", "type": "x"}}"#,
            r#"No such "thing""#,
        ),
        (
            "Error building Component Agent: the column price is missing",
            "the column price is missing",
        ),
        (
            "Error running graph: Error building Component A: Error building Component B: division by zero",
            "division by zero",
        ),
        (
            "Error building Component Agent: no",
            "Error building Component Agent: no",
        ),
        ("Error building Component Agent", "Error building Component Agent"),
        ("a: plain text: stays", "a: plain text: stays"),
        ("", ""),
    ] {
        assert_eq!(deepest_cause(text), cause, "{text}");
    }
}

#[test]
fn only_five_wrappers_are_taken_off() {
    let text = format!("{}the real cause", "Error building Component A: ".repeat(6));
    assert_eq!(deepest_cause(&text), "Error building Component A: the real cause");
}

#[test]
fn long_texts_are_cut_at_a_letter() {
    let said = friendly(&"é".repeat(400));
    assert_eq!(said, format!("{}...", "é".repeat(150)));
    assert!(!friendly("  ").is_empty());
}

#[test]
fn classes_say_more_than_words() {
    for (class, said) in [
        (Class::Authentication, AUTH),
        (Class::RateLimit, RATE),
        (Class::ModelUnavailable, MODEL),
        (Class::Quota, QUOTA),
        (Class::ContextTooLong, CONTEXT),
        (Class::ContentPolicy, POLICY),
        (Class::Timeout, TIMEOUT),
        (Class::Network, NETWORK),
        (Class::Server, SERVER),
    ] {
        let error = LlmError::new(class, "401 429 500").cause("connection timeout quota");
        assert_eq!(friendly_error(&error.into()), said, "{class:?}");
    }
}

#[test]
fn a_missing_key_is_named() {
    let error = LlmError::new(
        Class::Configuration,
        "the variable `MY_OPENAI_KEY` does not exist",
    )
    .advice("Add MY_OPENAI_KEY (or OPENAI_API_KEY) in Settings › Model providers.");
    assert_eq!(
        friendly_model(&error),
        "The variable `MY_OPENAI_KEY` does not exist. Add MY_OPENAI_KEY (or OPENAI_API_KEY) in Settings › Model providers."
    );
}

#[test]
fn a_refused_question_shows_the_providers_words() {
    let error = LlmError::new(Class::Request, "OpenAI refused the question")
        .advice("See the provider's words.")
        .cause("{'message': 'max_tokens is too large', 'code': 1}");
    assert_eq!(friendly_model(&error), "max_tokens is too large");
    let wordless = LlmError::new(Class::Request, "OpenAI refused the question").advice("Change it.");
    assert_eq!(
        friendly_model(&wordless),
        "OpenAI refused the question. Change it."
    );
}

#[test]
fn ends_of_the_agent_have_their_own_words() {
    let tool = |message: &str| AgentError::Tool {
        tool: "run_flow".to_owned(),
        message: message.to_owned(),
    };
    assert_eq!(
        friendly_error(&tool("the disk is full of things")),
        "the disk is full of things"
    );
    let rounds = AgentError::Iterations {
        limit: 30,
        done: String::new(),
    };
    assert_eq!(friendly_error(&rounds), ROUNDS);
    let malformed = AgentError::Malformed {
        tool: "x".to_owned(),
        times: 3,
        problem: String::new(),
    };
    assert_eq!(friendly_error(&malformed), TOOL_CALL);
    let shape = AgentError::Shape { problems: Vec::new() };
    assert_eq!(friendly_error(&shape), SCHEMA);
}

#[test]
fn an_exhausted_provider_is_named_with_all_that_was_tried() {
    let tried = ["gpt-4o".to_owned(), "gpt-4o-mini".to_owned()];
    assert_eq!(
        exhausted("openai", &tried),
        "No accessible model on openai. Tried: gpt-4o, gpt-4o-mini. Configure access to one of these models in your openai account, or switch to a different provider in Settings → Model Providers."
    );
}

#[test]
fn a_run_without_a_key_names_the_variable() {
    for (text, said) in [
        (
            "Error building Component Agent: the variable `MY_OPENAI_KEY` that this node names for OpenAI does not exist. Create `MY_OPENAI_KEY`, or the canonical `OPENAI_API_KEY`, in Settings › Model providers.",
            "The variable `MY_OPENAI_KEY` is not set. Set it, or `OPENAI_API_KEY`, in Settings › Model providers.",
        ),
        (
            "OpenAI needs its API key. Set `OPENAI_API_KEY` in Settings.",
            "The variable `OPENAI_API_KEY` is not set. Set it in Settings › Model providers.",
        ),
        ("OpenAI does not accept api_key sk-1: OPENAI_API_KEY", AUTH),
        (
            "the MONKEYS table does not exist",
            "the MONKEYS table does not exist",
        ),
    ] {
        assert_eq!(friendly(text), said, "{text}");
    }
}
