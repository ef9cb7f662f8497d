//! Input made to break the reader. Everything runs on the test's own small stack.

use super::{check, codes};
use ferro_python::analysis::{MAX_SOURCE, scan};
use std::time::{Duration, Instant};

/// Generous: a test machine may be busy and the build unoptimised.
const LIMIT: Duration = Duration::from_secs(30);

fn ends(name: &str, code: &str) -> Vec<&'static str> {
    let start = Instant::now();
    let found = scan(code);
    let _ = check(code);
    let took = start.elapsed();
    assert!(took < LIMIT, "{name}: {took:?}");
    codes(&found)
}

fn fill(unit: &str) -> String {
    unit.repeat((MAX_SOURCE - 64) / unit.len())
}

#[test]
fn deep_nesting_is_refused() {
    let chains = [
        ("minus", format!("{}1", fill("-"))),
        ("not", format!("{}1", fill("not "))),
        (
            "parentheses",
            format!("{}1{}", "(".repeat(125_000), ")".repeat(125_000)),
        ),
        (
            "lists",
            format!("{}1{}", "[".repeat(125_000), "]".repeat(125_000)),
        ),
        (
            "dicts",
            format!("{}1{}", "{1:".repeat(60_000), "}".repeat(60_000)),
        ),
        ("calls", format!("f{}", fill("()"))),
        ("attributes", format!("f{}", fill(".a"))),
        ("subscripts", format!("f{}", fill("[0]"))),
        ("sums", format!("1{}", fill("+1"))),
        ("powers", format!("1{}", fill("**1"))),
        ("lambdas", format!("{}1", fill("lambda:"))),
        ("conditionals", format!("{}1", fill("1 if 1 else "))),
        ("awaits", format!("async def f():\n {}1", fill("await "))),
        ("stars", format!("f({}1)", fill("*"))),
        (
            "patterns",
            format!(
                "match 1:\n case {}1{}: pass",
                "[".repeat(120_000),
                "]".repeat(120_000)
            ),
        ),
        (
            "f-strings",
            format!("{}1{}", "f'{".repeat(50_000), "}'".repeat(50_000)),
        ),
    ];
    for (name, code) in chains {
        let found = ends(name, &code);
        // Parentheses alone leave no trace in the tree; what does not parse cannot run.
        assert!(found.is_empty() || found == ["too-deep"], "{name}: {found:?}");
        if matches!(
            name,
            "minus" | "not" | "lists" | "calls" | "attributes" | "subscripts" | "sums" | "lambdas"
        ) {
            assert_eq!(found, ["too-deep"], "{name}");
        }
    }
}

#[test]
fn what_is_just_not_too_deep_is_read() {
    let n = 900;
    let eval = "eval('1')";
    let blocks = |head: &str, levels: usize| {
        let heads: String = (0..levels)
            .map(|level| format!("{}{head}:\n", " ".repeat(level)))
            .collect();
        format!("{heads}{}{eval}\n", " ".repeat(levels))
    };
    let finally: String = (0..300)
        .rev()
        .map(|level| format!("{}finally: pass\n", " ".repeat(level)))
        .collect();
    for (name, code) in [
        ("minus", format!("{}{eval}", "-".repeat(n))),
        ("lists", format!("{}{eval}{}", "[".repeat(n), "]".repeat(n))),
        ("dicts", format!("{}{eval}{}", "{1:".repeat(n), "}".repeat(n))),
        ("calls", format!("{}{eval}{}", "f(".repeat(n), ")".repeat(n))),
        (
            "getattr",
            format!("{}{eval}{}", "getattr(".repeat(n), ", 'a')".repeat(n)),
        ),
        ("attributes", format!("{eval}{}", ".a".repeat(n))),
        ("sums", format!("{eval}{}", "+1".repeat(n))),
        ("subscripts", format!("{}{eval}{}", "f[".repeat(n), "]".repeat(n))),
        ("lambdas", format!("{}{eval}", "lambda:".repeat(n))),
        ("conditionals", format!("{}{eval}", "1 if 1 else ".repeat(n))),
        (
            "comprehensions",
            format!("{}{eval}{}", "[".repeat(n / 2), " for x in y]".repeat(n / 2)),
        ),
        (
            "f-strings",
            format!("{}{eval}{}", "f'{".repeat(n / 4), "}'".repeat(n / 4)),
        ),
        ("ifs", blocks("if x", 400)),
        ("functions", blocks("def f()", 400)),
        ("classes", blocks("class A", 400)),
        ("tries", format!("{}{finally}", blocks("try", 300))),
    ] {
        assert_eq!(ends(name, &code), ["unsafe-code"], "{name}");
    }
}

