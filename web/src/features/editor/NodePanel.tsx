import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Editor } from "@/stores/editor/state";
import { TabPanel, Tabs } from "@/ui/Tabs";
import { Inspector } from "./inspector/Inspector";
import type { FlowParts } from "./parts";

/** The selected node: what it is set to, and what it did in the last run. */
export function NodePanel({
  editor,
  id,
  tab,
  onTab,
  onNode,
  Output,
}: {
  editor: Editor;
  id: string | null;
  tab: "inspector" | "output";
  onTab: (tab: "inspector" | "output") => void;
  onNode: (id: string) => void;
  Output: FlowParts["Output"];
}) {
  const { t } = useTranslation();
  const flow = useStore(editor, (state) => state.flow);
  const locked = useStore(editor, (state) => state.locked);
  const node = id === null ? null : (flow.byId.get(id) ?? null);
  return (
    <Tabs
      value={tab}
      onChange={onTab}
      className="[&>[role=tablist]]:px-3"
      tabs={[
        { value: "inspector", label: t("editor.panel.settings") },
        { value: "output", label: t("editor.panel.lastRun") },
      ]}
    >
      <TabPanel value="inspector">
        <Inspector key={id} flow={flow} node={node} onNode={onNode} editor={editor} locked={locked} />
      </TabPanel>
      <TabPanel value="output">
        {id === null ? (
          <Inspector flow={flow} node={null} onNode={onNode} editor={editor} />
        ) : (
          <Output flowId={editor.getState().flowId} nodeId={id} onNode={onNode} />
        )}
      </TabPanel>
    </Tabs>
  );
}
