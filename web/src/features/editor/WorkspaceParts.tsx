import { type ComponentProps, useMemo, useState } from "react";
import type { Editor } from "@/stores/editor/state";
import { OutlinePanel } from "./OutlinePanel";
import { Link } from "@tanstack/react-router";
import { Maximize2, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { FlowRead } from "@/api/types";
import { flush } from "@/stores/editor/saving";
import { setPreference, usePreferences } from "@/stores/preferences";
import { useKeys } from "@/stores/shortcuts";
import { buttonClass, IconButton } from "@/ui/Button";
import type { BottomTabEntry } from "./BottomPanel";
import type { FlowParts } from "./parts";
import type { EditorSession } from "./useEditorSession";
import type { FlowWrites } from "./useFlowWrites";
import type { Problems } from "./useProblems";

/** Subscribes to the document on its own: it changes with every key. */
export function Share({
  editor: { editor, onMerged },
  flow,
  save,
  parts,
}: {
  editor: EditorSession;
  flow: FlowRead;
  save: FlowWrites["save"];
  parts: FlowParts;
}) {
  const document = useStore(editor, (state) => state.document);
  return <parts.Share flow={flow} document={document} save={save} flush={() => flush(editor, onMerged)} />;
}

/** As `Share`: the outline is drawn anew with every key, the page around it is not. */
export function Outline({ editor, ...props }: Omit<ComponentProps<typeof OutlinePanel>, "flow"> & { editor: Editor }) {
  const flow = useStore(editor, (state) => state.flow);
  return <OutlinePanel flow={flow} {...props} />;
}

const PALETTE_BUTTON_ID = "open-components";

function isNarrow(): boolean {
  return matchMedia("(width < 768px)").matches;
}

/** Where it would cover the canvas the palette opens only when it is asked for, and leaves when something was taken. */
export function usePaletteShown(): { shown: boolean; open: () => void; close: () => void; taken: () => void } {
  const wanted = usePreferences((preferences) => preferences.palette === "shown");
  const [folded, setFolded] = useState(isNarrow);
  return {
    shown: wanted && !folded,
    open: () => {
      setFolded(false);
      setPreference("palette", "shown");
    },
    close: () => {
      if (isNarrow()) setFolded(true);
      else setPreference("palette", "hidden");
      // The focus goes to what brings the palette back.
      requestAnimationFrame(() => document.getElementById(PALETTE_BUTTON_ID)?.focus());
    },
    taken: () => setFolded(isNarrow()),
  };
}

/** Stands where the palette was. */
export function PaletteButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="absolute top-3 left-3 z-10 rounded-lg border border-line bg-raised p-1 shadow-2">
      <IconButton
        id={PALETTE_BUTTON_ID}
        size="sm"
        label={t("palette.open")}
        shortcut={useKeys("sidebar")}
        icon={<Plus className="size-4" />}
        onClick={onOpen}
      />
    </div>
  );
}

export function FullPageLink({ flowId }: { flowId: string }) {
  const { t } = useTranslation();
  return (
    <Link
      to="/flow/$flowId/playground"
      params={{ flowId }}
      className={buttonClass("ghost", "sm")}
      aria-label={t("playground.fullPage")}
      title={t("playground.fullPage")}
    >
      <Maximize2 aria-hidden="true" className="size-4" />
    </Link>
  );
}

export function useBottomTabs(problems: Problems): BottomTabEntry[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: "problems",
        label: t("editor.bottom.problems"),
        count: problems.count,
        ...(problems.errors > 0 ? { tone: "danger" } : {}),
      },
      { id: "runs", label: t("editor.bottom.runs") },
      { id: "variables", label: t("editor.bottom.variables") },
    ],
    [t, problems],
  );
}
