import { expect, it } from "vitest";
import { embedSnippet } from "@/flow/embedSnippet";
import { fileNameOf } from "./fileName";

it.each([
  ["Echo", "Echo.json"],
  ["Echo.json", "Echo.json"],
  ["a/b\\c:d*e?", "a-b-c-d-e-.json"],
  ["..", "flow.json"],
  ["  ", "flow.json"],
  ["ações 日本", "ações 日本.json"],
])("%j becomes the file %j", (name, file) => {
  expect(fileNameOf(name)).toBe(file);
});

it("a snippet for a page carries any title", () => {
  const title = `</script>"'&<b>`;
  const html = embedSnippet("https://flows.example", "f-1", {
    title,
    placeholder: "",
    theme: "dark",
    position: "bottom-left",
    accent: "#112233",
    startOpen: true,
  });
  const box = document.createElement("div");
  box.innerHTML = html.slice(html.indexOf("<ferroflow-chat"));
  const chat = box.firstElementChild;
  expect(Object.fromEntries([...(chat?.attributes ?? [])].map(({ name, value }) => [name, value]))).toEqual({
    "flow-id": "f-1",
    "host-url": "https://flows.example",
    "window-title": title,
    theme: "dark",
    position: "bottom-left",
    accent: "#112233",
    "start-open": "",
  });
  expect(html).toContain('<script src="https://flows.example/embed/chat.js" defer></script>');
  expect(html.match(/<\/script>/g)).toHaveLength(1);
});
