import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { FlowDiff } from "@/api/types";
import { FlowDiffView } from "./FlowDiffView";

const node = (id: string, name: string) => ({ id, name, kind: "component" as const, type: "Thing" });

const diff: FlowDiff = {
  identical: false,
  summary: {
    nodes_added: 1,
    nodes_removed: 1,
    nodes_changed: 1,
    wires_added: 1,
    wires_removed: 0,
    flow_changed: 0,
  },
  text: "+ New one\n- Old one",
  nodes_added: [node("a", "New one")],
  nodes_removed: [node("b", "Old one")],
  nodes_changed: [
    {
      node: node("c", "Agent"),
      changes: [
        { path: "fields.prompt.value", label: "Prompt", old: "Be long", new: "Be short" },
        { path: "fields.depth.value", label: "Depth", old: null, new: { steps: 3 } },
      ],
    },
  ],
  wires_added: [
    { from: { node: "a", name: "New one", port: "out" }, to: { node: "c", name: "Agent", port: "in" } },
  ],
  wires_removed: [],
  flow_changes: [],
};

it("lists what was added, removed and changed, old and new", () => {
  render(<FlowDiffView diff={diff} />);
  expect(screen.getByText("1 node added")).toBeInTheDocument();
  expect(screen.getByText("Be long").closest("del")).not.toBeNull();
  expect(screen.getByText("Be short").closest("ins")).not.toBeNull();
  expect(screen.getByText(/"steps":3/)).toBeInTheDocument();
  expect(screen.getByText(/New one · out/)).toBeInTheDocument();
});

it("leads to a node", async () => {
  const onNode = vi.fn();
  render(<FlowDiffView diff={diff} onNode={onNode} />);
  await userEvent.click(screen.getByRole("button", { name: "Agent" }));
  expect(onNode).toHaveBeenCalledWith("c");
});

it("filters by name, field and value", async () => {
  render(<FlowDiffView diff={diff} />);
  const filter = screen.getByRole("searchbox");
  await userEvent.type(filter, "be short");
  expect(screen.queryByText("New one")).toBeNull();
  expect(screen.getByText("Prompt")).toBeInTheDocument();
  expect(screen.queryByText("Depth")).toBeNull();
  await userEvent.type(filter, "xyz");
  expect(screen.getByText("Nothing matches the filter.")).toBeInTheDocument();
});

it("shows and copies the text", async () => {
  const user = userEvent.setup();
  render(<FlowDiffView diff={diff} />);
  await user.click(screen.getByRole("button", { name: "As text" }));
  expect(screen.getByText("+ New one")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await navigator.clipboard.readText()).toBe(diff.text);
});

it("says so when nothing differs", () => {
  render(<FlowDiffView diff={{ ...diff, identical: true }} />);
  expect(screen.getByText("There is no difference.")).toBeInTheDocument();
});
