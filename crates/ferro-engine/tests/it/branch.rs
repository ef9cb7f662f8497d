//! A router takes one branch, and the other does not run.

use expect_test::expect;

use crate::support::check;

const FORK: &str = "r Router in=x go=left; a Add; b Add; r.left -> a.in; r.right -> b.in";

#[test]
fn only_the_branch_taken_runs() {
    check(
        FORK,
        expect![[r#"
        start r
        done r x | x
        start a
        done a xa
        skip b inactive
        ended completed
    "#]],
    );
    check(
        &FORK.replace("go=left", "go=right"),
        expect![[r#"
        start r
        done r x | x
        skip a inactive
        start b
        done b xb
        ended completed
    "#]],
    );
}

#[test]
fn a_join_behind_a_router_runs_with_what_was_typed_for_the_branch_not_taken() {
    let join = format!("{FORK}; j Join a=A b=B; a.out -> j.a; b.out -> j.b");
    check(
        &join,
        expect![[r#"
        start r
        done r x | x
        start a
        done a xa
        skip b inactive
        start j
        done j xa+B
        ended completed
    "#]],
    );
}

#[test]
fn a_router_wired_straight_into_both_fields_of_a_join() {
    check(
        "r Router in=x go=right; j Join a=A b=B; r.left -> j.a; r.right -> j.b",
        expect![[r#"
        start r
        done r x | x
        start j
        done j A+x
        ended completed
    "#]],
    );
}

#[test]
fn one_field_fed_by_both_branches_takes_the_one_that_came() {
    check(
        &format!("{FORK}; j Echo; a.out -> j.in; b.out -> j.in"),
        expect![[r#"
        start r
        done r x | x
        start a
        done a xa
        skip b inactive
        start j
        done j xa
        ended completed
    "#]],
    );
}

#[test]
fn a_router_behind_a_router() {
    check(
        "r Router in=x go=left; s Router go=right; a Add; b Add; c Add
         r.left -> s.in; r.right -> a.in; s.left -> b.in; s.right -> c.in",
        expect![[r#"
            start r
            done r x | x
            start s
            done s x | x
            skip a inactive
            skip b inactive
            start c
            done c xc
            ended completed
        "#]],
    );
}

#[test]
fn what_is_said_about_a_router_names_what_it_made_inactive() {
    crate::support::block_on(async {
        let past = crate::support::run(FORK).await;
        let inactivated = past.events.iter().find_map(|event| match &event.body {
            ferro_engine::Body::NodeFinished { at, result } if &*at.node == "r" => {
                Some(result.inactivated.clone())
            }
            _ => None,
        });
        assert_eq!(inactivated.unwrap(), ["b".into()]);
    });
}

#[test]
fn a_router_in_a_circle_does_not_protect_what_the_next_round_would_reach() {
    // `k` also takes the text of the round; it is on the branch not taken all the same.
    check(
        "s Echo in=x; e Add; u Until size=3; k Join; v Until size=5; z Upper
         s.out -> e.in; e.out -> u.in; u.again -> e.in; u.done -> k.a; e.out -> k.b; k.out -> v.in; v.again -> e.in; v.done -> z.in",
        expect![[r#"
            start s
            done s x
            start e[0]
            done e[0] xe
            start u[0]
            done u[0] xe | xe
            skip k[0] inactive
            skip v[0] inactive
            round e[1] 2
            start e[1]
            done e[1] xee
            start u[1]
            done u[1] xee | xee
            start k[1]
            done k[1] xee+xee
            start v[1]
            done v[1] xee+xee | xee+xee
            start z
            done z XEE+XEE
            ended completed
        "#]],
    );
}
