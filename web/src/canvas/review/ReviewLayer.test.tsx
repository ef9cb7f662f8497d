import { ReactFlow, ReactFlowProvider } from "@xyflow/react";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { FlowRead } from "@/api/types";
import { chat, component, edge, field, output } from "@/flow/fixtures/build";
import { createEditor, EditorContext } from "@/stores/editor/state";
import { hideReview, type Review, showReview } from "@/stores/review";
import { toNodes } from "../elements";
import { ReviewMount } from "./ReviewMount";

const NOTHING: Review = { marks: new Map(), working: new Set(), ghosts: null, chips: new Map() };
const editor = createEditor({ id: "f1", data: chat(), revision: 1, updated_at: "" } as unknown as FlowRead);

function draw(): void {
  const { flow, layouts } = editor.getState();
  render(
    <EditorContext value={editor}>
      <ReactFlowProvider>
        <ReactFlow nodes={toNodes(flow, layouts, null)} edges={[]} nodeTypes={{ component: () => null, note: () => null }}>
          <ReviewMount flowId="f1" />
        </ReactFlow>
      </ReactFlowProvider>
    </EditorContext>,
  );
}

beforeAll(() => Promise.all([import("./ReviewLayer"), import("@/i18n/englishOfAssistant")]).then(() => undefined));
afterEach(() => hideReview("f1"));

describe("the review on the canvas", () => {
  it("draws a ring with a sign around each node, where the card is and as large", async () => {
    draw();
    act(() => showReview("f1", { ...NOTHING, marks: new Map([["Model-1", "added"], ["ChatInput-1", "removed"], ["Gone-1", "changed"]]) }));
    const ring = await screen.findByTestId("assistant-review-Model-1");
    expect(ring.textContent).toBe("+Added: Language Model");
    expect(ring.style.transform).toBe("translate(480px, 0px)");
    expect(ring.style.width).toBe("320px");
    expect(screen.getByTestId("assistant-review-ChatInput-1").textContent).toContain("−Would go");
    expect(screen.queryByTestId("assistant-review-Gone-1")).toBeNull();
  });

  it("says where the assistant is at work", async () => {
    draw();
    act(() => showReview("f1", { ...NOTHING, marks: new Map([["Model-1", "changed"]]), working: new Set(["Model-1"]) }));
    const ring = await screen.findByTestId("assistant-review-Model-1");
    expect(ring.textContent).toBe("The assistant is working here: Language Model");
    expect(ring.dataset.working).toBe("true");
  });

  it("offers each edit at its node", async () => {
    const [accept, reject] = [vi.fn(), vi.fn()];
    draw();
    act(() =>
      showReview("f1", { ...NOTHING, marks: new Map([["Model-1", "changed"]]), chips: new Map([["Model-1", [{ id: "e1", label: "Input", accept, reject }]]]) }),
    );
    await screen.findByRole("group", { name: "Proposed changes of Language Model" });
    fireEvent.click(screen.getByRole("button", { name: "Accept the change of Input" }));
    fireEvent.click(screen.getByRole("button", { name: "Reject the change of Input" }));
    expect([accept.mock.calls.length, reject.mock.calls.length]).toEqual([1, 1]);
  });

  it("leaves the focus at the next edit that waits, and after the last in the canvas", async () => {
    draw();
    const canvas = document.querySelector<HTMLElement>(".react-flow");
    canvas?.classList.add("ff-canvas");
    canvas?.setAttribute("tabindex", "0");
    const of = (...labels: string[]): Review => {
      const chips = labels.map((label) => ({ id: label, label, accept: () => showReview("f1", of(...labels.filter((one) => one !== label))), reject: vi.fn() }));
      return { ...NOTHING, chips: new Map(chips.length > 0 ? [["Model-1", chips]] : []) };
    };
    act(() => showReview("f1", of("One", "Two")));
    const button = (label: string): HTMLElement => screen.getByRole("button", { name: `Accept the change of ${label}` });
    await screen.findByRole("group", { name: "Proposed changes of Language Model" });
    act(() => button("Two").focus());
    fireEvent.click(button("Two"));
    expect(button("One")).toHaveFocus();
    fireEvent.click(button("One"));
    expect(screen.queryByRole("group", { name: "Proposed changes of Language Model" })).toBeNull();
    expect(canvas).toHaveFocus();
  });

  it("draws a proposed flow with its wires, and names its nodes as proposed", async () => {
    draw();
    const ghosts = {
      nodes: [
        component("ChatInput-9", { display_name: "Chat Input", at: [1400, 0], outputs: [output("message", ["Message"])] }),
        component("Agent-9", {
          display_name: "Agent",
          at: [1800, 0],
          template: { input_value: field("input_value", { input_types: ["Message"] }) },
        }),
      ],
      edges: [edge("ChatInput-9", "message", "Agent-9", "input_value")],
    };
    act(() => showReview("f1", { ...NOTHING, ghosts }));
    const group = await screen.findByRole("group", { name: "Proposed flow of 2 nodes" });
    const agent = screen.getByRole("img", { name: "Agent, proposed" });
    expect(agent.style.transform).toBe("translate(1800px, 0px)");
    expect(group.querySelectorAll("path.ff-review-wire")).toHaveLength(1);
    act(() => hideReview("f1"));
    await waitFor(() => expect(screen.queryByTestId("assistant-ghosts")).toBeNull());
  });

  it("is nothing for another flow", () => {
    draw();
    act(() => showReview("f2", { ...NOTHING, marks: new Map([["Model-1", "added"]]) }));
    expect(screen.queryByTestId("assistant-review-Model-1")).toBeNull();
    hideReview("f2");
  });
});
