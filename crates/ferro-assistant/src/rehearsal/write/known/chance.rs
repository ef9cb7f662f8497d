//! Chance and time.

use super::super::Component;
use super::{Draft, field, given};
use crate::rehearsal::said::{Lang, Said};

pub(super) fn known(said: &Said, lang: Lang) -> Option<Component> {
    if said.has(r"\bdices?\b|\bdie\b|\bdados?\b.*\b(?:jog|rol|lanc)\w*\b|\b(?:jog|rol|lanc)\w*\b.*\bdados?\b")
    {
        let draft = Draft {
            class: "RollDice",
            label: ("Roll Dice", "Jogar Dados"),
            description: ("Rolls dice and adds them up.", "Joga dados e soma os pontos."),
            icon: "dices",
            method: "roll_dice",
        };
        let number = |name: &'static str, label: (&str, &str), value: u32| {
            let mut field = field(
                "IntInput",
                name,
                lang.say(label.0, label.1),
                lang.say("A whole number from 1.", "Um número inteiro a partir de 1."),
            );
            field.more = format!("value={value}");
            field
        };
        let fields = vec![
            number("dice", ("Dice", "Dados"), 1),
            number("sides", ("Sides", "Lados"), 6),
        ];
        let body = [
            "dice = max(1, min(int(self.dice or 1), 1000))",
            "sides = max(1, int(self.sides or 6))",
            "result = sum(random.randint(1, sides) for _ in range(dice))",
        ];
        let mut component = draft.with(lang, fields, &body);
        component.imports = vec!["import random"];
        return Some(component);
    }
    if said.has(r"\brandom\w*\b|\bcoins?\b|\bmoedas?\b|\baleatori\w+\b|\bsorte\w+\b|\bacaso\b") {
        let draft = Draft {
            class: "ChooseRandom",
            label: ("Random Choice", "Escolha Aleatória"),
            description: (
                "Chooses one of several things at random.",
                "Escolhe ao acaso uma de várias coisas.",
            ),
            icon: "shuffle",
            method: "choose_one",
        };
        let mut options = field(
            "MessageTextInput",
            "options",
            lang.say("Options", "Opções"),
            lang.say("Separated by commas.", "Separadas por vírgulas."),
        );
        let coin = lang.say("heads, tails", "cara, coroa");
        options.more = given(
            said,
            0,
            if said.has(r"\bcoins?\b|\bmoedas?\b") {
                coin
            } else {
                "red, green, blue"
            },
        );
        let body = [
            "options = [option.strip() for option in (self.options or \"\").split(\",\") if option.strip()]",
            "if not options:",
            "    raise ValueError(\"Fill in at least one option.\")",
            "result = random.choice(options)",
        ];
        let mut component = draft.with(lang, vec![options], &body);
        component.imports = vec!["import random"];
        return Some(component);
    }
    if said.has(r"\b(?:current|today'?s?|now)\b.*\b(?:dates?|times?|day)\b|\b(?:date|time) (?:and (?:the )?(?:date|time)|now|today)\b|\b(?:data|hora) (?:e (?:a )?hora|atual|de hoje|atuais)\b|\bque horas\b") {
        let draft = Draft {
            class: "TellTime",
            label: ("Date and Time", "Data e Hora"),
            description: ("Tells the date and time in UTC.", "Diz a data e a hora em UTC."),
            icon: "clock",
            method: "tell_time",
        };
        let mut format = field("MessageTextInput", "pattern", lang.say("Format", "Formato"), lang.say("As strftime has it.", "Como no strftime."));
        format.more = "value=\"%Y-%m-%d %H:%M:%S\"".to_owned();
        let body = ["result = datetime.now(timezone.utc).strftime(self.pattern or \"%Y-%m-%d %H:%M:%S\")"];
        let mut component = draft.with(lang, vec![format], &body);
        component.imports = vec!["from datetime import datetime, timezone"];
        return Some(component);
    }
    None
}
