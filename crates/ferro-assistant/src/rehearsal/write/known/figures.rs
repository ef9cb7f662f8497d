//! Numbers.

use super::super::Component;
use super::{Draft, field};
use crate::rehearsal::said::{Lang, Said};

pub(super) fn known(said: &Said, lang: Lang) -> Option<Component> {
    if said.has(r"\bcelsius\b|\bfahrenheit\b|\btemperatur\w+\b") {
        let to_celsius = said.has(r"\bfahrenheit\b.*\bcelsius\b");
        let draft = Draft {
            class: "ConvertTemperature",
            label: ("Convert Temperature", "Converter Temperatura"),
            description: (
                "Converts degrees between Celsius and Fahrenheit.",
                "Converte graus entre Celsius e Fahrenheit.",
            ),
            icon: "thermometer",
            method: "convert_temperature",
        };
        let degrees = field(
            "FloatInput",
            "degrees",
            lang.say("Degrees", "Graus"),
            lang.say("The temperature.", "A temperatura."),
        );
        let mut way = field(
            "DropdownInput",
            "direction",
            lang.say("Direction", "Direção"),
            lang.say("From which to which.", "De qual para qual."),
        );
        let first = if to_celsius {
            "Fahrenheit to Celsius"
        } else {
            "Celsius to Fahrenheit"
        };
        way.more =
            format!("options=[\"Celsius to Fahrenheit\", \"Fahrenheit to Celsius\"], value=\"{first}\"");
        way.tool = false;
        let body = [
            "degrees = float(self.degrees or 0)",
            "if self.direction == \"Fahrenheit to Celsius\":",
            "    result = round((degrees - 32) * 5 / 9, 2)",
            "else:",
            "    result = round(degrees * 9 / 5 + 32, 2)",
        ];
        return Some(draft.with(lang, vec![degrees, way], &body));
    }
    let operations = [
        (
            r"\badds?\b|\badding\b|\baddition\b|\bsums?\b|\bplus\b|\bsom(?:a|ar|e|as)\b|\badicao\b",
            "AddNumbers",
            "add_numbers",
            "+",
            ("Add Numbers", "Somar Números"),
            ("Adds two numbers.", "Soma dois números."),
        ),
        (
            r"\bsubtract\w*\b|\bminus\b|\bdifference\b|\bsubtra\w+\b|\bdiferenca\b",
            "SubtractNumbers",
            "subtract_numbers",
            "-",
            ("Subtract Numbers", "Subtrair Números"),
            ("Takes one number from another.", "Subtrai um número de outro."),
        ),
        (
            r"\bmultipl\w+\b|\bproduct of\b|\bproduto de\b",
            "MultiplyNumbers",
            "multiply_numbers",
            "*",
            ("Multiply Numbers", "Multiplicar Números"),
            ("Multiplies two numbers.", "Multiplica dois números."),
        ),
        (
            r"\bdivid\w+\b|\bdivision\b|\bquotient\b|\bdivisao\b",
            "DivideNumbers",
            "divide_numbers",
            "/",
            ("Divide Numbers", "Dividir Números"),
            ("Divides one number by another.", "Divide um número por outro."),
        ),
    ];
    let numbers = said
        .has(r"\bnumbers?\b|\bnumeros?\b|\bvalues?\b|\bvalores?\b|\bintegers?\b|\binteiros?\b|\bfloats?\b");
    for (pattern, class, method, sign, label, description) in operations {
        if !numbers || !said.has(pattern) {
            continue;
        }
        let number = |name: &'static str, label: (&str, &str)| {
            field(
                "FloatInput",
                name,
                lang.say(label.0, label.1),
                lang.say("A number.", "Um número."),
            )
        };
        let fields = vec![
            number("first", ("First", "Primeiro")),
            number("second", ("Second", "Segundo")),
        ];
        let operation = format!("result = float(self.first or 0) {sign} float(self.second or 0)");
        let mut body = vec![
            operation.as_str(),
            "if abs(result) < 1e15 and result == int(result):",
            "    result = int(result)",
        ];
        if sign == "/" {
            body.insert(0, "if not self.second:");
            body.insert(1, "    raise ValueError(\"The second number must not be zero.\")");
        }
        let draft = Draft {
            class,
            label,
            description,
            icon: "calculator",
            method,
        };
        return Some(draft.with(lang, fields, &body));
    }
    None
}
