import { Cable } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { fittingInputs, fittingOutputs } from "@/flow/edit/fit";
import { humanise } from "@/flow/fields";
import type { Port } from "@/flow/model";
import { connectPorts, type End } from "@/stores/editor/commands";
import type { Editor } from "@/stores/editor/state";
import { IconButton } from "@/ui/Button";
import { MenuItem, PointMenu } from "@/ui/Menu";

/** Draws a wire without a mouse: a list of every port that fits. */
export function ConnectMenu({ editor, node, port }: { editor: Editor; node: string; port: Port }) {
  const { t } = useTranslation();
  const locked = useStore(editor, (state) => state.locked);
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  if (locked) return null;
  return (
    <>
      <IconButton
        size="sm"
        label={t("editor.wire.connect", { name: port.label || port.name })}
        aria-haspopup="menu"
        icon={<Cable className="size-3.5" />}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          setAt({ x: box.left, y: box.bottom + 4 });
        }}
      />
      {at ? (
        <PointMenu at={at} onClose={() => setAt(null)}>
          <Fitting editor={editor} node={node} port={port} />
        </PointMenu>
      ) : null}
    </>
  );
}

function Fitting({ editor, node, port }: { editor: Editor; node: string; port: Port }) {
  const { t } = useTranslation();
  const { document, registry, flow } = editor.getState();
  const out = port.side === "out";
  const found = out
    ? fittingInputs(document, registry, { node, output: port.name })
    : fittingOutputs(document, registry, { node, input: port.name });
  const fits = found.filter(({ refusal }) => refusal === null || refusal.code === "occupied");
  if (fits.length === 0)
    return (
      <MenuItem disabled onSelect={() => {}}>
        {t("editor.wire.nothingFits")}
      </MenuItem>
    );
  const own: End = { node, port: port.name };
  return fits.map((fit) => {
    const other: End = { node: fit.node, port: fit.port };
    const target = flow.byId.get(fit.node);
    const label = target?.ports.find(({ name }) => name === fit.port)?.label ?? humanise(fit.port);
    return (
      <MenuItem
        key={`${fit.node} ${fit.port}`}
        onSelect={() => connectPorts(editor, out ? own : other, out ? other : own)}
      >
        {[target?.title ?? fit.node, label].join(" · ")}
      </MenuItem>
    );
  });
}
