import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/api/error";
import type { MessageRead } from "@/api/types";
import { lastTurn } from "@/flow/chatTurns";
import { threadOf } from "@/flow/chatRun";
import { type ChatMessage, parseMessages } from "@/flow/messages";
import { toastError } from "@/ui/toastError";
import { showToast } from "@/ui/toasts";
import { addToDraft, chatOf, runOf } from "./chatStore";
import { replacesOf } from "./replacing";
import { forgetMessages, send } from "./runner";
import { changeLoaded, type ChatSource, loadedOf, reloadMessages } from "./source";

export interface MessageActions {
  edit: (message: ChatMessage, text: string) => Promise<void>;
  /** Asks with another text: in place of the last turn, or as a new message. */
  editAndRun: (message: ChatMessage, text: string) => void;
  remove: ((message: ChatMessage) => Promise<void>) | null;
  like: (message: ChatMessage, liked: boolean | null) => Promise<void>;
  /** Asks the last question again. */
  again: () => void;
}

export function useMessageActions(source: ChatSource, session: string): MessageActions {
  const { t } = useTranslation();
  return useMemo(() => {
    const chat = chatOf(source, session);
    const reload = async (): Promise<void> => {
      await reloadMessages(source, session).catch(() => null);
    };

    const turn = () => {
      const loaded = parseMessages(loadedOf(source, session)?.messages ?? []);
      return lastTurn(threadOf(loaded, runOf(chat)));
    };

    const ask = (text: string): void => {
      const last = turn();
      if (!last) return;
      const files = last.question.files.map((path) => ({ name: path.split("/").at(-1) ?? path, path }));
      void send(source, session, { text, files }, source.edits ? replacesOf(last, text) : null);
    };

    const remove = async (message: ChatMessage): Promise<void> => {
      const raw = message.raw as MessageRead;
      try {
        await source.edits?.remove([raw]);
      } catch (error) {
        if (asApiError(error).status !== 404) throw error;
        await reload();
        return;
      }
      forgetMessages(chat, [message.id]);
      changeLoaded(source, session, (list) => list.filter((item) => item.id !== message.id));
      const undo = async (): Promise<void> => {
        try {
          await source.edits?.restore([raw]);
          await reload();
        } catch (error) {
          toastError(error);
        }
      };
      showToast({
        message: t("playground.deleted"),
        action: { label: t("common.undo"), run: () => void undo() },
      });
    };

    return {
      edit: async (message, text) => {
        try {
          await source.change(message.id, { text });
        } catch (error) {
          if (asApiError(error).status !== 404) throw error;
          // The message goes from the page with the next look at the list; what was typed must not go with it.
          addToDraft(chat, text);
          showToast({ tone: "error", message: t("playground.editGone") });
        }
        forgetMessages(chat, [message.id]);
        await reload();
      },

      editAndRun: (message, text) => {
        if (turn()?.question.id === message.id) ask(text);
        else void send(source, session, { text, files: message.files.map((path) => ({ name: path, path })) });
      },

      again: () => {
        const last = turn();
        if (last) ask(last.question.text);
      },

      like: async (message, liked) => {
        const mark = (value: boolean | null): void => {
          forgetMessages(chat, [message.id]);
          changeLoaded(source, session, (list) =>
            list.map((item) =>
              item.id === message.id
                ? { ...item, properties: { ...item.properties, positive_feedback: value } }
                : item,
            ),
          );
        };
        mark(liked);
        try {
          await source.change(message.id, { properties: { positive_feedback: liked } });
        } catch (error) {
          mark(message.liked);
          toastError(error);
          await reload();
        }
      },

      remove: source.edits ? remove : null,
    };
  }, [source, session, t]);
}
