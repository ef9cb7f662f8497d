import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { Shown } from "@/flow/runDetail";
import { ValueView } from "./ValueView";

const shown = (kind: Shown["kind"], value: unknown, more: Partial<Shown> = {}): Shown => ({
  kind,
  value,
  bytes: 10,
  cut: false,
  ...more,
});

const looks = () => screen.getAllByRole("button", { pressed: false }).concat(screen.getAllByRole("button", { pressed: true }));
const names = () => new Set(looks().map((button) => button.textContent));

it("shows text, and as markdown on demand", async () => {
  render(<ValueView name="answer" shown={shown("text", "# Title\nbody")} />);
  expect(names()).toEqual(new Set(["Text", "Markdown", "Raw"]));
  expect(screen.getByRole("group", { name: "answer" })).toHaveTextContent("# Title body");
  await userEvent.click(screen.getByRole("button", { name: "Markdown" }));
  expect(screen.getByText("Title")).toHaveClass("ff-h1");
});

it("offers a tree for text that is JSON", async () => {
  render(<ValueView name="answer" shown={shown("text", '{"a":{"b":1}}')} />);
  await userEvent.click(screen.getByRole("button", { name: "Tree" }));
  expect(within(screen.getByRole("tree", { name: "answer" })).getByText("a:")).toBeInTheDocument();
});

it("walks the tree by keyboard and says where it is", async () => {
  render(<ValueView name="data" shown={shown("json", { items: [{ id: 7 }, { id: 8 }] })} />);
  const tree = screen.getByRole("tree", { name: "data" });
  tree.focus();
  await userEvent.keyboard("{ArrowDown}");
  expect(screen.getByTitle("items[0]")).toBeInTheDocument();
  await userEvent.keyboard("{ArrowRight}{ArrowDown}");
  expect(screen.getByTitle("items[0].id")).toBeInTheDocument();
  await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
  expect(screen.queryByText("7")).not.toBeInTheDocument();
});

it("opens what a search finds", async () => {
  render(<ValueView name="data" shown={shown("json", { a: { b: { c: "deep" } } })} />);
  expect(screen.queryByText('"deep"')).not.toBeInTheDocument();
  await userEvent.type(screen.getByRole("searchbox"), "deep");
  expect(screen.getByText('"deep"')).toBeInTheDocument();
  expect(screen.getByText("1 found")).toBeInTheDocument();
});

it("sorts a table, and back", async () => {
  const rows = [{ n: 10 }, { n: 9 }, { n: 100 }];
  render(<ValueView name="rows" shown={shown("table", rows)} />);
  const cells = () => within(screen.getByRole("table")).getAllByRole("row").slice(1).map((row) => row.lastChild?.textContent);
  expect(cells()).toEqual(["10", "9", "100"]);
  const heading = screen.getByRole("button", { name: "n" });
  await userEvent.click(heading);
  expect(cells()).toEqual(["9", "10", "100"]);
  await userEvent.click(heading);
  expect(cells()).toEqual(["100", "10", "9"]);
  await userEvent.click(heading);
  expect(cells()).toEqual(["10", "9", "100"]);
});

it("draws only the rows in view of a long table", () => {
  const rows = Array.from({ length: 5000 }, (_, n) => ({ n }));
  render(<ValueView name="rows" shown={shown("table", rows)} />);
  const table = screen.getByRole("table");
  expect(table).toHaveAttribute("aria-rowcount", "5001");
  expect(table.querySelectorAll("tbody tr").length).toBeLessThan(60);
});

it("says that a value is cut, and loads the rest on demand", async () => {
  const more = vi.fn();
  render(<ValueView name="big" shown={shown("json", '{"a": [1, 2', { cut: true, bytes: 5_000_000 })} onMore={more} />);
  expect(screen.getByText(/all of it is 5/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Load all" }));
  expect(more).toHaveBeenCalledOnce();
});

it("never shows a secret", () => {
  render(<ValueView name="key" shown={shown("secret", "sk-123")} />);
  expect(document.body).not.toHaveTextContent("sk-123");
});
