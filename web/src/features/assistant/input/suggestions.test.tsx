import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { select } from "@/stores/editor/actions";
import { area, KEY, keys, list, show } from "./fixtures/shownInput";

beforeAll(() => import("@/i18n/englishOfAssistant").then(() => undefined));
beforeEach(() => localStorage.clear());

const options = () => screen.queryAllByRole("option").map((option) => option.textContent);
const active = () => document.getElementById(area().getAttribute("aria-activedescendant") ?? "")?.textContent ?? null;

describe("mentioning", () => {
  it("opens with @ and shows the node that is meant on the canvas", async () => {
    const shown = show();
    expect(list()).toBeNull();
    await keys("explain @");
    expect(options()).toEqual(["Chat InputChatInput-1", "Language ModelModel-1", "Chat OutputChatOutput-1"]);
    expect(active()).toBe("Chat InputChatInput-1");
    expect(shown.selected()).toEqual(["ChatInput-1"]);
    await keys("{ArrowDown}");
    expect(active()).toBe("Language ModelModel-1");
    expect(shown.selected()).toEqual(["Model-1"]);
  });

  it("takes the node with Enter, between quotes and without a space", async () => {
    const shown = show();
    await keys("explain @lang{Enter}");
    expect(shown.draft()).toBe("explain 'Model-1'");
    expect(area().selectionStart).toBe("explain 'Model-1'".length);
    expect(list()).toBeNull();
    expect(shown.selected()).toEqual(["Model-1"]);
    expect(shown.sent).not.toHaveBeenCalled();
    await keys("{Enter}");
    expect(shown.sent).toHaveBeenCalledExactlyOnceWith("explain 'Model-1'");
  });

  it("takes the node that is pressed, and the focus stays in the text", async () => {
    const shown = show();
    await keys("see @");
    await userEvent.click(screen.getByTestId("assistant-mention-option-ChatOutput-1"));
    expect(shown.draft()).toBe("see 'ChatOutput-1'");
    expect(area()).toHaveFocus();
    expect(list()).toBeNull();
  });

  it("walks with Tab too, around both ends", async () => {
    show();
    await keys("@{Tab}");
    expect(active()).toBe("Language ModelModel-1");
    await keys("{Shift>}{Tab}{Tab}{/Shift}");
    expect(active()).toBe("Chat OutputChatOutput-1");
    await keys("{ArrowDown}");
    expect(active()).toBe("Chat InputChatInput-1");
  });

  it("brings the row that is meant into view", async () => {
    const seen: string[] = [];
    const scroll = vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function (this: Element, how) {
      seen.push(`${this.textContent} ${typeof how === "object" ? how.block : ""}`);
    });
    show();
    await keys("@{ArrowDown}{ArrowDown}");
    expect(scroll).toHaveBeenCalled();
    expect(seen.at(-1)).toBe("Chat OutputChatOutput-1 nearest");
  });

  it("keeps Escape for itself while it is open, gives the selection back, and stays closed", async () => {
    const shown = show();
    act(() => select(shown.editor, ["ChatOutput-1"]));
    await keys("@");
    expect(shown.selected()).toEqual(["ChatInput-1"]);
    await keys("{Escape}");
    expect(list()).toBeNull();
    expect(shown.escaped).not.toHaveBeenCalled();
    expect(shown.selected()).toEqual(["ChatOutput-1"]);
    await keys("lang");
    expect(list()).toBeNull();
    await keys("{Escape}");
    expect(shown.escaped).toHaveBeenCalledOnce();
    await keys(" @");
    expect(list()).not.toBeNull();
  });

  it("gives the selection back when the text is left or the sign deleted", async () => {
    const shown = show();
    act(() => select(shown.editor, ["Model-1", "ChatOutput-1"]));
    await keys("@{Backspace}");
    expect(shown.selected()).toEqual(["Model-1", "ChatOutput-1"]);
    await keys("@");
    expect(shown.selected()).toEqual(["ChatInput-1"]);
    act(() => area().blur());
    expect(list()).toBeNull();
    expect(shown.selected()).toEqual(["Model-1", "ChatOutput-1"]);
  });

  it("does not take back what somebody selected meanwhile", async () => {
    const shown = show();
    await keys("@");
    act(() => select(shown.editor, ["ChatOutput-1"]));
    await keys("{Escape}");
    expect(shown.selected()).toEqual(["ChatOutput-1"]);
  });

  it("says when nothing has that name, and Enter sends then", async () => {
    const shown = show();
    await keys("@xyz");
    expect(list()).toHaveTextContent("No node is called “xyz”.");
    expect(area()).not.toHaveAttribute("aria-activedescendant");
    expect(shown.selected()).toEqual([]);
    await keys("{Enter}");
    expect(shown.sent).toHaveBeenCalledExactlyOnceWith("@xyz");
  });

  it("says when there is nothing on the canvas", async () => {
    show({}, { nodes: [], edges: [] });
    await keys("@");
    expect(list()).toHaveTextContent("There are no nodes on the canvas yet.");
  });

  it("goes on to fields by their names, and takes one in place of the node", async () => {
    const shown = show();
    await keys("what is @lang{Enter}.");
    expect(options()).toHaveLength(4);
    expect(list()).toHaveTextContent("Fields of this node");
    await keys("sys{Enter}");
    expect(shown.draft()).toBe("what is 'Model-1.system_message' ");
    expect(area().selectionStart).toBe(shown.draft().length);
    expect(list()).toBeNull();
    await keys("now?{Enter}");
    expect(shown.sent).toHaveBeenCalledExactlyOnceWith("what is 'Model-1.system_message' now?");
  });

  it("is a full stop when a space follows", async () => {
    const shown = show();
    await keys("explain @lang{Enter}. Briefly{Enter}");
    expect(shown.sent).toHaveBeenCalledExactlyOnceWith("explain 'Model-1'. Briefly");
  });

  it("opens with the button as well", async () => {
    const shown = show({ draft: "explain" });
    await userEvent.click(screen.getByRole("button", { name: "Mention a node" }));
    expect(shown.draft()).toBe("explain @");
    expect(list()).not.toBeNull();
    expect(area()).toHaveFocus();
  });

  it("has arrows before the history", async () => {
    localStorage.setItem(KEY, JSON.stringify(["sent"]));
    show();
    await keys("@{ArrowUp}");
    expect(area()).toHaveValue("@");
  });
});

describe("commands", () => {
  it("are told while the text begins with a slash", async () => {
    show();
    await keys("/");
    expect(list()).toHaveTextContent("Commands");
    expect(options()).toHaveLength(3);
    await keys("it");
    expect(options()).toHaveLength(1);
    await keys("x");
    expect(list()).toBeNull();
  });

  it("are completed with Tab or Enter, then sent with Enter", async () => {
    const shown = show();
    await keys("/hi{Tab}");
    expect(shown.draft()).toBe("/history ");
    await keys("20{Enter}/sk{Enter}");
    expect(shown.sent).toHaveBeenCalledExactlyOnceWith("/history 20");
    expect(shown.draft()).toBe("/skip-all");
    await keys("{Enter}");
    expect(shown.sent).toHaveBeenLastCalledWith("/skip-all");
  });

  it("that are there already are sent as they are", async () => {
    const shown = show();
    await keys("/history{Enter}");
    expect(shown.sent).toHaveBeenCalledExactlyOnceWith("/history");
  });

  it("are not looked for within a sentence", async () => {
    show();
    await keys("tell me about /history");
    expect(list()).toBeNull();
  });
});
