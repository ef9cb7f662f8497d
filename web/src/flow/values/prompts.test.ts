import { describe, expect, it } from "vitest";
import { countWords, promptPieces, promptProblem, promptVariables, variablesChanged } from "./prompts";

function check(source: string, mustache: boolean, names: string[], problem: string | null): void {
  expect([source, promptVariables(source, mustache), promptProblem(source, mustache)?.kind ?? null]).toEqual([source, names, problem]);
}

describe("a prompt", () => {
  it("has its variables in single braces", () => {
    check("{a} and {b}, {a} again", false, ["a", "b"], null);
    check("{ spaced }", false, ["spaced"], null);
    check('{{"json": {value}}}', false, ["value"], null);
    check("{größe} {x-1}", false, ["größe", "x-1"], null);
    check("", false, [], null);
  });

  it("is still marked where something else is wrong", () => {
    check("{bad name} {good}", false, ["good"], "bad_name");
    check("{open {good}", false, ["good"], "no_end");
    check("a } {good}", false, ["good"], "no_start");
    check("{} {good}", false, ["good"], "no_name");
    check("{code}", false, [], "taken");
    check("end {", false, [], "no_end");
  });

  it("may have them in double braces", () => {
    check("{{ name }} {single}", true, ["name"], null);
    check("{{#each}} {{a}}", true, ["a"], "bad_name");
    check("{{a}} {{b", true, ["a"], "no_end");
  });

  it("is cut at its variables and whole again when joined", () => {
    const source = "Hi {name}, {{json}} {x}";
    const pieces = promptPieces(source, false);
    expect(pieces.map((piece) => piece.text).join("")).toBe(source);
    expect(pieces.filter((piece) => piece.name !== null).map((piece) => piece.text)).toEqual(["{name}", "{x}"]);
  });

  it("gives its node other inputs only when it can be read", () => {
    expect(variablesChanged("{a}", "{a} more", false)).toBe(false);
    expect(variablesChanged("{a}", "{a} {b}", false)).toBe(true);
    expect(variablesChanged("{a}", "{a} {b", false)).toBe(false);
  });

  it("is read in a blink, however long", () => {
    const before = performance.now();
    promptVariables("{ ".repeat(200_000), false);
    promptVariables("{{a}} ".repeat(100_000), true);
    expect(performance.now() - before).toBeLessThan(3_000);
  });

  it("is counted in words of any language", () => {
    expect(countWords("It's größer, 3-mal!")).toBe(3);
  });
});