#[test]
fn deep_blocks_are_refused_or_read() {
    let mut code = String::new();
    for level in 0..700 {
        code.push_str(&" ".repeat(level));
        code.push_str("if x:\n");
    }
    code.push_str(&" ".repeat(700));
    code.push_str("eval('1')\n");
    let found = ends("blocks", &code);
    assert!(
        found == ["unsafe-code"] || found == ["too-deep"] || found == ["too-long"],
        "{found:?}"
    );
}

#[test]
fn too_long_code_is_refused_unread() {
    let code = "x = 1\n".repeat(MAX_SOURCE / 6 + 1);
    assert_eq!(ends("long", &code), ["too-long"]);
    assert_eq!(codes(&check(&code).diagnostics), ["too-long"]);
}

#[test]
fn nul_hides_nothing() {
    assert_eq!(ends("nul", "x = 1\0\neval('1')\n"), ["nul-byte"]);
    assert_eq!(codes(&check("\0").diagnostics), ["nul-byte"]);
}

#[test]
fn nothing_is_no_code() {
    for code in ["", " ", "\n\n", "\u{feff}", "\t\r\n\u{c}"] {
        assert_eq!(scan(code), [], "{code:?}");
        assert!(!check(code).diagnostics.is_empty(), "{code:?}");
    }
}

#[test]
fn odd_line_ends_and_blanks_are_read() {
    for code in [
        "x = 1\r\neval('1')\r\n",
        "x = 1\reval('1')\r",
        "x = 1\n\u{c}eval('1')\n",
        "if x:\n\teval('1')\n",
    ] {
        assert_eq!(codes(&scan(code)), ["unsafe-code"], "{code:?}");
    }
}

#[test]
fn doubling_work_ends() {
    let mut loops = String::from("import os\na = b = c = d = None\n");
    for level in 0..18 {
        loops.push_str(&format!("{}for x{level} in y:\n", " ".repeat(level)));
    }
    let inside = " ".repeat(18);
    loops.push_str(&format!(
        "{inside}a.system(1)\n{inside}a, b, c, d = b, c, d, os\n"
    ));
    assert!(!ends("loops", &loops).is_empty());

    let getattrs = format!("{}x{}", "getattr(".repeat(900), ", 'a')".repeat(900));
    ends("getattr", &getattrs);
    let joins = format!("x = {}'a'{}", "''.join([".repeat(450), "])".repeat(450));
    ends("joins", &joins);
    let tuples = format!(
        "{}a{} = {}b{}",
        "(".repeat(450),
        ",)".repeat(450),
        "(".repeat(450),
        ",)".repeat(450)
    );
    ends("tuples", &tuples);

    let mut aliases = String::from("import os\n");
    for index in 0..6000 {
        aliases.push_str(&format!("if x: a{index} = os\n"));
    }
    ends("aliases", &aliases);

    let sums = format!(
        "a = 'a' if x else 'b'\n{}",
        "a = a + a if x else a + 'c'\n".repeat(5000)
    );
    ends("sums", &sums);
}

#[test]
fn many_findings_are_capped() {
    let found = scan(&"eval('1');".repeat(20_000));
    assert!((1..=101).contains(&found.len()), "{}", found.len());
    let imports = check(&"import é;".repeat(20_000)).imports;
    assert!(imports.len() <= 1000, "{}", imports.len());
    let class = format!(
        "class A(Component):\n outputs=[{}]",
        "Output(name='a b',method='f'),".repeat(7000)
    );
    assert!(check(&class).diagnostics.len() <= 200);
}
