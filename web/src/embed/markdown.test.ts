import { describe, expect, it } from "vitest";
import { renderMarkdown } from "./markdown";
import { inkOn } from "./view";

function html(source: string): string {
  const box = document.createElement("div");
  box.append(renderMarkdown(source));
  return box.innerHTML;
}

describe("markdown", () => {
  it.each([
    ["plain", "<p>plain</p>"],
    ["one\ntwo\n\nthree", "<p>one\ntwo</p><p>three</p>"],
    ["a **b** and *c* `d*e*`", "<p>a <strong>b</strong> and <em>c</em> <code>d*e*</code></p>"],
    ["snake_case_name 2*3*4", "<p>snake_case_name 2*3*4</p>"],
    ["- a\n- b", "<ul><li>a</li><li>b</li></ul>"],
    ["# Title", "<p><strong>Title</strong></p>"],
    ["```js\n<b>\n```\nafter", '<pre tabindex="0"><code>&lt;b&gt;</code></pre><p>after</p>'],
    ["```\nunfinished", '<pre tabindex="0"><code>unfinished</code></pre>'],
  ])("%j", (source, expected) => {
    expect(html(source)).toBe(expected);
  });

  it("keeps the number an ordered list begins with", () => {
    expect(html("3. c\n4. d")).toMatch(/^<ol start="3"><li>c<\/li><li>d<\/li><\/ol>$/);
  });

  it("links only to the web and to mail", () => {
    expect(html("[x](https://a.example/b)")).toContain('href="https://a.example/b"');
    expect(html("see https://a.example/b.")).toMatch(/<a [^>]*>https:\/\/a\.example\/b<\/a>\./);
    for (const bad of ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "//evil", "vbscript:x"]) {
      expect(html(`[x](${bad})`)).not.toContain("<a");
    }
  });

  it.each(["<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "**<b>**", "[<i>](https://a.example)", "`<u>`"])(
    "shows %j as text",
    (source) => {
      const box = document.createElement("div");
      box.append(renderMarkdown(source));
      expect(box.querySelector("img, script, b, i, u")).toBeNull();
    },
  );

  it("does not take long over bad input", () => {
    const start = performance.now();
    html("*".repeat(20_000) + "[".repeat(20_000) + "_a".repeat(10_000) + "`".repeat(20_001));
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe("text on the accent colour", () => {
  it("is the one of black and white that is easier to read", () => {
    expect(inkOn("#ffff00")).toBe("#000000");
    expect(inkOn("#004")).toBe("#ffffff");
    expect(inkOn("rebeccapurple")).toBe("#ffffff");
  });
});
