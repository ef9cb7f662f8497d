import { lazy, Suspense, useEffect, useEffectEvent, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { nodeCode } from "@/flow/nodeCode";
import { part } from "@/lib/part";
import { undo } from "@/stores/editor/actions";
import { saveCode } from "@/stores/editor/code";
import { draftOf, draftsOf, dropDraft } from "@/stores/editor/codeDrafts";
import { closeCode, openCode, showCodeOf, useCodeOpen } from "@/stores/editor/codeOpen";
import type { Editor } from "@/stores/editor/state";
import { showToast } from "@/ui/toasts";
import type { CodeWork } from "./useCodeSave";

const work: CodeWork = { save: saveCode, undo };
const CodeDialog = lazy(() => part(() => import("./CodeDialog")));

/** Shows the code of a node whenever somebody asks for it; afterwards the focus is on the node. */
export function CodeHost({ editor, onFocus }: { editor: Editor; onFocus: (id: string) => void }) {
  const { t } = useTranslation();
  const open = useCodeOpen((state) => state.open);
  useEffect(() => showCodeOf(editor), [editor]);

  const tellDrafts = useEffectEvent(() => {
    const { flowId, flow } = editor.getState();
    const left = draftsOf(flowId).flatMap((id) => {
      const node = flow.byId.get(id);
      // Code of a node that is gone may be asked for again when the node comes back.
      if (!node) return [];
      if (draftOf(flowId, id)?.code !== nodeCode(node.raw)) return [node];
      dropDraft(flowId, id);
      return [];
    });
    const [first] = left;
    if (!first) return;
    showToast({
      message: t("editor.code.draftLeft", { name: first.title }),
      duration: 12_000,
      action: { label: t("editor.code.open"), run: () => openCode(first.id) },
    });
  });
  useEffect(() => tellDrafts(), []);

  const tellNone = useEffectEvent((id: string) => {
    const node = editor.getState().flow.byId.get(id);
    if (node && nodeCode(node.raw) !== null) return;
    closeCode();
    if (node) showToast({ message: t("editor.code.none", { name: node.title }), detail: t("editor.code.noneHint") });
  });
  const asked = open?.node ?? null;
  useEffect(() => {
    if (asked !== null) tellNone(asked);
  }, [asked]);
  const focusNode = useEffectEvent((id: string) => {
    if (editor.getState().flow.byId.has(id)) onFocus(id);
  });

  // Looked at once: a node that is removed while its code is open must not take the text along.
  const there = useMemo(
    () => asked !== null && nodeCode(editor.getState().flow.byId.get(asked)?.raw) !== null,
    [asked, editor],
  );
  useEffect(() => {
    if (asked === null || !there) return;
    return () => {
      // After the dialog has put the focus back to where it was.
      requestAnimationFrame(() => requestAnimationFrame(() => focusNode(asked)));
    };
  }, [asked, there]);
  if (!open || !there) return null;
  return (
    <Suspense>
      <CodeDialog key={open.node} editor={editor} id={open.node} line={open.line} work={work} />
    </Suspense>
  );
}
