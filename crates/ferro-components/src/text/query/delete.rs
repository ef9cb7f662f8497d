//! Taking keys and entries out of a value.

use serde_json::Value as Json;

use super::eval::{Item, Walk};
use super::tree::{Expr, Hop};

/// Takes keys and entries away. Only plain paths can be named.
pub(super) fn delete(walk: &mut Walk, argument: &Expr, input: Item<'_>) -> Result<Json, String> {
    let mut value = walk.own(input)?;
    let paths = match argument {
        Expr::Comma(paths) => paths.as_slice(),
        one => std::slice::from_ref(one),
    };
    for path in paths {
        let Expr::Path(start, hops) = path else {
            return Err("del takes a path such as .a.b".to_owned());
        };
        let Some((last, way)) = hops.split_last().filter(|_| matches!(**start, Expr::Identity)) else {
            return Err("del takes a path such as .a.b".to_owned());
        };
        let Some(place) = follow(&mut value, way)? else {
            continue;
        };
        match (place, last) {
            (Json::Object(map), Hop::Key(key)) => {
                map.remove(key);
            }
            (Json::Object(map), Hop::At(Expr::Literal(Json::String(key)))) => {
                map.remove(key);
            }
            (Json::Array(items), Hop::At(Expr::Literal(Json::Number(at)))) => {
                if let Some(at) = at
                    .as_u64()
                    .and_then(|at| usize::try_from(at).ok())
                    .filter(|&at| at < items.len())
                {
                    items.remove(at);
                }
            }
            _ => return Err("del takes a path such as .a.b or .list[0]".to_owned()),
        }
    }
    Ok(value)
}

fn follow<'v>(mut place: &'v mut Json, way: &[Hop]) -> Result<Option<&'v mut Json>, String> {
    for hop in way {
        match step(place, hop)? {
            Some(next) => place = next,
            None => return Ok(None),
        }
    }
    Ok(Some(place))
}

fn step<'v>(place: &'v mut Json, hop: &Hop) -> Result<Option<&'v mut Json>, String> {
    match (place, hop) {
        (Json::Object(map), Hop::Key(key) | Hop::At(Expr::Literal(Json::String(key)))) => {
            Ok(map.get_mut(key))
        }
        (Json::Array(items), Hop::At(Expr::Literal(Json::Number(at)))) => Ok(at
            .as_u64()
            .and_then(|at| usize::try_from(at).ok())
            .and_then(|at| items.get_mut(at))),
        (Json::Null, _) => Ok(None),
        _ => Err("del takes a path such as .a.b or .list[0]".to_owned()),
    }
}
