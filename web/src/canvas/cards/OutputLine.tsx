import { ChevronDown, Eye } from "lucide-react";
import { useTranslation } from "react-i18next";
import { CARD, type OutputRow } from "@/flow/card";
import type { ComponentNode } from "@/flow/model";
import { edit } from "@/stores/editor/actions";
import type { Editor } from "@/stores/editor/state";
import { useNodeRun } from "@/stores/run";
import { Menu, MenuItem } from "@/ui/Menu";
import { useCanvasActions } from "../canvasActions";

/** An output at the foot of a card: its name, what it gave last, and a choice where there are several. */
export function OutputLine({ editor, node, row }: { editor: Editor | null; node: ComponentNode; row: OutputRow }) {
  const { t } = useTranslation();
  return (
    <div className="flex items-center justify-end gap-1 px-4" style={{ height: CARD.output }}>
      {row.loop ? (
        <span className="min-w-0 flex-1 truncate text-2xs text-muted">{t("flow.card.loopBack")}</span>
      ) : null}
      {editor ? <Inspect editor={editor} node={node} row={row} /> : null}
      {editor ? (
        <OutputName editor={editor} node={node} row={row} />
      ) : (
        <span className="truncate font-medium">{row.port.label}</span>
      )}
    </div>
  );
}

function Inspect({ editor, node, row }: { editor: Editor; node: ComponentNode; row: OutputRow }) {
  const { t } = useTranslation();
  const actions = useCanvasActions();
  const ran = useNodeRun(editor.getState().flowId, node.id).outputs.length > 0;
  return (
    <button
      type="button"
      aria-label={t("editor.card.output", { name: row.port.label })}
      title={ran ? t("editor.card.output", { name: row.port.label }) : t("editor.card.noOutput")}
      className="nodrag flex size-6 shrink-0 items-center justify-center rounded-md opacity-70 hover:opacity-100 data-[empty]:opacity-35"
      data-empty={ran ? undefined : true}
      onClick={() => actions?.showOutput(node.id, row.output?.name)}
    >
      <Eye aria-hidden="true" className="size-3.5" />
    </button>
  );
}

function OutputName({ editor, node, row }: { editor: Editor; node: ComponentNode; row: OutputRow }) {
  const { t } = useTranslation();
  const choices = node.outputs.filter((output) => !output.grouped && !output.hidden);
  const choice = row.output !== null && !row.output.grouped && choices.length > 1 && !node.badges.toolMode;
  if (!choice) return <span className="truncate font-medium">{row.port.label}</span>;
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={t("editor.card.chooseOutput", { name: row.port.label })}
          className="nodrag flex min-w-0 items-center gap-1 rounded-md px-1 py-0.5 font-medium hover:bg-hover"
        >
          <span className="truncate">{row.port.label}</span>
          <ChevronDown aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
        </button>
      }
    >
      {choices.map((output) => (
        <MenuItem
          key={output.name}
          onSelect={() => edit(editor, { op: "select_output", node: node.id, output: output.name })}
        >
          {output.label}
        </MenuItem>
      ))}
    </Menu>
  );
}
