import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, vi } from "vitest";
import type { AssistantMessage, Message } from "../model/types";
import type { CardActions } from "./actions";
import { answer } from "./fixtures";
import { MessageItem, type MessageItemProps } from "./MessageItem";

// After the texts of the page, as it is there.
beforeAll(async () => {
  await import("@/i18n/englishOfAssistant");
});

const names: Record<string, string> = { "Agent-1": "Agent", "ChatInput-1": "Chat Input" };

/** Actions that only remember what they were asked. */
export function spies() {
  return {
    continueComponent: vi.fn<CardActions["continueComponent"]>(),
    addComponent: vi.fn<CardActions["addComponent"]>(async () => {}),
    retry: vi.fn<CardActions["retry"]>(),
    plan: vi.fn<CardActions["plan"]>(),
    proposal: vi.fn<CardActions["proposal"]>(),
    hoverProposal: vi.fn<CardActions["hoverProposal"]>(),
    edit: vi.fn<CardActions["edit"]>(),
    readFile: vi.fn<CardActions["readFile"]>(async () => ""),
    restore: vi.fn<CardActions["restore"]>(async () => {}),
    showNode: vi.fn<CardActions["showNode"]>(),
    nodeName: vi.fn<CardActions["nodeName"]>((id) => names[id] ?? null),
    fieldName: vi.fn<CardActions["fieldName"]>((_, field) => (field === "system_prompt" ? "System prompt" : null)),
  };
}

type More = Partial<Omit<MessageItemProps, "message" | "actions">>;

/** A message as it stands in the conversation. `again` shows it anew after it changed. */
export function show(message: Message, more: More = {}) {
  const actions = spies();
  const item = (shown: Message, props: More) => (
    <MessageItem message={shown} newest busy={false} restorable={false} actions={actions} {...more} {...props} />
  );
  const { rerender, container } = render(item(message, {}));
  return {
    actions,
    container,
    user: userEvent.setup(),
    again: (changed: Message, props: More = {}) => rerender(item(changed, props)),
  };
}

export function showAnswer(init: Partial<AssistantMessage>, more: More = {}) {
  const message = answer(init);
  const shown = show(message, more);
  return {
    ...shown,
    become: (changed: Partial<AssistantMessage>, props: More = {}) => shown.again({ ...message, ...changed }, props),
  };
}
