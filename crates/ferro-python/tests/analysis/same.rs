//! When two texts are the same code.

use ferro_python::analysis::{is_same, normalize};

#[test]
fn transport_changes_nothing() {
    let code = "class A(Component):\n    x = 1\n\n    def f(self):\n        return 1";
    for other in [
        code.replace('\n', "\r\n"),
        format!("\n\n  \n{code}\n\n"),
        code.replace('\n', "  \t\n"),
        format!("{code}   "),
    ] {
        assert!(is_same(code, &other), "{other:?}");
        assert_eq!(normalize(&other), code);
    }
}

#[test]
fn everything_else_does() {
    let code = "x = 1\ny = 2";
    for other in [
        "x = 1\ny = 3",
        " x = 1\ny = 2",
        "x = 1\n\ny = 2",
        "x  = 1\ny = 2",
        "x = 1\n# c\ny = 2",
        "",
    ] {
        assert!(!is_same(code, other), "{other:?}");
    }
    assert!(is_same("", "\n \r\n"));
    assert_eq!(normalize("a\rb"), "a\rb");
}
