//! What a request is about, by its words.

use serde_json::json;

use super::ask::Ask;
use super::files;
use super::said::Said;
use super::translate::english;
use super::write;
use crate::turn::Intent;

/// Longer requests are not said again in English: the answer has little room.
const TRANSLATED: usize = 500;

/// The classifier's answer.
pub(super) fn answer(ask: &Ask) -> String {
    let intent = intent(ask);
    let wants_model = !matches!(intent, Intent::Question | Intent::OffTopic);
    let model = wants_model.then(|| requested_model(&ask.said)).flatten();
    let provider = wants_model.then(|| requested_provider(&ask.said)).flatten();
    let text = ask.said.text();
    let translation = (text.len() <= TRANSLATED).then(|| english(text, ask.lang));
    json!({
        "translation": translation,
        "intent": intent,
        "requested_model": model,
        "requested_provider": provider,
    })
    .to_string()
}

/// Words that only people say who want something of this product.
const OURS: &str = r"\bflows?\b|\bfluxos?\b|\bcomponents?\b|\bcomponentes?\b|\bcanvas\b|\bchat ?bots?\b|\bagents?\b|\bagentes?\b|\bferroflow\b|\blangflow\b|\bnodes?\b|\btemplates?\b|\bprompts?\b|\bmodels?\b|\bapi keys?\b|\bplayground\b|\bmcp\b|\brag\b";

/// What people ask machines that has nothing to do with this one.
const FOREIGN: &str = r"\bn8n\b|\bzapier\b|\bmake\.com\b|\bpower automate\b|\bweather\b|\bforecast\b|\bclima\b|\bprevisao do tempo\b|\brecipes?\b|\breceitas?\b|\bcook(?:ing)?\b|\bcozinhar\b|\bcake\b|\bbolo\b|\bjokes?\b|\bpiadas?\b|\bpoems?\b|\bpoema\b|\bfootball\b|\bfutebol\b|\bsoccer\b|\bpresident\w*\b|\bcapital (?:of|da|do|de)\b|\bstock price\b|\bhomework\b|\blicao de casa\b|\bhoroscop\w*\b|\bmovies?\b|\bfilmes?\b|\blottery\b|\bmeaning of life\b|\bsentido da vida\b|\bbitcoin\b|\bvacation\b|\bferias\b";

const GREETING: &str = r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks?(?: you)?|thank you(?: very much)?|cheers|bye|ola|oi|bom dia|boa (?:tarde|noite)|obrigad[oa]|valeu|tchau)(?:[ ,]+(?:there|all|everyone|so much|a lot|muito|tudo bem|again))*\W*$";

const QUESTION: &str = r"^\W*(?:what|how|why|when|where|which|who|whose|is|are|does|do|did|was|were|explain|describe|tell me|show me|list|help|o que|oque|como|qual|quais|quem|por ?que|quando|onde|explique|explica|descreva|conte|mostre|liste|ajuda|existe|existem|quantos|quantas)\b";

/// What stands before a wish out of politeness.
const POLITE: &str = r"^\W*(?:(?:please|kindly|now|ok(?:ay)?|so|and|also|then|can you|could you|would you|will you|i want you to|i'd like you to|voce pode|voce poderia|pode|poderia|por favor|agora|e|entao|tambem|quero que voce)[ ,]+)+(.+)$";

const MAKE: &str = r"\b(?:build|create|creates?|make|generate|write|design|develop|set up|i need|i want|give me|construa|construir|crie|criar|cria|monte|montar|faca|fazer|gere|gerar|escreva|desenvolva|quero|preciso)\b";

const EDIT: &str = r"^\W*(?:tell (?:the|it)|diga ao|give (?:the|it)|de ao|(?:the |o )?(?:agent|agente|chatbot|bot) (?:should|must|deve)|clear|empty|limpe|limpar|esvazie|add|insert|include|put|remove|delete|drop|connect|link|wire|disconnect|unlink|change|set|update|rename|make (?:it|the|him|her|this)|switch|use|replace|configure|adicion\w+|insira|inclua|coloque|remov\w+|apague|exclua|tire|conect\w+|ligue|desconect\w+|mude|altere|troque|defina|configure|renome\w+|faca (?:o|a|com que|ele|ela)|responda|answer)\b";

pub(super) const RUN: &str = r"\b(?:run|execute|rerun|re-run|rode|roda|rodar|executar|executa)\b|\b(?:test|teste|testar|try)\s+(?:it|the|this|o|isso|ele|this flow)\b";

