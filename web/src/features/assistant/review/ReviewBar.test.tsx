import { act, fireEvent, render, renderHook, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { FlowRead } from "@/api/types";
import { chat, component } from "@/flow/fixtures/build";
import { edit, undo } from "@/stores/editor/actions";
import { createEditor, type Editor } from "@/stores/editor/state";
import { useReview } from "@/stores/review";
import { applyUpdate } from "../applying";
import { newAnswer } from "../model/messages";
import { initialState } from "../model/reduce";
import type { AssistantMessage, ChatState } from "../model/types";
import { ReviewBar } from "./ReviewBar";
import { useCanvasReview } from "./useCanvasReview";

const editorOf = (): Editor =>
  createEditor({ id: "f1", data: chat(), revision: 1, locked: false, updated_at: "" } as unknown as FlowRead);
const stateOf = (over: Partial<AssistantMessage>): ChatState => ({
  ...initialState({ flowId: "f1", sessionId: "s1", skipAll: false, historyLimit: null, iterationsLimit: null }),
  messages: [{ ...newAnswer("m1", 0), status: "complete", ...over }],
});
const actions = () => ({ proposal: vi.fn(), edit: vi.fn() });
const proposal: NonNullable<AssistantMessage["proposal"]> = {
  flow: { data: { nodes: [component("Agent-1")], edges: [] } },
  name: "New",
  nodes: 1,
  edges: 0,
  tail: [],
  status: "pending",
  mode: null,
  revertible: false,
};

function Host({ editor, state, does }: { editor: Editor; state: ChatState; does: ReturnType<typeof actions> }) {
  const review = useCanvasReview(editor, state, does);
  return review ? <ReviewBar editor={editor} review={review} actions={does} /> : null;
}

const press = (name: string): void => {
  fireEvent.click(screen.getByRole("button", { name }));
};

beforeAll(() => import("@/i18n/englishOfAssistant").then(() => undefined));

afterEach(() => useReview.setState({ hovered: null }));

describe("the bar over the canvas", () => {
  it("offers what can be done with a proposal, and shows what replacing would take away", () => {
    const does = actions();
    render(<Host editor={editorOf()} state={stateOf({ proposal })} does={does} />);
    expect(screen.getByRole("status").textContent).toBe("Proposed: 1 node");
    const replace = screen.getByRole("button", { name: "Replace" });
    act(() => replace.focus());
    expect(useReview.getState().marks.get("Model-1")).toBe("removed");
    act(() => replace.blur());
    expect(useReview.getState().marks.size).toBe(0);
    press("Add");
    press("Replace");
    press("Dismiss");
    expect(does.proposal.mock.calls).toEqual([["m1", "add"], ["m1", "replace"], ["m1", "dismiss"]]);
  });

  it("accepts or dismisses all edits that wait", () => {
    const does = actions();
    const one = { componentType: "", oldValue: "", newValue: "x", description: "", status: "pending" } as const;
    const edits = ["input_value", "system_message"].map((field) => ({ ...one, id: field, componentId: "Model-1", field }));
    const { rerender } = render(<Host editor={editorOf()} state={stateOf({ edits })} does={does} />);
    expect(screen.getByRole("status").textContent).toBe("2 changes to look at");
    press("Accept all");
    press("Dismiss all");
    expect(does.edit.mock.calls).toEqual([["m1", "all", "accept"], ["m1", "all", "dismiss"]]);
    rerender(<Host editor={editorOf()} state={stateOf({ edits: edits.slice(1) })} does={does} />);
    expect(screen.getByRole("button", { name: "Accept" })).toBeTruthy();
  });

  it("takes everything back that the answer did, or keeps it", () => {
    const editor = editorOf();
    render(<Host editor={editor} state={stateOf({})} does={actions()} />);
    expect(screen.queryByTestId("assistant-review-bar")).toBeNull();
    const change = () =>
      act(() => void applyUpdate(editor, "m1", { action: "rename_component", component_id: "Model-1", name: "Brain" }));
    change();
    expect(screen.getByRole("status").textContent).toBe("The assistant changed 1 thing");
    act(() => press("Take back"));
    expect(editor.getState().flow.byId.get("Model-1")?.title).toBe("Language Model");
    expect(screen.queryByTestId("assistant-review-bar")).toBeNull();
    change();
    act(() => press("Keep"));
    expect(editor.getState().flow.byId.get("Model-1")?.title).toBe("Brain");
    expect(screen.queryByTestId("assistant-review-bar")).toBeNull();
    expect(useReview.getState().flowId).toBeNull();
    act(() => void applyUpdate(editor, "m1", { action: "rename_component", component_id: "ChatInput-1", name: "Ear" }));
    act(() => press("Take back"));
    expect(editor.getState().flow.byId.get("ChatInput-1")?.title).toBe("Chat Input");
    expect(editor.getState().flow.byId.get("Model-1")?.title).toBe("Brain");
  });

  it("goes when the person undoes the answer", () => {
    const editor = editorOf();
    render(<Host editor={editor} state={stateOf({})} does={actions()} />);
    act(() => void applyUpdate(editor, "m1", { action: "remove_component", component_id: "note-1" }));
    expect(screen.getByTestId("assistant-review-bar")).toBeTruthy();
    act(() => void undo(editor));
    expect(screen.queryByTestId("assistant-review-bar")).toBeNull();
  });

  it("leaves the focus on the canvas when its button is gone", async () => {
    const editor = editorOf();
    render(
      <>
        <div className="ff-canvas" tabIndex={0} data-testid="canvas" />
        <Host editor={editor} state={stateOf({})} does={actions()} />
      </>,
    );
    act(() => void applyUpdate(editor, "m1", { action: "remove_component", component_id: "note-1" }));
    const keep = screen.getByRole("button", { name: "Keep" });
    act(() => keep.focus());
    act(() => press("Keep"));
    await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("canvas")));
  });
});

describe("the review of the canvas", () => {
  it("is not worked out anew with every token, and is taken off with the panel", () => {
    const editor = editorOf();
    const does = actions();
    const first = stateOf({ proposal });
    const { rerender, unmount } = renderHook(({ state }) => useCanvasReview(editor, state, does), {
      initialProps: { state: first },
    });
    const { ghosts } = useReview.getState();
    expect(useReview.getState().flowId).toBe("f1");
    rerender({ state: { ...first, messages: first.messages.map((message) => ({ ...message, content: "more" }) as AssistantMessage) } });
    expect(useReview.getState().ghosts).toBe(ghosts);
    unmount();
    expect(useReview.getState()).toMatchObject({ flowId: null, ghosts: null });
  });

  it("moves a proposal along when the flow beside it grows", () => {
    const editor = editorOf();
    renderHook(() => useCanvasReview(editor, stateOf({ proposal }), DOES));
    const before = useReview.getState().ghosts;
    act(() => void edit(editor, { op: "move", moves: [{ node: "ChatOutput-1", x: 5000, y: 0 }] }));
    const placed = (ghosts: unknown): unknown => (ghosts as { nodes: { position: { x: number } }[] }).nodes[0]?.position.x;
    expect(placed(useReview.getState().ghosts)).toBe(5000 + 320 + 80);
    expect(placed(before)).toBe(960 + 320 + 80);
  });

  it("shows nothing in a locked flow", () => {
    const editor = editorOf();
    editor.setState({ locked: true });
    const { result } = renderHook(() => useCanvasReview(editor, stateOf({ proposal }), DOES));
    expect(result.current).toBeNull();
    expect(useReview.getState().ghosts).toBeNull();
  });
});

const DOES = actions();
