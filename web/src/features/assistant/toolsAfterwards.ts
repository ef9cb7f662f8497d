import type { StoreApi } from "zustand";
import type { Editor } from "@/stores/editor/state";
import { fillTools } from "./applying";
import type { ChatState } from "./model/types";

/** Nodes that an answer made tools get their list of tools once it is over, whatever the page shows then. */
export function fillToolsAfterwards(chat: StoreApi<{ state: ChatState }>, editor: () => Editor | null): void {
  chat.subscribe(({ state }, { state: before }) => {
    const over = before.turn?.message;
    if (over === undefined || state.turn?.message === over) return;
    // Behind whatever the end brought; a page that is being left takes nothing more.
    queueMicrotask(() => {
      const here = editor();
      if (here) void fillTools(here, over);
    });
  });
}
