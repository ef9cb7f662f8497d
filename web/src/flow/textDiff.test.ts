import { expect, it } from "vitest";
import { diffLines } from "./textDiff";

const drawn = (a: string, b: string): string =>
  diffLines(a, b)
    .map(({ kind, text }) => `${kind === "same" ? " " : kind === "added" ? "+" : "-"}${text}`)
    .join("|");

it.each([
  ["a\nb\nc", "a\nb\nc", " a| b| c"],
  ["a\nb\nc", "a\nx\nc", " a|-b|+x| c"],
  ["", "a", "+a"],
  ["a", "", "-a"],
  ["", "", ""],
  ["a\nb", "b\na", "-a| b|+a"],
  ["a\na", "a\na\na", " a| a|+a"],
])("%j to %j", (a, b, expected) => {
  expect(drawn(a, b)).toBe(expected);
});

it("gives back both texts, whatever they are", () => {
  const words = ["one", "two", "", "three"];
  let seed = 7;
  const next = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648);
  const text = (): string =>
    `x${Array.from({ length: next() % 12 }, () => words[next() % words.length]).join("\n")}`;
  for (let round = 0; round < 200; round += 1) {
    const [a, b] = [text(), text()];
    const diff = diffLines(a, b);
    const side = (without: string): string =>
      diff.flatMap((line) => (line.kind === without ? [] : [line.text])).join("\n");
    expect([side("added"), side("removed")]).toEqual([a, b]);
  }
});

it("stays quick where two long texts have nothing in common", () => {
  const many = (word: string): string => Array.from({ length: 5000 }, (_, index) => word + index).join("\n");
  expect(diffLines(many("a"), many("b"))).toHaveLength(10_000);
});
