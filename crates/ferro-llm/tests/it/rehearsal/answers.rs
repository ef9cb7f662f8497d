//! Plain answers: each rule, and the honesty about what cannot be done.

use bytes::Bytes;
use ferro_llm::{ChatMessage, ChatRequest, Format, Media, Part, rehearsal};

use super::{ask, said, say};

#[tokio::test]
async fn a_request_is_repeated_with_the_role_it_was_given() {
    let answer = ask(ChatRequest::new(vec![
        ChatMessage::system("You are a pirate. Be brief."),
        ChatMessage::user("Hello there"),
    ]))
    .await;
    let text = said(answer);
    assert!(text.starts_with("Hello!"), "{text}");
    assert!(
        text.contains("“Hello there”") && text.contains("“You are a pirate.”"),
        "{text}"
    );
    assert!(said(ask(ChatRequest::default()).await).contains("asked nothing"));
}

#[tokio::test]
async fn a_text_is_summarised_in_its_own_sentences() {
    let text = "Iron is a metal. The weather was mild. Iron and steel are metals that rust. Somebody sang. \
        Rust eats iron and steel slowly. He wore a hat.";
    let short = say(&format!("Summarize the following text:\n{text}")).await;
    assert!(
        short.contains("Iron is a metal.") && short.contains("steel are metals that rust."),
        "{short}"
    );
    assert!(!short.contains("wore") && !short.contains("sang"), "{short}");
    let one = say(&format!("Summarise in one sentence: {text}")).await;
    assert!(one.len() < short.len(), "{one}");
    // By the role alone.
    let by_role = ask(ChatRequest::new(vec![
        ChatMessage::system("Summarise what the user sends."),
        ChatMessage::user(text),
    ]))
    .await;
    assert!(said(by_role).contains("Iron is a metal."));
}

#[tokio::test]
async fn a_long_text_is_summarised_unasked() {
    let long = "Iron rusts when it is wet. ".repeat(30);
    let answer = say(&long).await;
    assert!(
        answer.starts_with("In short") && answer.len() < long.len(),
        "{answer}"
    );
}

#[tokio::test]
async fn things_are_extracted_by_their_shape() {
    let text = "Write to ada@example.org or bob@example.org before 2026-11-15, budget 1,200.";
    let emails = say(&format!("Extract all email addresses: {text}")).await;
    assert!(emails.contains("ada@example.org, bob@example.org"), "{emails}");
    assert!(!emails.contains("2026"), "{emails}");
    let all = say(&format!("Extract everything from this text:\n\n{text}")).await;
    assert!(
        all.contains("dates: 2026-11-15") && all.contains("numbers: 1200"),
        "{all}"
    );
    let none = say("Extract the emails from: nothing to see here").await;
    assert!(none.contains("emails: none"), "{none}");
}

#[tokio::test]
async fn what_was_said_is_remembered() {
    let talk = |last: &str| {
        ask(ChatRequest::new(vec![
            ChatMessage::user("Hi, my name is Ada Lovelace, nice to meet you."),
            ChatMessage::assistant("Hello Ada."),
            ChatMessage::user("I like engines."),
            ChatMessage::assistant("Good."),
            ChatMessage::user(last),
        ]))
    };
    assert!(said(talk("What is my name?").await).contains("your name is Ada Lovelace."));
    assert!(said(talk("What did I say?").await).contains("“I like engines.”"));
    assert!(said(talk("What was my first message?").await).contains("my name is Ada"));
    assert!(say("What is my name?").await.contains("not told me"));
    // A flow that writes the conversation into its prompt.
    let prompt = "Conversation:\nUser: my name is Grace\nAI: hello\n\nUser: what is my name?";
    assert!(say(prompt).await.contains("your name is Grace"));
}

#[tokio::test]
async fn feelings_and_labels_are_chosen_by_words() {
    let answer = say("What is the sentiment of this review? \"I love it, great work\"").await;
    assert!(answer.starts_with("positive"), "{answer}");
    let answer = say("Classify the text as positive, negative or neutral: the food was terrible").await;
    assert!(answer.starts_with("negative"), "{answer}");
}

#[tokio::test]
async fn a_program_that_wants_only_a_label_gets_only_a_label() {
    let prompt = "Text: \"My invoice is wrong\"\nCategories:\n- billing: invoice, refund\n- technical: crash\n- other\n\
        Respond with ONLY the exact category name.";
    assert_eq!(
        ask(ChatRequest::new(vec![ChatMessage::user(prompt)])).await.text,
        "billing"
    );
    let prompt = prompt.replace("My invoice is wrong", "Good morning");
    assert_eq!(
        ask(ChatRequest::new(vec![ChatMessage::user(prompt)])).await.text,
        "other"
    );
}

#[tokio::test]
async fn a_rule_for_people_is_not_taken_for_one_of_programs() {
    let answer = ask(ChatRequest::new(vec![
        ChatMessage::system("Answer only questions about cooking or baking."),
        ChatMessage::user("Good day"),
    ]))
    .await;
    assert!(said(answer).contains("“Good day”"));
}

#[tokio::test]
async fn questions_are_answered_from_the_text_that_came_along() {
    let prompt = "Context:\nThe shop opens at nine. Refunds are paid within two weeks.\n\nQuestion: When are refunds paid?";
    let answer = say(prompt).await;
    assert!(
        answer.contains("“Refunds are paid within two weeks.”"),
        "{answer}"
    );
}

#[tokio::test]
async fn what_it_cannot_do_it_says() {
    let answer = say("Translate \"good morning everybody\" into French").await;
    assert!(
        answer.contains("cannot translate") && answer.contains("good morning everybody"),
        "{answer}"
    );
    let picture = Media {
        mime: "image/png".to_owned(),
        name: "cat.png".to_owned(),
        bytes: Bytes::from_static(&[0; 1234]),
    };
    let mut message = ChatMessage::user("What is in this picture?");
    message.parts.push(Part::Image(picture));
    let answer = said(ask(ChatRequest::new(vec![message])).await);
    assert!(
        answer.contains("image/png `cat.png` (1234 bytes)") && answer.contains("cannot look"),
        "{answer}"
    );
}

#[tokio::test]
async fn its_own_label_is_not_repeated() {
    let answer = say(&format!("{} You wrote: hello", rehearsal::LABEL)).await;
    assert!(!answer.contains(rehearsal::LABEL), "{answer}");
}

#[tokio::test]
async fn json_is_json() {
    let words =
        "Return only valid JSON like {\"email\": \"\", \"count\": 0}. Text: 12 letters from ada@example.org";
    let answer = ask(ChatRequest::new(vec![ChatMessage::user(words)])).await.text;
    let json: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(json, serde_json::json!({"email": "ada@example.org", "count": 12}));
    let request = ChatRequest {
        format: Format::Json,
        ..ChatRequest::new(vec![ChatMessage::user("Tell me something")])
    };
    let json: serde_json::Value = serde_json::from_str(&ask(request).await.text).unwrap();
    assert!(json["note"].as_str().unwrap().contains("not an AI"), "{json}");
}