/// The request without politeness.
pub(super) fn core(said: &Said) -> Said {
    match said.find(POLITE).as_ref().and_then(|found| found.get(1)) {
        Some(rest) => Said::new(rest),
        None => said.clone(),
    }
}

pub(super) fn intent(ask: &Ask) -> Intent {
    let said = core(&ask.said);
    if said.text().is_empty() || said.has(GREETING) {
        return Intent::Question;
    }
    if ask.refined.is_some() || ask.whole.contains("The request refines this plan") {
        return Intent::BuildFlow;
    }
    if said.has(FOREIGN) && !said.has(OURS) {
        return Intent::OffTopic;
    }
    if said.has(QUESTION) && !files::wanted(&said) && !is_wish(&said) {
        return Intent::Question;
    }
    let component = said.has(r"\bcomponents?\b|\bcomponentes?\b");
    let makes = said.has(MAKE);
    if component && makes && !said.has(EDIT) {
        let flow = said.has(r"\b(?:flows?|fluxos?)\b")
            || said.has(RUN)
            || said.has(r"\b(?:chat ?bot|agent|agente)\b");
        return if flow {
            Intent::ComponentThenFlow
        } else {
            Intent::GenerateComponent
        };
    }
    if files::wanted(&said) {
        return Intent::ManageFiles;
    }
    if is_follow_up(&said) && write::last_component(ask).is_some() {
        return Intent::GenerateComponent;
    }
    if said.has(RUN) && !makes && !said.has(EDIT) {
        return Intent::RunFlow;
    }
    // "Summarise this page" is done by a flow that does it.
    let page = said.has(r"^\W*(?:summari[sz]e|resuma|resumir)\b")
        && said.has(r"\bhttps?://|\burls?\b|\bpages?\b|\bpaginas?\b|\bsites?\b");
    if page || makes || said.has(EDIT) || said.has(r"\btemplates?\b|\bmodelo pronto\b") {
        return Intent::BuildFlow;
    }
    if !ask.past.is_empty()
        && said.has(r"^\W*(?:yes|yep|sure|ok(?:ay)?|do it|go ahead|proceed|sim|claro|pode(?: fazer)?|vai|continue)\W*$")
    {
        return Intent::BuildFlow;
    }
    Intent::Question
}

/// "How about a chatbot?" is no wish; "what I want is …" is none that these rules know.
fn is_wish(said: &Said) -> bool {
    said.has(r"^\W*(?:list|show me|liste|mostre)\b.*\b(?:files|arquivos)\b")
}

/// Something about the component that was written last.
fn is_follow_up(said: &Said) -> bool {
    said.has(
        r"\b(?:data ?frame|table|tabela|json|data|message|texto|text)\b.*\b(?:output|saida)\b|\b(?:output|saida)\b.*\b(?:data ?frame|table|tabela|json|data|message|text|texto)\b|\binstead\b|\bem vez\b|\bno lugar\b|\b(?:rename|renome\w+) (?:it|o componente|the component)\b",
    )
}

fn requested_model(said: &Said) -> Option<String> {
    let found = said.find(
        r"\b((?:gpt|claude|gemini|llama|mistral|mixtral|deepseek|qwen|grok|command)-?[\w.:]*(?:-[\w.:]+)*|o[134](?:-mini|-preview)?)\b",
    )?;
    let name = found.get(1)?.trim_end_matches(['.', ',', ':']);
    // The bare family says who is meant, not which model.
    (name.contains(|c: char| c.is_ascii_digit()) || name.contains('-')).then(|| name.to_owned())
}

fn requested_provider(said: &Said) -> Option<&'static str> {
    let known = [
        (r"\bazure\b", "Azure OpenAI"),
        (r"\bopen ?ai\b|\bgpt\b|\bgpt-", "OpenAI"),
        (r"\banthropic\b|\bclaude\b", "Anthropic"),
        (r"\bgoogle\b|\bgemini\b", "Google Generative AI"),
        (r"\bgroq\b", "Groq"),
        (r"\bollama\b", "Ollama"),
        (r"\bmistral\b", "Mistral"),
        (r"\bopen ?router\b", "OpenRouter"),
        (r"\bdeep ?seek\b", "DeepSeek"),
    ];
    known
        .iter()
        .find(|(pattern, _)| said.has(pattern))
        .map(|(_, name)| *name)
}
