//! From a question to an answer.

use expect_test::expect;
use ferro_llm::{ChatEvent, Effort, Part, StopReason, ToolChoice, Usage};
use serde_json::json;

use crate::support::{Script, agent, answer, calls, question, results, run, says, upper};

#[tokio::test]
async fn without_tools_it_is_one_question() {
    let model = Script::new([says("hi there")]);
    let mut agent = agent(&model, vec![]);
    agent.request.temperature = Some(0.5);
    agent.request.effort = Some(Effort::Low);
    let answer = answer(&agent).await;
    assert_eq!(answer.text, "hi there");
    assert_eq!(answer.usage.total(), 12);
    assert_eq!(answer.conversation.messages.len(), 3);
    assert_eq!(answer.conversation.messages[2].text(), "hi there");
    let asked = model.request(0);
    assert_eq!(asked.messages, question().messages);
    assert_eq!((asked.temperature, asked.effort), (Some(0.5), Some(Effort::Low)));
    assert!(asked.tools.is_empty());
}

#[tokio::test]
async fn a_tool_is_called_and_its_result_told() {
    let model = Script::new([
        calls(&[("shout", r#"{"text":"a"}"#)]),
        calls(&[("shout", r#"{"text":"b"}"#)]),
        says("AB"),
    ]);
    let agent = agent(&model, vec![upper("shout")]);
    let (ended, heard) = run(&agent).await;
    expect![[r#"
        ask 1
        called call_0 shout
        writes call_0 {"text":"a"}
        start call_0 {"text":"a"}
        done call_0 "A"
        ask 2
        called call_0_2 shout
        writes call_0_2 {"text":"b"}
        start call_0_2 {"text":"b"}
        done call_0_2 "B"
        ask 3
        text A
        text B
    "#]]
    .assert_eq(&heard.trace());
    // Ids that were made up per answer are told apart.
    assert_eq!(
        results(&model.request(2)),
        ["call_0 shout: A", "call_0_2 shout: B"]
    );
    assert_eq!(model.request(0).tools[0].name, "shout");
    let ferro_agent::Ended::Answer(answer) = ended.unwrap() else {
        panic!("an answer")
    };
    assert_eq!(
        answer.usage,
        Usage {
            input: 20,
            output: 12,
            ..Usage::default()
        }
    );
}

#[tokio::test]
async fn what_the_model_thought_goes_back_with_its_signature() {
    let mut turn = vec![
        Ok(ChatEvent::Reasoning("hm".to_owned())),
        Ok(ChatEvent::ReasoningSignature("s1".to_owned())),
    ];
    turn.extend(calls(&[("shout", r#"{"text":"a"}"#)]));
    let model = Script::new([turn, says("done")]);
    let (_, heard) = run(&agent(&model, vec![upper("shout")])).await;
    assert!(heard.trace().contains("think hm\n"), "{}", heard.trace());
    let said = &model.request(1).messages[2];
    let thought = Part::Reasoning {
        text: "hm".to_owned(),
        signature: Some("s1".to_owned()),
    };
    assert_eq!(said.parts[0], thought);
    assert_eq!(said.tool_calls().count(), 1);
}

#[tokio::test]
async fn tools_with_one_name_are_told_apart() {
    let model = Script::new([calls(&[("a_b_2", r#"{"text":"x"}"#)]), says("ok")]);
    let (first, second) = (upper("a b"), upper("a_b"));
    let given = second.given.clone();
    answer(&agent(&model, vec![first, second])).await;
    let tools = model.request(0).tools;
    assert_eq!([&*tools[0].name, &*tools[1].name], ["a_b", "a_b_2"]);
    assert_eq!(*given.lock().unwrap(), [json!({ "text": "x" })]);
}

#[tokio::test]
async fn being_made_to_call_a_tool_holds_for_the_first_question() {
    let model = Script::new([calls(&[("shout", r#"{"text":"a"}"#)]), says("done")]);
    let mut agent = agent(&model, vec![upper("shout")]);
    agent.request.tool_choice = ToolChoice::Required;
    agent.parallel = false;
    answer(&agent).await;
    assert_eq!(model.request(0).tool_choice, ToolChoice::Required);
    assert_eq!(model.request(0).parallel_tools, Some(false));
    assert_eq!(model.request(1).tool_choice, ToolChoice::Auto);
}

#[tokio::test]
async fn an_empty_answer_is_an_answer_and_leaves_no_empty_message() {
    let model = Script::new([vec![Ok(ChatEvent::Stop(StopReason::End))]]);
    let answer = answer(&agent(&model, vec![])).await;
    assert_eq!(answer.text, "");
    assert_eq!(answer.conversation, question());
}
