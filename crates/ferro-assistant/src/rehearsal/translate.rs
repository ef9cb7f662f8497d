//! Portuguese into English, word by word and phrase by phrase: enough for the requests these rules know.

use super::said::{Lang, Said, fold};

/// The request in English, as far as the words are known. What stands in quotation marks is left alone.
pub(super) fn english(text: &str, lang: Lang) -> String {
    if lang == Lang::En {
        return text.to_owned();
    }
    let said = Said::new(text);
    // Words in their order, with where they stand.
    let places = said.places(r"[\w'./:@-]+");
    let word = |place: &(usize, usize)| said.text().get(place.0..place.1).unwrap_or_default();
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    while at < places.len() {
        let longest = (1..=4.min(places.len() - at)).rev().find_map(|count| {
            let phrase: Vec<String> = places[at..at + count]
                .iter()
                .map(|place| bare(word(place)))
                .collect();
            let phrase = phrase.join(" ");
            let known = PHRASES.iter().find(|(portuguese, _)| *portuguese == phrase)?;
            Some((count, known.1))
        });
        let (count, english) = longest.unwrap_or((1, ""));
        let last = places[at + count - 1];
        if longest.is_none() {
            out.push(word(&places[at]).to_owned());
        } else if !english.is_empty() {
            // The mark behind the words stays.
            let next = places.get(at + count).map_or(said.text().len(), |place| place.0);
            let behind = said.text().get(last.1..next).unwrap_or_default().trim();
            let dot = word(&last)
                .chars()
                .last()
                .filter(|c| matches!(c, '.' | ':'))
                .map(String::from);
            out.push(format!("{english}{}{behind}", dot.unwrap_or_default()));
        }
        at += count;
    }
    out.join(" ")
}

fn bare(word: &str) -> String {
    fold(word.trim_end_matches(['.', ':', '\'']))
}

const PHRASES: &[(&str, &str)] = &[
    ("adiciono", "add"),
    ("chave", "key"),
    ("chave de api", "API key"),
    ("chaves", "keys"),
    ("como", "how"),
    ("como eu", "how do I"),
    ("como posso", "how can I"),
    ("compartilhar", "share"),
    ("compartilho", "share"),
    ("componentes", "components"),
    ("conectar", "connect"),
    ("conecto", "connect"),
    ("erro", "error"),
    ("escrevo", "write"),
    ("executar", "run"),
    ("executo", "run"),
    ("funciona", "works"),
    ("modelos", "models"),
    ("onde", "where"),
    ("pela", "through the"),
    ("por que", "why"),
    ("publicar", "deploy"),
    ("publico", "deploy"),
    ("usar", "use"),
    ("uso", "use"),
    ("a calculadora", "the calculator"),
    ("a entrada de chat", "the chat input"),
    ("a saida de chat", "the chat output"),
    ("adicione", "add"),
    ("adicionar", "add"),
    ("agente", "agent"),
    ("ao", "to the"),
    ("altere", "change"),
    ("arquivo", "file"),
    ("arquivo markdown", "markdown file"),
    ("bom dia", "good morning"),
    ("busca na web", "web search"),
    ("calculadora", "calculator"),
    ("chatbot simples", "simple chatbot"),
    ("chamado", "called"),
    ("com", "with"),
    ("com memoria", "with memory"),
    ("como funciona", "how does it work:"),
    ("componente", "component"),
    ("componente de memoria", "memory component"),
    ("conecte", "connect"),
    ("conta", "counts"),
    ("conte", "count"),
    ("construa", "build"),
    ("converte", "converts"),
    ("crie", "create"),
    ("criar", "create"),
    ("cria", "create"),
    ("da", "of the"),
    ("das", "of the"),
    ("de", "of"),
    ("desconecte", "disconnect"),
    ("do", "of the"),
    ("documentando", "documenting"),
    ("documente", "document"),
    ("e", "and"),
    ("em maiusculas", "to upper case"),
    ("em minusculas", "to lower case"),
    ("em uma tabela", "in a table"),
    ("entrada de chat", "chat input"),
    ("escreva", "write"),
    ("este", "this"),
    ("esse", "this"),
    ("execute", "run"),
    ("explique", "explain"),
    ("faca", "make"),
    ("ferramenta", "tool"),
    ("ferramentas", "tools"),
    ("fluxo", "flow"),
    ("fluxos", "flows"),
    ("gere", "generate"),
    ("leia", "read"),
    ("ligue", "connect"),
    ("maiusculas", "upper case"),
    ("memoria", "memory"),
    ("modelo", "model"),
    ("modelo de linguagem", "language model"),
    ("monte", "build"),
    ("mude", "change"),
    ("na", "in the"),
    ("no", "in the"),
    ("numeros", "numbers"),
    ("o", "the"),
    ("a", "the"),
    ("o que", "what"),
    ("o que e", "what is"),
    ("o fluxo", "the flow"),
    ("obrigado", "thank you"),
    ("obrigada", "thank you"),
    ("oi", "hi"),
    ("ola", "hello"),
    ("os", "the"),
    ("palavras", "words"),
    ("pagina web", "web page"),
    ("para", "to"),
    ("para mim", "for me"),
    ("para o", "to the"),
    ("pesquisa na web", "web search"),
    ("por favor", "please"),
    ("prompt do sistema", "system prompt"),
    ("qual", "which"),
    ("quais", "which"),
    ("que", "that"),
    ("remova", "remove"),
    ("renomeie", "rename"),
    ("responda", "answer"),
    ("resume", "summarises"),
    ("resuma", "summarise"),
    ("rode", "run"),
    ("rodar", "run"),
    ("saida de chat", "chat output"),
    ("saida", "output"),
    ("sem", "without"),
    ("simples", "simple"),
    ("sistema de suporte ao cliente", "customer support system"),
    ("soma", "adds"),
    ("tabela", "table"),
    ("texto", "text"),
    ("troque", "change"),
    ("um", "a"),
    ("um agente", "an agent"),
    ("uma", "a"),
    ("uma pagina web", "a web page"),
    ("use", "use"),
    ("voce", "you"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_requests_become_english() {
        for (portuguese, wanted) in [
            ("Crie um chatbot simples", "create a simple chatbot"),
            ("execute o fluxo", "run the flow"),
            ("Adicione um componente de memória.", "add a memory component."),
            ("conecte ChatInput ao Agent", "connect ChatInput to the Agent"),
            ("renomeie o agente para Helper", "rename the agent to Helper"),
        ] {
            assert_eq!(english(portuguese, Lang::Pt), wanted);
        }
        assert_eq!(english("run it", Lang::En), "run it");
    }
}
