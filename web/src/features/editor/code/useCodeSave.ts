import type { TFunction } from "i18next";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/api/error";
import { type CodeProblem, problemAt, refusedCode } from "@/flow/codeProblems";
import type { undo } from "@/stores/editor/actions";
import type { saveCode } from "@/stores/editor/code";
import { dropDraft } from "@/stores/editor/codeDrafts";
import type { Editor } from "@/stores/editor/state";
import { explainError } from "@/ui/explainError";
import { showToast } from "@/ui/toasts";
import { tellFailure } from "./tellFailure";

/** Why a text was not saved. */
export interface CodeRefusal {
  code: string;
  problems: CodeProblem[];
}

/** What is wrong with the code, or in one sentence why it could not be looked at. */
function reasons(error: unknown, t: TFunction): CodeProblem[] {
  const { body, message, status } = asApiError(error);
  const found = refusedCode(body, message);
  if (found.length > 0) return found;
  const { sentence, advice } = explainError(error, t);
  // A refusal says itself what to do.
  return [problemAt(status <= 0 || status === 500 ? `${sentence} ${advice}` : sentence, null)];
}

export interface CodeSave {
  saving: boolean;
  refusal: CodeRefusal | null;
  /** The node that has the code now; null when it was not saved. */
  save: (code: string) => Promise<string | null>;
  stop: () => void;
}

/** What the dialog does to the flow. It is handed in: imported here, the canvas would be cut into many small chunks. */
export interface CodeWork {
  save: typeof saveCode;
  undo: typeof undo;
}

/** Has the server make a component of the code and puts it into the node. */
export function useCodeSave(editor: Editor, id: string, work: CodeWork): CodeSave {
  const { t } = useTranslation();
  const [saving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<CodeRefusal | null>(null);
  const abort = useRef<AbortController>(null);

  const save = async (code: string): Promise<string | null> => {
    const own = new AbortController();
    abort.current = own;
    setSaving(true);
    setRefusal(null);
    try {
      const { node, lost, failure } = await work.save(editor, id, code, own.signal);
      dropDraft(editor.getState().flowId, id);
      if (lost.length > 0)
        showToast({
          message: t("code.wiresGone", { count: lost.length }),
          detail: lost.join("\n"),
          duration: 12_000,
          action: { label: t("common.undo"), run: () => void work.undo(editor) },
        });
      if (failure) tellFailure(failure, node);
      return node;
    } catch (error) {
      if (own.signal.aborted) return null;
      setRefusal({ code, problems: reasons(error, t) });
      return null;
    } finally {
      if (abort.current === own) setSaving(false);
    }
  };
  return { saving, refusal, save, stop: () => abort.current?.abort() };
}
