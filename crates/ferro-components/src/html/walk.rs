//! A page as tags and texts, one after the other.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

pub(crate) enum Piece<'a> {
    Open(Open<'a>),
    Close(&'a str),
    Text(&'a str),
}

pub(crate) struct Open<'a>(&'a Tag);

impl<'a> Open<'a> {
    pub(crate) fn name(&self) -> &'a str {
        &self.0.name
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<&'a str> {
        let found = self
            .0
            .attrs
            .iter()
            .find(|attribute| &*attribute.name.local == name)?;
        Some(&found.value)
    }

    pub(crate) fn has_class(&self, class: &str) -> bool {
        self.attribute("class")
            .is_some_and(|all| all.split_ascii_whitespace().any(|known| known == class))
    }
}

/// Tells `take` every tag and every piece of text. Entities have been replaced; comments are left out.
pub(crate) fn walk(html: &str, take: impl FnMut(Piece<'_>)) {
    let tokenizer = Tokenizer::new(Sink(RefCell::new(take)), TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(html));
    // It pauses only for scripts, which `Sink` never asks for.
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
}

struct Sink<F>(RefCell<F>);

impl<F: FnMut(Piece<'_>)> TokenSink for Sink<F> {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut take = self.0.borrow_mut();
        match token {
            Token::CharacterTokens(text) => take(Piece::Text(&text)),
            Token::TagToken(tag) if tag.kind == TagKind::EndTag => take(Piece::Close(&tag.name)),
            Token::TagToken(tag) => {
                take(Piece::Open(Open(&tag)));
                return match &*tag.name {
                    "script" => TokenSinkResult::RawData(RawKind::ScriptData),
                    "style" | "xmp" | "iframe" | "noembed" | "noframes" => {
                        TokenSinkResult::RawData(RawKind::Rawtext)
                    }
                    "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
                    _ => TokenSinkResult::Continue,
                };
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}
