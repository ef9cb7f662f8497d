import { useQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { componentsQuery } from "@/api/components";
import type { TaggedFlow } from "@/api/flows";
import { spoken } from "@/flow/edit/spoken";
import { onChange, onRefusal, setLocked, setRegistry } from "@/stores/editor/actions";
import { onRefreshFailure, refreshPrompts } from "@/stores/editor/commands";
import { receive, recover, startSaving } from "@/stores/editor/saving";
import { createEditor, type Editor } from "@/stores/editor/state";
import { attachNewestRun, markStale } from "@/stores/run";
import { showToast } from "@/ui/toasts";
import { tellFailure } from "./code/tellFailure";

export interface EditorSession {
  editor: Editor;
  components: ReturnType<typeof useComponents>;
  /** Says that changes made elsewhere have come in. */
  onMerged: (count: number) => void;
}

function useComponents() {
  return useQuery(componentsQuery);
}

/** The editor of one flow for as long as its page is open: what it knows, saves and says. */
export function useEditorSession({ flow }: TaggedFlow): EditorSession {
  const { t } = useTranslation();
  const [editor] = useState(() => createEditor(flow));
  const components = useComponents();
  const registry = components.data?.registry;

  const [onMerged] = useState(() => (count: number): void => {
    showToast({ message: t("editor.save.merged"), ...(count > 0 ? { detail: t("editor.save.mergedBoth") } : {}) });
  });

  // Before the effects of what is drawn with the list: one of them may add a node.
  useLayoutEffect(() => {
    if (registry) setRegistry(editor, registry);
  }, [editor, registry]);

  useEffect(() => {
    const stop = startSaving(editor, onMerged);
    const { restored, lost } = recover(editor);
    if (restored > 0) showToast({ message: t("editor.save.recovered", { count: restored }) });
    if (lost > 0) showToast({ tone: "error", message: t("editor.save.lost", { count: lost }) });
    const stopRefusals = onRefusal((refusal) =>
      showToast({ tone: "error", message: spoken(refusal, editor.getState().flow) }),
    );
    const stopChanges = onChange((changed, nodes) => {
      const { flowId, flow: drawn } = changed.getState();
      if (changed === editor && nodes.length > 0) markStale(flowId, nodes, drawn.wires);
    });
    onRefreshFailure(tellFailure);
    if (!editor.getState().locked) refreshPrompts(editor);
    attachNewestRun(editor.getState().flowId).catch(() => {
      // How the last run went is a convenience; the runs panel says it when they cannot be read.
    });
    return () => {
      stop();
      stopRefusals();
      stopChanges();
    };
  }, [editor, onMerged, t]);

  useEffect(() => {
    receive(editor, flow, onMerged);
    setLocked(editor, flow.locked === true);
  }, [editor, flow, onMerged]);

  return { editor, components, onMerged };
}
