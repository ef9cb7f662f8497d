//! The classes of a file and the lists they declare, followed through local bases, constants, spreads and sums.

use ruff_python_ast::{ExceptHandler, Expr, ExprCall, Operator, Stmt, StmtClassDef, StmtFunctionDef};
use std::collections::HashMap;

/// Following stops here; what was not followed counts as unknown.
const MOST_STEPS: usize = 10_000;
const MOST_HOPS: usize = 32;

/// A class at module level, its attributes and methods.
pub(super) struct Class<'a> {
    pub(super) def: &'a StmtClassDef,
    pub(super) attributes: HashMap<&'a str, &'a Expr>,
    pub(super) methods: HashMap<&'a str, Option<&'a StmtFunctionDef>>,
}

pub(super) struct Module<'a> {
    pub(super) classes: Vec<Class<'a>>,
    by_name: HashMap<&'a str, usize>,
    constants: HashMap<&'a str, &'a Expr>,
    /// `from x import Component as C`.
    imported: HashMap<&'a str, &'a str>,
}

/// The calls in a list; not `complete` when a part of it could not be followed.
pub(super) struct Declared<'a> {
    pub(super) calls: Vec<&'a ExprCall>,
    pub(super) complete: bool,
    steps: usize,
}

impl<'a> Module<'a> {
    pub(super) fn read(body: &'a [Stmt]) -> Self {
        let mut module = Self {
            classes: Vec::new(),
            by_name: HashMap::new(),
            constants: HashMap::new(),
            imported: HashMap::new(),
        };
        each(body, &mut |stmt| match stmt {
            Stmt::ClassDef(def) => {
                module.by_name.insert(def.name.as_str(), module.classes.len());
                module.classes.push(Class::read(def));
            }
            Stmt::ImportFrom(import) => {
                for alias in &import.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name);
                    module.imported.insert(name.as_str(), alias.name.as_str());
                }
            }
            other => assigned(other, &mut module.constants),
        });
        module
    }

    pub(super) fn class(&self, name: &str) -> Option<&Class<'a>> {
        self.by_name.get(name).and_then(|index| self.classes.get(*index))
    }

    /// The last part of a base's name, through an import alias.
    fn base_name(&self, base: &'a Expr) -> Option<&'a str> {
        match base {
            Expr::Name(name) => Some(
                self.imported
                    .get(name.id.as_str())
                    .copied()
                    .unwrap_or(name.id.as_str()),
            ),
            Expr::Attribute(attribute) => Some(attribute.attr.as_str()),
            Expr::Subscript(subscript) => self.base_name(&subscript.value),
            _ => None,
        }
    }

    /// The bases of a class defined in this file, and the names of the others.
    fn bases(&self, class: &Class<'a>) -> (Vec<&Class<'a>>, Vec<&'a str>) {
        let (mut local, mut others) = (Vec::new(), Vec::new());
        for base in class.def.bases() {
            match (base, self.base_name(base)) {
                (Expr::Name(name), _)
                    if self
                        .class(name.id.as_str())
                        .is_some_and(|found| !std::ptr::eq(found.def, class.def)) =>
                {
                    local.extend(self.class(name.id.as_str()));
                }
                (_, Some(name)) => others.push(name),
                (_, None) => others.push(""),
            }
        }
        (local, others)
    }

    /// The class and its local bases, nearest first, and whether no other base can add methods of its own.
    pub(super) fn lineage<'m>(&'m self, class: &'m Class<'a>) -> (Vec<&'m Class<'a>>, bool, bool) {
        let mut line: Vec<&Class<'a>> = vec![class];
        let (mut closed, mut is_component) = (true, false);
        let mut at = 0;
        while let Some(next) = line.get(at).copied() {
            let (local, others) = self.bases(next);
            for base in local {
                if line.len() < MOST_HOPS && !line.iter().any(|seen| std::ptr::eq(seen.def, base.def)) {
                    line.push(base);
                }
            }
            // `LCEmbeddingsModel` and its like are components too.
            is_component |= others
                .iter()
                .any(|name| name.contains("Component") || name.starts_with("LC"));
            closed &= others.iter().all(|name| {
                matches!(
                    *name,
                    "Component" | "CustomComponent" | "object" | "ABC" | "Generic"
                )
            });
            at += 1;
        }
        (line, closed, is_component)
    }

    /// The list a class attribute holds.
    pub(super) fn declared(&self, class: &Class<'a>, attribute: &str) -> Declared<'a> {
        let mut declared = Declared {
            calls: Vec::new(),
            complete: true,
            steps: 0,
        };
        self.follow_attribute(class, attribute, &mut declared, 0);
        declared
    }

    fn follow_attribute(&self, class: &Class<'a>, attribute: &str, into: &mut Declared<'a>, hops: usize) {
        let (line, closed, _) = self.lineage(class);
        match line
            .iter()
            .find_map(|class| class.attributes.get(attribute).map(|expr| (*class, *expr)))
        {
            Some((owner, expr)) => self.follow(owner, expr, into, hops + 1),
            None => into.complete &= closed,
        }
    }

    fn follow(&self, class: &Class<'a>, expr: &'a Expr, into: &mut Declared<'a>, hops: usize) {
        into.steps += 1;
        if into.steps > MOST_STEPS || hops > MOST_HOPS {
            into.complete = false;
            return;
        }
        match expr {
            Expr::List(list) => list
                .elts
                .iter()
                .for_each(|element| self.follow(class, element, into, hops)),
            Expr::Tuple(tuple) => tuple
                .elts
                .iter()
                .for_each(|element| self.follow(class, element, into, hops)),
            Expr::Starred(starred) => self.follow(class, &starred.value, into, hops),
            Expr::BinOp(sum) if sum.op == Operator::Add => {
                self.follow(class, &sum.left, into, hops);
                self.follow(class, &sum.right, into, hops);
            }
            Expr::Attribute(attribute) => match &*attribute.value {
                Expr::Name(name) => match self.class(name.id.as_str()) {
                    Some(other) => self.follow_attribute(other, attribute.attr.as_str(), into, hops + 1),
                    None => into.complete = false,
                },
                _ => into.complete = false,
            },
            Expr::Name(name) => match self.constant(class, name.id.as_str()) {
                Some(value) => self.follow(class, value, into, hops + 1),
                None => into.complete = false,
            },
            Expr::Call(call) => match copied(call) {
                Some(inner) => self.follow(class, inner, into, hops),
                None if is_declaration(call) => into.calls.push(call),
                None => into.complete = false,
            },
            _ => into.complete = false,
        }
    }

    fn constant(&self, class: &Class<'a>, name: &str) -> Option<&'a Expr> {
        class
            .attributes
            .get(name)
            .or_else(|| self.constants.get(name))
            .copied()
    }

    /// Text written out, or held by a constant.
    pub(super) fn text(&self, class: &Class<'a>, expr: &'a Expr) -> Option<String> {
        match expr {
            Expr::StringLiteral(literal) => Some(literal.value.to_str().to_owned()),
            Expr::Name(name) => match self.constant(class, name.id.as_str())? {
                Expr::StringLiteral(literal) => Some(literal.value.to_str().to_owned()),
                _ => None,
            },
            _ => None,
        }
    }
}

impl<'a> Class<'a> {
    fn read(def: &'a StmtClassDef) -> Self {
        let (mut attributes, mut methods) = (HashMap::new(), HashMap::new());
        each(&def.body, &mut |stmt| match stmt {
            Stmt::FunctionDef(method) => {
                methods.insert(method.name.as_str(), Some(method));
            }
            other => assigned(other, &mut attributes),
        });
        for name in attributes.keys() {
            methods.entry(*name).or_insert(None);
        }
        Self {
            def,
            attributes,
            methods,
        }
    }
}

/// Statements that run when the body runs, also those within `if`, `try` and `with`.
fn each<'a>(body: &'a [Stmt], take: &mut impl FnMut(&'a Stmt)) {
    for stmt in body {
        match stmt {
            Stmt::If(inner) => {
                each(&inner.body, take);
                inner
                    .elif_else_clauses
                    .iter()
                    .for_each(|clause| each(&clause.body, take));
            }
            Stmt::Try(inner) => {
                each(&inner.body, take);
                for ExceptHandler::ExceptHandler(handler) in &inner.handlers {
                    each(&handler.body, take);
                }
                each(&inner.orelse, take);
                each(&inner.finalbody, take);
            }
            Stmt::With(inner) => each(&inner.body, take),
            other => take(other),
        }
    }
}

fn assigned<'a>(stmt: &'a Stmt, into: &mut HashMap<&'a str, &'a Expr>) {
    match stmt {
        Stmt::Assign(assign) => {
            for target in &assign.targets {
                if let Expr::Name(name) = target {
                    into.insert(name.id.as_str(), &assign.value);
                }
            }
        }
        Stmt::AnnAssign(assign) => {
            if let (Expr::Name(name), Some(value)) = (&*assign.target, &assign.value) {
                into.insert(name.id.as_str(), value);
            }
        }
        _ => {}
    }
}

/// `list(x)`, `copy.deepcopy(x)`, `x.copy()`.
fn copied(call: &ExprCall) -> Option<&Expr> {
    match (&*call.func, &*call.arguments.args) {
        (Expr::Name(name), [inner]) if matches!(name.id.as_str(), "list" | "tuple" | "deepcopy" | "copy") => {
            Some(inner)
        }
        (Expr::Attribute(attribute), [inner]) if attribute.attr.as_str() == "deepcopy" => Some(inner),
        (Expr::Attribute(attribute), []) if attribute.attr.as_str() == "copy" => Some(&attribute.value),
        _ => None,
    }
}

/// A call of something that is written like a class: `StrInput(…)`, `io.Output(…)`.
fn is_declaration(call: &ExprCall) -> bool {
    let name = match &*call.func {
        Expr::Name(name) => name.id.as_str(),
        Expr::Attribute(attribute) => attribute.attr.as_str(),
        _ => return false,
    };
    name.chars().next().is_some_and(char::is_uppercase)
}
