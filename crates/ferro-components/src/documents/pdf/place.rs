//! Where text stands on a page, to tell lines and words apart.

use lopdf::Object;
use lopdf::content::Operation;

use super::{Font, number};

/// `[a b c d e f]`, as PDF writes it.
type Matrix = [f32; 6];

const UNMOVED: Matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
/// Deeper states are not kept: no page needs them.
const MAX_STATES: usize = 128;

/// `first`, and then `then`.
fn after(first: &Matrix, then: &Matrix) -> Matrix {
    let [a, b, c, d, e, f] = *first;
    let [g, h, i, j, k, l] = *then;
    [
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + l,
    ]
}

fn moved(by: &Matrix, x: f32, y: f32) -> Matrix {
    after(&[1.0, 0.0, 0.0, 1.0, x, y], by)
}

pub(super) struct Writer {
    out: String,
    pub(super) size: f32,
    leading: f32,
    page: Matrix,
    states: Vec<Matrix>,
    /// Begins of the line, and of the next text.
    line: Matrix,
    text: Matrix,
    last: Option<Spot>,
    /// The next text was put somewhere, instead of going on behind the last.
    put: bool,
}

/// Where the last text ended.
struct Spot {
    x: f32,
    y: f32,
    /// Letters of it whose width had to be guessed.
    guessed: usize,
}

impl Default for Writer {
    fn default() -> Self {
        Self {
            out: String::new(),
            size: 12.0,
            leading: 0.0,
            page: UNMOVED,
            states: Vec::new(),
            line: UNMOVED,
            text: UNMOVED,
            last: None,
            put: false,
        }
    }
}

impl Writer {
    pub(super) fn finish(self) -> String {
        let lines: Vec<&str> = self.out.lines().map(str::trim_end).collect();
        lines.join("\n").trim().to_owned()
    }

    pub(super) fn enter(&mut self, matrix: Option<Matrix>) {
        self.push();
        self.page = after(&matrix.unwrap_or(UNMOVED), &self.page);
    }

    pub(super) fn leave(&mut self) {
        self.page = self.states.pop().unwrap_or(self.page);
    }

    fn push(&mut self) {
        if self.states.len() < MAX_STATES {
            self.states.push(self.page);
        }
    }

    pub(super) fn take(&mut self, operation: &Operation, font: Option<&Font<'_>>) {
        match operation.operator.as_str() {
            "q" => self.push(),
            "Q" => self.leave(),
            "cm" => {
                if let Some(matrix) = matrix(operation) {
                    self.page = after(&matrix, &self.page);
                }
            }
            "BT" => self.put_at(UNMOVED),
            "Tm" => self.put_at(matrix(operation).unwrap_or(UNMOVED)),
            "TL" => self.leading = number(operation, 0).unwrap_or(0.0),
            "Td" | "TD" => {
                let (x, y) = (
                    number(operation, 0).unwrap_or(0.0),
                    number(operation, 1).unwrap_or(0.0),
                );
                if operation.operator == "TD" {
                    self.leading = -y;
                }
                self.put_at(moved(&self.line, x, y));
            }
            "T*" => self.next_line(),
            "Tj" => self.show(operation.operands.first(), font),
            "TJ" => self.show_spaced(operation.operands.first(), font),
            "'" => {
                self.next_line();
                self.show(operation.operands.first(), font);
            }
            "\"" => {
                self.next_line();
                self.show(operation.operands.get(2), font);
            }
            _ => {}
        }
    }

    fn put_at(&mut self, matrix: Matrix) {
        (self.line, self.text, self.put) = (matrix, matrix, true);
    }

    fn next_line(&mut self) {
        let down = if self.leading == 0.0 {
            self.size
        } else {
            self.leading
        };
        self.put_at(moved(&self.line, 0.0, -down));
    }

    fn show(&mut self, operand: Option<&Object>, font: Option<&Font<'_>>) {
        let (Some(Object::String(bytes, _)), Some(font)) = (operand, font) else {
            return;
        };
        let Some(text) = font.text(bytes).filter(|text| !text.is_empty()) else {
            return;
        };
        self.part();
        for c in text.chars() {
            match c {
                // Two letters drawn as one: people search for the letters.
                'ﬀ' => self.out.push_str("ff"),
                'ﬁ' => self.out.push_str("fi"),
                'ﬂ' => self.out.push_str("fl"),
                'ﬃ' => self.out.push_str("ffi"),
                'ﬄ' => self.out.push_str("ffl"),
                c if c.is_control() && !c.is_whitespace() => {}
                c => self.out.push(c),
            }
        }
        let letters = text.chars().count();
        let known = font.width(bytes);
        // Half the size is what letters are wide on average.
        let width = known.unwrap_or(letters as f32 * 500.0) / 1000.0 * self.size;
        self.text = moved(&self.text, width, 0.0);
        let at = after(&self.text, &self.page);
        self.last = Some(Spot {
            x: at[4],
            y: at[5],
            guessed: if known.is_some() { 0 } else { letters },
        });
        self.put = false;
    }

    fn show_spaced(&mut self, operand: Option<&Object>, font: Option<&Font<'_>>) {
        let Some(Object::Array(parts)) = operand else {
            return;
        };
        for part in parts {
            match part {
                Object::String(..) => self.show(Some(part), font),
                other => {
                    let back = other.as_float().unwrap_or(0.0);
                    self.text = moved(&self.text, -back / 1000.0 * self.size, 0.0);
                    // A gap wider than letters are moved for looks is a space between words.
                    if back < -180.0 {
                        self.space();
                    }
                }
            }
        }
    }

    /// Begins a line, or a word, when the next text stands apart from the last.
    fn part(&mut self) {
        let Some(last) = &self.last else { return };
        let at = after(&self.text, &self.page);
        let height = (self.size.abs() * at[2].hypot(at[3])).max(0.1);
        let down = (last.y - at[5]).abs();
        if down > height * 0.4 {
            while self.out.ends_with(' ') {
                self.out.pop();
            }
            self.out.push_str(if down > height * 1.9 { "\n\n" } else { "\n" });
            return;
        }
        if !self.put {
            return;
        }
        let gap = at[4] - last.x;
        let apart = match last.guessed {
            0 => gap > height * 0.15 || gap < -height,
            // A page that puts its letters one by one.
            1 => gap > height * 0.3 || gap < -height,
            _ => true,
        };
        if apart {
            self.space();
        }
    }

    fn space(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with(char::is_whitespace) {
            self.out.push(' ');
        }
    }
}

fn matrix(operation: &Operation) -> Option<Matrix> {
    let numbers: Vec<f32> = operation
        .operands
        .iter()
        .filter_map(|operand| operand.as_float().ok())
        .collect();
    numbers.try_into().ok()
}
