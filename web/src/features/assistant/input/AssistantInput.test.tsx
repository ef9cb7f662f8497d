import { act, createEvent, fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { area, KEY, keys, show } from "./fixtures/shownInput";

beforeAll(() => import("@/i18n/englishOfAssistant").then(() => undefined));
beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

describe("writing and sending", () => {
  it("has the focus and sends with Enter what was written, trimmed", async () => {
    const shown = show();
    expect(area()).toHaveFocus();
    await keys("  Build a chatbot {Enter}");
    expect(shown.sent).toHaveBeenCalledExactlyOnceWith("Build a chatbot");
    expect(shown.draft()).toBe("");
  });

  it("breaks the line with Shift and Enter", async () => {
    const shown = show();
    await keys("one{Shift>}{Enter}{/Shift}two");
    expect(shown.draft()).toBe("one\ntwo");
    expect(shown.sent).not.toHaveBeenCalled();
  });

  it("leaves Enter to an input method that is composing", () => {
    const shown = show({ draft: "안녕" });
    fireEvent.keyDown(area(), { key: "Enter", isComposing: true });
    fireEvent.keyDown(area(), { key: "Process", keyCode: 229 });
    fireEvent.keyDown(area(), { key: "Enter", keyCode: 229 });
    expect(shown.sent).not.toHaveBeenCalled();
    fireEvent.keyDown(area(), { key: "Enter", keyCode: 13 });
    expect(shown.sent).toHaveBeenCalledExactlyOnceWith("안녕");
  });

  it("sends with the button, and nothing that is empty", async () => {
    const shown = show();
    const button = screen.getByTestId("assistant-send-button");
    expect(button).toHaveAttribute("aria-disabled", "true");
    await userEvent.click(button);
    await userEvent.type(area(), "  {Enter}");
    expect(shown.sent).not.toHaveBeenCalled();
    await userEvent.type(area(), "hello");
    expect(button).not.toHaveAttribute("aria-disabled");
    await userEvent.click(button);
    expect(shown.sent).toHaveBeenCalledExactlyOnceWith("hello");
  });

  it("does not send without a model", async () => {
    const shown = show({ model: null });
    await keys("hello{Enter}");
    expect(shown.sent).not.toHaveBeenCalled();
    expect(screen.getByTestId("assistant-send-button")).toHaveAttribute("title", "Choose a model first.");
  });

  it("can be stopped while a turn runs, but not sent; what is written stays", async () => {
    const shown = show({ busy: true });
    await keys("next{Enter}");
    expect(shown.sent).not.toHaveBeenCalled();
    expect(screen.queryByTestId("assistant-send-button")).toBeNull();
    await userEvent.click(screen.getByTestId("assistant-stop-button"));
    expect(shown.stopped).toHaveBeenCalledOnce();
    shown.set({ busy: false });
    expect(shown.draft()).toBe("next");
    expect(screen.queryByTestId("assistant-stop-button")).toBeNull();
  });

  it("does not take the second press of a double click for the button that has come there", () => {
    const shown = show({ draft: "hello" });
    fireEvent.click(screen.getByTestId("assistant-send-button"), { detail: 1 });
    expect(shown.sent).toHaveBeenCalledOnce();
    expect(area()).toHaveFocus();
    shown.set({ busy: true });
    fireEvent.click(screen.getByTestId("assistant-stop-button"), { detail: 2 });
    expect(shown.stopped).not.toHaveBeenCalled();
    fireEvent.click(screen.getByTestId("assistant-stop-button"), { detail: 1 });
    expect(shown.stopped).toHaveBeenCalledOnce();
    shown.set({ busy: false, draft: "next" });
    fireEvent.click(screen.getByTestId("assistant-send-button"), { detail: 2 });
    expect(shown.sent).toHaveBeenCalledOnce();
  });

  it("does not stop an answer with the key that asked for it", async () => {
    const shown = show({ draft: "hello" });
    shown.sent.mockImplementation(() => shown.set({ busy: true }));
    act(() => screen.getByTestId("assistant-send-button").focus());
    await keys("{Enter>3/}");
    expect(shown.sent).toHaveBeenCalledOnce();
    expect(shown.stopped).not.toHaveBeenCalled();
  });

  it("takes nothing while the assistant is not to be had", async () => {
    show({ disabled: true });
    expect(area()).toBeDisabled();
    await keys("hello");
    expect(area()).toHaveValue("");
  });

  it("puts a text where the cursor is, apart from the words around it", () => {
    const shown = show({ draft: "explain" });
    act(() => shown.handle.current?.insert("'Model-1'"));
    expect(shown.draft()).toBe("explain 'Model-1'");
    expect(area().selectionStart).toBe("explain 'Model-1'".length);
    area().setSelectionRange(0, 0);
    act(() => shown.handle.current?.insert("Please"));
    expect(shown.draft()).toBe("Please explain 'Model-1'");
    expect(area()).toHaveFocus();
  });
});

describe("the counter", () => {
  const counter = () => screen.queryByTestId("assistant-input-counter");

  it("comes with four fifths of what may be written", () => {
    const shown = show({ draft: "x".repeat(1599) });
    expect(counter()).toBeNull();
    shown.set({ draft: "x".repeat(1600) });
    expect(counter()).toHaveTextContent("1,600/2,000");
    expect(counter()).toHaveTextContent("400 characters left");
    expect(counter()).not.toHaveClass("text-danger");
  });

  it("turns red for the last twenty", () => {
    const shown = show({ draft: "x".repeat(1979) });
    expect(counter()).not.toHaveClass("text-danger");
    shown.set({ draft: "x".repeat(1980) });
    expect(counter()).toHaveClass("text-danger");
  });

  it("lets the whole limit be sent and not a character more", async () => {
    const shown = show({ draft: "x".repeat(2001) });
    await keys("{Enter}");
    expect(shown.sent).not.toHaveBeenCalled();
    expect(counter()).toHaveTextContent("1 character too many");
    expect(area()).toBeInvalid();
    shown.set({ draft: "x".repeat(2000) });
    await keys("{Enter}");
    expect(shown.sent).toHaveBeenCalledOnce();
  });

  it("counts an emoji as one", () => {
    show({ draft: "😀".repeat(2000) });
    expect(counter()).toHaveTextContent("2,000/2,000");
    expect(area()).toBeValid();
  });
});

describe("what an empty input says", () => {
  it.each([
    [{ busy: true }, "Working on it..."],
    [{ busy: true, refining: true }, "Working on it..."],
    [{ busy: true, step: "generating_flow" }, "Working on it..."],
    [{ busy: true, step: "validating" }, "Checking the result…"],
    [{ busy: true, step: "retrying" }, "Trying again…"],
    [{ refining: true }, "Tell me what to change…"],
    [{ placeholderSeed: 0 }, "What should this flow do?"],
    [{ placeholderSeed: 6 }, "Ask what this flow does, or why it fails"],
  ] as const)("%o: %s", (init, text) => {
    show(init);
    expect(area()).toHaveAttribute("placeholder", text);
  });

  it("is the usual again when the turn is over", () => {
    const shown = show({ busy: true });
    shown.set({ busy: false });
    expect(area()).toHaveAttribute("placeholder", "What should this flow do?");
  });
});

describe("what was sent before", () => {
  const keep = (...texts: string[]) => localStorage.setItem(KEY, JSON.stringify(texts));

  it("comes back with Up, the cursor at its end", async () => {
    keep("latest", "older", "oldest");
    const shown = show();
    await keys("{ArrowUp}");
    expect(area()).toHaveValue("latest");
    expect(area().selectionStart).toBe(6);
    expect(shown.recalled).toHaveBeenCalledOnce();
    await keys("{ArrowUp}{ArrowUp}{ArrowUp}");
    expect(area()).toHaveValue("oldest");
  });

  it("gives way to the draft with Down", async () => {
    keep("newest");
    show();
    await keys("my draft{ArrowUp}");
    expect(area()).toHaveValue("newest");
    await keys("{ArrowDown}");
    expect(area()).toHaveValue("my draft");
    await keys("{ArrowDown}");
    expect(area()).toHaveValue("my draft");
  });

  it("is left alone while the cursor is in another line", async () => {
    keep("newest");
    show({ draft: "line one\nline two" });
    const up = createEvent.keyDown(area(), { key: "ArrowUp" });
    fireEvent(area(), up);
    expect(up.defaultPrevented).toBe(false);
    expect(area()).toHaveValue("line one\nline two");
    area().setSelectionRange(3, 3);
    await keys("{ArrowUp}");
    expect(area()).toHaveValue("newest");
    await keys("{ArrowDown}");
    expect(area()).toHaveValue("line one\nline two");
    area().setSelectionRange(3, 3);
    await keys("{ArrowDown}");
    expect(area()).toHaveValue("line one\nline two");
  });

  it("is a new draft once it is changed", async () => {
    keep("newest", "older");
    show();
    await keys("{ArrowUp}!{ArrowUp}");
    expect(area()).toHaveValue("newest");
    await keys("{ArrowDown}");
    expect(area()).toHaveValue("newest!");
  });

  it("begins anew after sending", async () => {
    show();
    await keys("one{Enter}two{Enter}{ArrowUp}{Enter}{ArrowUp}{ArrowUp}");
    expect(area()).toHaveValue("one");
    expect(JSON.parse(localStorage.getItem(KEY) ?? "")).toEqual(["two", "one"]);
  });

  it("is not to be had from a browser that keeps nothing, and sending works", async () => {
    const refuse = (): never => {
      throw new DOMException("no", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse, clear: refuse });
    const shown = show();
    await keys("hello{Enter}{ArrowUp}");
    expect(shown.sent).toHaveBeenCalledExactlyOnceWith("hello");
    expect(area()).toHaveValue("");
  });
});
