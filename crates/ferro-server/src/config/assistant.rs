//! What an operator may say about the assistant.

use super::Options;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assistant {
    /// Off, its addresses answer that they are not available.
    pub enabled: bool,
    /// Try a flow out before it is proposed.
    pub verify: bool,
    /// Earlier turns of a session that a model is told.
    pub history: usize,
    /// Turns under way at once, of all people together.
    pub turns: usize,
}

impl Default for Assistant {
    fn default() -> Self {
        Self {
            enabled: true,
            verify: true,
            history: 6,
            turns: 256,
        }
    }
}

impl Assistant {
    pub(super) fn resolve(options: &Options, file: &Options) -> Self {
        let usual = Self::default();
        let history = options.assistant_history.or(file.assistant_history);
        let turns = options.assistant_turns.or(file.assistant_turns);
        Self {
            enabled: options.assistant.or(file.assistant).unwrap_or(usual.enabled),
            verify: options
                .assistant_verify
                .or(file.assistant_verify)
                .unwrap_or(usual.verify),
            history: history.unwrap_or(usual.history).min(100),
            turns: turns.unwrap_or(usual.turns).clamp(1, 100_000),
        }
    }
}
