//! How often components are kept, refused, offered and left out.

use metrics::{counter, histogram};

use super::{MAX_CLASS_NAME_LENGTH, MAX_COMPONENT_SOURCE_BYTES, check_class_name};

/// One that the assistant wrote.
pub fn kept() {
    counter!("assistant_user_component_registered_total").increment(1);
}

pub fn refused(is_somebody: bool, class: &str, code: &str) {
    let reason = reason(is_somebody, class, code);
    counter!("assistant_user_component_register_refused_total", "reason" => reason).increment(1);
}

fn reason(is_somebody: bool, class: &str, code: &str) -> &'static str {
    if !is_somebody {
        "anonymous_user"
    } else if class.is_empty() {
        "empty_class_name"
    } else if class.chars().count() > MAX_CLASS_NAME_LENGTH {
        "length_exceeded"
    } else if check_class_name(class).is_err() {
        "unsafe_class_name"
    } else if code.len() as u64 > MAX_COMPONENT_SOURCE_BYTES {
        "oversize_code"
    } else {
        "other"
    }
}

/// So many of a person's own are in the list of components that was made for them.
pub fn offered(own: usize) {
    histogram!("assistant_user_component_overlay_entries").record(own as f64);
}

/// One that a person keeps and that cannot be offered.
pub fn left_out(reason: &'static str) {
    counter!("assistant_user_component_overlay_skipped_total", "reason" => reason).increment(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_why() {
        let long = "A".repeat(MAX_CLASS_NAME_LENGTH + 1);
        let large = "#".repeat(MAX_COMPONENT_SOURCE_BYTES as usize + 1);
        for (is_somebody, class, code, expected) in [
            (false, "Sum", "", "anonymous_user"),
            (true, "", "", "empty_class_name"),
            (true, &long, "", "length_exceeded"),
            (true, "../Sum", "", "unsafe_class_name"),
            (true, "Sum", &large, "oversize_code"),
            (true, "Sum", "", "other"),
        ] {
            assert_eq!(reason(is_somebody, class, code), expected);
        }
    }
}
