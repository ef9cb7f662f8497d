import i18next from "i18next";
import { readFile } from "@/api/assistant";
import { ApiError, notSaved } from "@/api/error";
import { queryClient } from "@/api/queryClient";
import type { FlowRead } from "@/api/types";
import { activateVersion, createVersion } from "@/api/versions";
import { select } from "@/stores/editor/actions";
import { addCode } from "@/stores/editor/code";
import { replaceDraft } from "@/stores/editor/saving";
import { setHoveredMode } from "@/stores/review";
import { toastError } from "@/ui/toastError";
import { showToast } from "@/ui/toasts";
import type { CardActions } from "./cards/actions";
import { type Around, type Chat, chosenModel, sendIds } from "./chat";
import { answerOf } from "./model/messages";

/** What the cards can do with a conversation. */
export function cardActions(chat: Chat): CardActions {
  const { dispatch } = chat;
  const page = (): Around => {
    const around = chat.around();
    if (!around) throw new ApiError({ status: -1, code: "page_left", detail: i18next.t("assistant.panel.pageLeft") });
    return around;
  };
  const asking = () => ({ model: chosenModel(), ids: sendIds(), at: Date.now() });
  const answer = (id: string) => answerOf(chat.store.getState().state, id);

  return {
    continueComponent: (message) => dispatch({ type: "component", message, do: "continue" }),
    addComponent: async (message) => {
      const component = answer(message)?.component;
      if (!component) return;
      const { editor, canvas } = page();
      const id = await addCode(editor, component.code, canvas()?.middle() ?? null);
      canvas()?.show(id);
      dispatch({ type: "component", message, do: "added" });
    },
    retry: (message) => dispatch({ type: "retry", message, ...asking() }),
    plan: (message, what) => dispatch({ type: "plan", message, do: what, ...asking() }),
    proposal: (message, what) => dispatch({ type: "proposal", message, do: what }),
    hoverProposal: (_message, mode) => setHoveredMode(mode),
    edit: (message, edit, what) => dispatch({ type: "edit", message, edit, do: what, ...asking() }),
    readFile: async (message, path) => {
      const known = answer(message)?.files.find((file) => file.path === path)?.content;
      if (typeof known === "string") return known;
      const content = await readFile(path);
      dispatch({ type: "fileRead", message, path, content });
      return content;
    },
    restore: async (message) => {
      const version = answer(message)?.restore?.version;
      if (version === undefined) return;
      const before = await activate(page(), version);
      dispatch({ type: "reverted", message });
      showToast({
        tone: "success",
        message: i18next.t("assistant.panel.restored"),
        action: {
          label: i18next.t("common.undo"),
          run: () => {
            // The page may have been left since, which is told like anything else that fails.
            const back = async (): Promise<void> => {
              await activate(page(), before);
              dispatch({ type: "reverted", message, undone: true });
              showToast({ message: i18next.t("assistant.panel.restoreUndone") });
            };
            back().catch(toastError);
          },
        },
      });
    },
    showNode: (node) => {
      const around = chat.around();
      if (!around?.editor.getState().flow.byId.has(node)) return;
      select(around.editor, [node]);
      around.canvas()?.show(node);
    },
    nodeName: (node) => chat.around()?.editor.getState().flow.byId.get(node)?.title ?? null,
    fieldName: (node, field) => {
      const found = chat.around()?.editor.getState().flow.byId.get(node);
      if (found?.kind !== "component") return null;
      return found.fields.find(({ name }) => name === field)?.label ?? null;
    },
  };
}

/** Brings a version back. What was there before is kept as a version of its own first, whose id is returned. */
async function activate({ editor, onMerged }: Around, version: string): Promise<string> {
  const { flowId } = editor.getState();
  let before = "";
  const put = async (revision: number): Promise<FlowRead> => {
    const time = new Date().toISOString().slice(0, 19).replace("T", " ");
    before = (await createVersion(flowId, `pre-revert ${time} UTC`)).id;
    return activateVersion(flowId, version, { saveDraft: false, revision });
  };
  if (!(await replaceDraft(editor, put, onMerged))) throw notSaved(i18next.t("assistant.panel.notSaved"));
  await queryClient.invalidateQueries({ queryKey: ["versions", flowId] });
  return before;
}
