import { describe, expect, it } from "vitest";
import { isBeyondMarkdown, markdownBlocks } from "./markdownBlocks";

function check(source: string, count: number): void {
  const blocks = markdownBlocks(source);
  expect(blocks).toHaveLength(count);
  expect(blocks.join("\n").replace(/\s/g, "")).toBe(source.replace(/\s/g, ""));
}

describe("markdown in blocks", () => {
  it("is cut between paragraphs", () => check("One\nstill one\n\nTwo\n\n\nThree", 3));
  it("is nothing when there is nothing", () => check(" \n\n ", 0));
  it("keeps code together, whatever is in it", () => {
    check("Look:\n\n```js\na\n\nb\n\n~~~\n\nc\n```\n\nDone", 3);
    check("~~~~\nx\n\n~~~\n\ny\n~~~~\n\nz", 2);
  });
  it("keeps code that has not ended yet", () => check("```py\na\n\nb\n\nc", 1));
  it("does not take code in a line for a fence", () => check("```a``` is code\n\nnext", 2));
  it("keeps a list with empty lines in it", () => check("1. a\n\n2. b\n\n   more of b\n\nafter", 2));
  it("keeps code in a list", () => check("- a\n\n  ```\n  x\n\n  y\n  ```\n\nafter", 2));
  it("is left whole where a link is defined apart from its text", () => check("[a]\n\nb\n\n[a]: https://example.com", 1));
  it("is cut into fewer and larger pieces when it is long, also where a link is defined", () => {
    const long = `[a]: https://example.com\n\n${"A paragraph of some words.\n\n".repeat(4000)}`;
    const blocks = markdownBlocks(long);
    expect(blocks.length).toBeLessThan(50);
    expect(Math.max(...blocks.map((block) => block.length))).toBeLessThanOrEqual(4000);
    expect(blocks.join("\n\n").replace(/\s/g, "")).toBe(long.replace(/\s/g, ""));
    const grown = markdownBlocks(`${long}And the end.`);
    expect(grown.slice(0, blocks.length - 1)).toEqual(blocks.slice(0, -1));
  });
  it("is not for what is nested without end or one piece without end", () => {
    expect(isBeyondMarkdown("> ".repeat(5000))).toBe(true);
    expect(isBeyondMarkdown(`a\n${">".repeat(5000)}\n`)).toBe(true);
    expect(isBeyondMarkdown(`${"- ".repeat(500)}x`)).toBe(true);
    expect(isBeyondMarkdown("*a ".repeat(10_000))).toBe(true);
    expect(isBeyondMarkdown(`\`\`\`py\n${"x = 1\n".repeat(5000)}`)).toBe(false);
    expect(isBeyondMarkdown("> > > a\n\n- - x\n\n----------------------------------------------------")).toBe(false);
  });
  it("leaves what is finished as it was while the text grows", () => {
    const text = "# Title\n\nA paragraph.\n\n```js\nconst a = 1;\n\nconst b = 2;\n```\n\n- one\n\n- two\n\nThe end.";
    let before: string[] = [];
    for (let length = 1; length <= text.length; length += 1) {
      const now = markdownBlocks(text.slice(0, length));
      const done = before.slice(0, -1).map((block) => block.trimEnd());
      expect(now.slice(0, done.length).map((block) => block.trimEnd())).toEqual(done);
      before = now;
    }
  });
});
