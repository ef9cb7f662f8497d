import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { pastedComponent } from "@/flow/ownCode";
import type { PasteReason } from "@/flow/edit/clipboard";
import type { Point } from "@/flow/model";
import { isTyping } from "@/lib/keys";
import { removeSelected } from "@/stores/editor/actions";
import { copySelected, pasteText } from "@/stores/editor/commands";
import type { Editor } from "@/stores/editor/state";
import { matches } from "@/stores/shortcuts";
import { showToast } from "@/ui/toasts";
import { takeCode } from "./code/takeCode";

const reasons = {
  empty: "editor.paste.empty",
  too_long: "editor.paste.tooLong",
  not_json: "editor.paste.notJson",
  not_nodes: "editor.paste.notNodes",
  bad_ids: "editor.paste.badIds",
  no_nodes: "editor.paste.noNodes",
} as const satisfies Record<PasteReason, string>;

export interface Clipboard {
  copy: () => void;
  cut: () => void;
  paste: () => void;
  /** `file` is the name of the file the text comes from. */
  take: (text: string, at: Point | null, file?: string) => void;
}

/** Nodes to and from the clipboard, as text, so that they can go to other flows, tabs and programs. */
export function useClipboard(editor: Editor, active: boolean, middle: () => Point | null): Clipboard {
  const { t } = useTranslation();

  const copied = (count: number, secrets: number, removed: boolean): void => {
    const message = removed ? t("editor.copy.cut", { count }) : t("editor.copy.copied", { count });
    showToast({ message, ...(secrets > 0 ? { detail: t("editor.copy.secrets", { count: secrets }) } : {}) });
  };

  const take = (text: string, at: Point | null, file = ""): void => {
    const code = pastedComponent(text);
    if (code !== null) return void takeCode(editor, code, at ?? middle());
    if (file.endsWith(".py")) {
      showToast({ tone: "error", message: t("editor.code.noClassIn", { file }), detail: t("editor.code.noClassHint") });
      return;
    }
    const reason = pasteText(editor, text, at ?? middle());
    if (reason !== null) showToast({ tone: "error", message: t(reasons[reason]) });
  };

  const write = (removed: boolean): void => {
    const found = copySelected(editor);
    if (!found) return;
    navigator.clipboard.writeText(found.text).then(
      () => {
        copied(found.nodes, found.secrets, removed);
        if (removed) removeSelected(editor);
      },
      () => showToast({ tone: "error", message: t("editor.copy.refused") }),
    );
  };

  const read = (): void => {
    navigator.clipboard.readText().then(
      (text) => take(text, null),
      () => showToast({ tone: "error", message: t("editor.paste.refused") }),
    );
  };

  const onEvent = useEffectEvent((event: ClipboardEvent): void => {
    if (!active || event.defaultPrevented || isElsewhere(event.target)) return;
    if (event.type === "paste") {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (text.trim() === "" || editor.getState().locked) return;
      event.preventDefault();
      take(text, null);
      return;
    }
    // Text that somebody marked on the page is theirs to copy.
    if (window.getSelection()?.isCollapsed === false) return;
    const found = copySelected(editor);
    if (!found || !event.clipboardData) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", found.text);
    const removed = event.type === "cut" && !editor.getState().locked;
    copied(found.nodes, found.secrets, removed);
    if (removed) removeSelected(editor);
  });

  // With their usual keys the browser itself sends the events above; other keys come here.
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (!active || event.defaultPrevented || isElsewhere(event.target)) return;
    const usual = (event.ctrlKey || event.metaKey) && ["c", "x", "v"].includes(event.key.toLowerCase());
    if (usual) return;
    if (matches(event, "copy")) write(false);
    else if (matches(event, "cut")) write(true);
    else if (matches(event, "paste")) read();
    else return;
    event.preventDefault();
  });

  useEffect(() => {
    const kinds = ["copy", "cut", "paste"] as const;
    for (const kind of kinds) document.addEventListener(kind, onEvent);
    window.addEventListener("keydown", onKey);
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, onEvent);
      window.removeEventListener("keydown", onKey);
    };
  }, []);

  return { copy: () => write(false), cut: () => write(true), paste: read, take };
}

function isElsewhere(target: EventTarget | null): boolean {
  return (
    isTyping(target) ||
    (target instanceof Element && target.closest('[role="dialog"], [role="menu"], aside, [data-keeps-clipboard]') !== null)
  );
}
