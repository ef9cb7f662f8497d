import { render, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Markdown } from "./Markdown";

function drawn(source: string): HTMLElement {
  return render(<Markdown source={source} reachable />).container;
}

describe("markdown", () => {
  it.each([
    "<script>alert(1)</script>",
    '<img src="x" onerror="alert(1)">',
    '<iframe src="javascript:alert(1)"></iframe>',
    "<svg/onload=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    "<style>*{display:none}</style>",
  ])("draws %s as nothing that runs", (source) => {
    const page = drawn(`before\n\n${source}\n\nafter ${source}`);
    expect(page.querySelector("script, img, iframe, svg, style, a, [onerror], [onload]")).toBeNull();
    expect(page.textContent).toContain("before");
    expect(page.textContent).toContain("after");
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
  ])("leads nowhere for %s", (address) => {
    const page = drawn(`[press](<${address}>) ![picture](<${address}>) <${address}>`);
    for (const link of page.querySelectorAll("a")) expect(link.getAttribute("href") ?? "").toMatch(/^(https?:|mailto:|$)/);
    expect(page.querySelector("img")).toBeNull();
  });

  it("opens what a text leads to elsewhere, and shows pictures as links", () => {
    drawn("[page](https://example.com) ![cat](https://example.com/cat.png)");
    const page = screen.getByRole("link", { name: "page" });
    expect(page.getAttribute("rel")).toContain("noopener");
    expect(page.getAttribute("target")).toBe("_blank");
    expect(screen.getByRole("link", { name: "cat" }).getAttribute("href")).toBe("https://example.com/cat.png");
  });

  it("colours code in a language it knows, and leaves every letter of it", async () => {
    const code = 'const a = "<b>x</b>";\n\nlet b = a;';
    const page = drawn(`\`\`\`ts\n${code}\n\`\`\``);
    await waitFor(() => expect(page.querySelector(".hljs-keyword")?.textContent).toBe("const"), { timeout: 10_000 });
    expect(page.querySelector("pre")?.textContent).toBe(code);
    expect(page.querySelector("b")).toBeNull();
  });

  it("shows code in a language it does not know as it is", () => {
    expect(drawn("```klingon\nqapla'\n```").querySelector("pre")?.textContent).toBe("qapla'");
  });

  it("does not touch what is finished while more is written", () => {
    const { container, rerender } = render(<Markdown source={"One\n\nTwo"} reachable />);
    const first = container.querySelector("p");
    rerender(<Markdown source={"One\n\nTwo and more\n\nThree"} reachable />);
    expect(container.querySelector("p")).toBe(first);
    expect([...container.querySelectorAll("p")].map((p) => p.textContent)).toEqual(["One", "Two and more", "Three"]);
  });
});
