import i18next from "i18next";
import { codeBytes, componentClasses, MOST_CODE } from "@/flow/ownCode";
import type { Point } from "@/flow/model";
import { addCode, mendCode } from "@/stores/editor/code";
import type { Editor } from "@/stores/editor/state";
import { explainError } from "@/ui/explainError";
import { dismissToast, showToast } from "@/ui/toasts";

const PATIENCE = 400;

/** Makes a node of a pasted component. Code that the server does not take can be mended in a node of its own. */
export async function takeCode(editor: Editor, code: string, at: Point | null): Promise<void> {
  const { t } = i18next;
  if (editor.getState().locked) return;
  const name = componentClasses(code).at(-1) ?? "";
  const near = at ?? { x: 0, y: 0 };
  const mend = { label: t("editor.code.paste.mend"), run: () => void mendCode(editor, code, near) };
  if (codeBytes(code) > MOST_CODE) {
    const [size, most] = [Math.ceil(codeBytes(code) / 1024), MOST_CODE / 1024];
    showToast({ tone: "error", message: t("editor.code.tooLarge", { size, most }), action: mend, duration: 10_000 });
    return;
  }
  let waiting: number | null = null;
  const timer = setTimeout(() => {
    waiting = showToast({ message: t("editor.code.paste.making", { name }), duration: null });
  }, PATIENCE);
  try {
    await addCode(editor, code, at);
  } catch (error) {
    showToast({
      tone: "error",
      message: t("editor.code.paste.failed", { name }),
      detail: explainError(error, t).sentence,
      duration: 15_000,
      action: mend,
    });
  } finally {
    clearTimeout(timer);
    if (waiting !== null) dismissToast(waiting);
  }
}
