//! Markdown into sections at its headings, and sections into units that can be shown on their own.

/// What stands below one heading.
pub(super) struct Section {
    /// Of the page.
    pub(super) title: String,
    pub(super) heading: String,
    pub(super) path: String,
    pub(super) units: Vec<Unit>,
    pub(super) weight: f64,
}

/// A sentence, a row of a table, an entry of a list, a line of code.
pub(super) struct Unit {
    pub(super) text: String,
    pub(super) code: bool,
    /// Something ends with it: a paragraph, a table, a list.
    pub(super) last: bool,
}

impl Section {
    pub(super) fn new(title: String, heading: String, path: String, body: &str, weight: f64) -> Self {
        Self {
            title,
            heading,
            path,
            units: units(body),
            weight,
        }
    }
}

/// The sections of a page that have something in them.
pub(super) fn split(path: &str, text: &str, weight: f64) -> Vec<Section> {
    let mut title = String::new();
    let mut sections = Vec::new();
    let mut heading = String::new();
    let mut body = String::new();
    let mut anchors: Vec<String> = Vec::new();
    let mut in_code = false;
    let mut end = |title: &str, heading: &str, body: &mut String| {
        let place = if heading == title || heading.is_empty() {
            path.to_owned()
        } else {
            let anchor = anchor(heading);
            let before = anchors.iter().filter(|known| **known == anchor).count();
            anchors.push(anchor.clone());
            let number = if before == 0 {
                String::new()
            } else {
                format!("-{before}")
            };
            format!("{path}#{anchor}{number}")
        };
        let section = Section::new(title.to_owned(), plain(heading), place, body, weight);
        if !section.units.is_empty() {
            sections.push(section);
        }
        body.clear();
    };
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        let level = line.bytes().take_while(|&byte| byte == b'#').count();
        if in_code || level == 0 || !line[level..].starts_with(' ') {
            body.push_str(line);
            body.push('\n');
            continue;
        }
        end(&title, &heading, &mut body);
        line[level..].trim().clone_into(&mut heading);
        if level == 1 {
            title = plain(&heading);
        }
    }
    end(&title, &heading, &mut body);
    sections
}

/// As pages of this kind are linked to.
fn anchor(heading: &str) -> String {
    let kept = plain(heading).to_lowercase();
    let kept = kept
        .chars()
        .filter(|&c| c.is_alphanumeric() || c == ' ' || c == '-' || c == '_');
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn units(body: &str) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut paragraph = String::new();
    let mut in_code = false;
    for line in body.lines().chain([""]) {
        let trimmed = line.trim();
        let fence = trimmed.starts_with("```");
        let entry = trimmed.starts_with("- ") || trimmed.starts_with("* ") || numbered(trimmed);
        let row = trimmed.starts_with('|');
        if in_code && !fence {
            push(&mut units, trimmed.to_owned(), true);
            continue;
        }
        if trimmed.is_empty() || fence || entry || row {
            sentences(&mut units, &std::mem::take(&mut paragraph));
            end_block(&mut units);
        }
        if fence || trimmed.is_empty() {
            in_code ^= fence;
        } else if row {
            push(&mut units, cells(trimmed), false);
            end_block(&mut units);
        } else {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(trimmed);
        }
    }
    units
}

fn end_block(units: &mut [Unit]) {
    if let Some(unit) = units.last_mut() {
        unit.last = true;
    }
}

fn numbered(line: &str) -> bool {
    line.split_once(". ")
        .is_some_and(|(number, _)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A row as a line: `first: second · third`. Lines that only draw the table are nothing.
fn cells(row: &str) -> String {
    if row.chars().all(|c| "|-: ".contains(c)) {
        return String::new();
    }
    let cells: Vec<String> = row
        .trim_matches('|')
        .split(" | ")
        .map(|cell| plain(cell.trim_matches(['|', ' '])))
        .collect();
    let filled: Vec<&str> = cells
        .iter()
        .map(String::as_str)
        .filter(|cell| !cell.is_empty())
        .collect();
    match filled.split_first() {
        Some((first, rest)) if !rest.is_empty() => format!("{first}: {}", rest.join(" · ")),
        Some((first, _)) => (*first).to_owned(),
        None => String::new(),
    }
}

fn sentences(units: &mut Vec<Unit>, paragraph: &str) {
    // The list of what is on a page answers nothing.
    if paragraph.starts_with("Contents:") {
        return;
    }
    let text = plain(paragraph);
    let mut from = 0;
    for (at, _) in text
        .match_indices(". ")
        .chain(text.match_indices("? "))
        .collect::<std::collections::BTreeMap<_, _>>()
    {
        let goes_on = text[at + 2..].chars().next().is_some_and(char::is_lowercase);
        if !goes_on && at > from + 20 {
            push(units, text[from..=at].trim().to_owned(), false);
            from = at + 1;
        }
    }
    push(units, text[from..].trim().to_owned(), false);
}

fn push(units: &mut Vec<Unit>, text: String, code: bool) {
    if !text.is_empty() {
        units.push(Unit {
            text,
            code,
            last: false,
        });
    }
}

/// Without links, pictures and emphasis: the words and the code stay.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, link) = rest.split_at(open);
        let target = link.find("](").and_then(|middle| {
            let inner = &link[1..middle];
            let end = link[middle..].find(')')? + middle;
            (!inner.contains('[')).then_some((inner, end))
        });
        match target {
            Some((inner, end)) => {
                out.push_str(before.strip_suffix('!').unwrap_or(before));
                out.push_str(inner);
                rest = &link[end + 1..];
            }
            None => {
                out.push_str(before);
                out.push('[');
                rest = &link[1..];
            }
        }
    }
    out.push_str(rest);
    out.replace("**", "")
}
