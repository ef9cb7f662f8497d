import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalSpaceBetween,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalSpaceBetween,
  BookOpen,
  ClipboardCopy,
  ClipboardPaste,
  Code,
  CopyPlus,
  Eye,
  Group,
  LayoutDashboard,
  Minimize2,
  Pencil,
  Play,
  Plus,
  Replace,
  Scissors,
  Settings2,
  Snowflake,
  Sparkles,
  SquareDashedMousePointer,
  StickyNote,
  Trash2,
  Ungroup,
  Wrench,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Pressed } from "@/canvas/EditorCanvas";
import type { Alignment } from "@/flow/edit/arrange";
import { safeHref } from "@/flow/preview";
import { edit, removeSelected, selectAll } from "@/stores/editor/actions";
import {
  alignSelected,
  distributeSelected,
  duplicateSelected,
  groupSelected,
  setToolMode,
  ungroupSelected,
} from "@/stores/editor/commands";
import { openCode } from "@/stores/editor/codeOpen";
import type { Editor } from "@/stores/editor/state";
import { keysOf } from "@/stores/shortcuts";
import { MenuItem, MenuSeparator, PointMenu, SubMenu } from "@/ui/Menu";

export interface MenuActions {
  addHere: () => void;
  noteHere: () => void;
  arrange: () => void;
  copy: () => void;
  cut: () => void;
  paste: () => void;
  open: (id: string) => void;
  output: (id: string) => void;
  runTo: (id: string) => void;
  rename: (id: string) => void;
  replace: (id: string) => void;
  ask: (id: string) => void;
}

/** What the other mouse button offers: for a node, several nodes, a wire, or the empty canvas. */
export function CanvasMenu({
  editor,
  pressed,
  actions,
  onClose,
}: {
  editor: Editor;
  pressed: Pressed;
  actions: MenuActions;
  onClose: () => void;
}) {
  const { selection, locked } = editor.getState();
  return (
    <PointMenu at={pressed.at} onClose={onClose}>
      {pressed.wire !== null ? (
        <WireItems editor={editor} wire={pressed.wire} locked={locked} />
      ) : pressed.node === null ? (
        <PaneItems editor={editor} actions={actions} locked={locked} />
      ) : selection.size > 1 ? (
        <SeveralItems editor={editor} actions={actions} locked={locked} />
      ) : (
        <NodeItems editor={editor} id={pressed.node} actions={actions} locked={locked} />
      )}
    </PointMenu>
  );
}

function WireItems({ editor, wire, locked }: { editor: Editor; wire: string; locked: boolean }) {
  const { t } = useTranslation();
  return (
    <MenuItem
      icon={<Trash2 />}
      danger
      disabled={locked}
      shortcut={keysOf("delete")}
      onSelect={() => edit(editor, { op: "cut", wire })}
    >
      {t("editor.wire.remove")}
    </MenuItem>
  );
}

function PaneItems({ editor, actions, locked }: { editor: Editor; actions: MenuActions; locked: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <MenuItem icon={<Plus />} disabled={locked} shortcut={keysOf("addNode")} onSelect={actions.addHere}>
        {t("editor.menu.add")}
      </MenuItem>
      <MenuItem icon={<StickyNote />} disabled={locked} shortcut={keysOf("note")} onSelect={actions.noteHere}>
        {t("editor.menu.note")}
      </MenuItem>
      <MenuItem icon={<ClipboardPaste />} disabled={locked} shortcut={keysOf("paste")} onSelect={actions.paste}>
        {t("editor.menu.paste")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<SquareDashedMousePointer />}
        shortcut={keysOf("selectAll")}
        onSelect={() => selectAll(editor)}
      >
        {t("editor.menu.selectAll")}
      </MenuItem>
      <MenuItem
        icon={<LayoutDashboard />}
        disabled={locked}
        shortcut={keysOf("arrange")}
        onSelect={actions.arrange}
      >
        {t("editor.menu.arrange")}
      </MenuItem>
    </>
  );
}

const alignments = [
  { how: "left", label: "editor.align.left" },
  { how: "centre", label: "editor.align.centre" },
  { how: "right", label: "editor.align.right" },
  { how: "top", label: "editor.align.top" },
  { how: "middle", label: "editor.align.middle" },
  { how: "bottom", label: "editor.align.bottom" },
] as const satisfies readonly { how: Alignment; label: string }[];

function AlignIcon({ how }: { how: Alignment }) {
  switch (how) {
    case "left":
      return <AlignStartVertical />;
    case "centre":
      return <AlignCenterVertical />;
    case "right":
      return <AlignEndVertical />;
    case "top":
      return <AlignStartHorizontal />;
    case "middle":
      return <AlignCenterHorizontal />;
    case "bottom":
      return <AlignEndHorizontal />;
  }
}

function SeveralItems({ editor, actions, locked }: { editor: Editor; actions: MenuActions; locked: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <Common editor={editor} actions={actions} locked={locked} />
      <SubMenu icon={<AlignStartVertical />} label={t("editor.menu.align")}>
        {alignments.map(({ how, label }) => (
          <MenuItem key={how} icon={<AlignIcon how={how} />} disabled={locked} onSelect={() => alignSelected(editor, how)}>
            {t(label)}
          </MenuItem>
        ))}
        <MenuItem
          icon={<AlignHorizontalSpaceBetween />}
          disabled={locked}
          onSelect={() => distributeSelected(editor, "horizontal")}
        >
          {t("editor.align.across")}
        </MenuItem>
        <MenuItem
          icon={<AlignVerticalSpaceBetween />}
          disabled={locked}
          onSelect={() => distributeSelected(editor, "vertical")}
        >
          {t("editor.align.down")}
        </MenuItem>
      </SubMenu>
      <MenuItem
        icon={<Group />}
        disabled={locked}
        shortcut={keysOf("group")}
        onSelect={() => groupSelected(editor, t("editor.groupName"))}
      >
        {t("editor.menu.group")}
      </MenuItem>
      <MenuSeparator />
      <Remove editor={editor} locked={locked} />
    </>
  );
}

function Common({ editor, actions, locked }: { editor: Editor; actions: MenuActions; locked: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <MenuItem icon={<ClipboardCopy />} shortcut={keysOf("copy")} onSelect={actions.copy}>
        {t("editor.menu.copy")}
      </MenuItem>
      <MenuItem icon={<Scissors />} disabled={locked} shortcut={keysOf("cut")} onSelect={actions.cut}>
        {t("editor.menu.cut")}
      </MenuItem>
      <MenuItem
        icon={<CopyPlus />}
        disabled={locked}
        shortcut={keysOf("duplicate")}
        onSelect={() => duplicateSelected(editor)}
      >
        {t("editor.menu.duplicate")}
      </MenuItem>
    </>
  );
}

function Remove({ editor, locked }: { editor: Editor; locked: boolean }) {
  const { t } = useTranslation();
  return (
    <MenuItem
      icon={<Trash2 />}
      danger
      disabled={locked}
      shortcut={keysOf("delete")}
      onSelect={() => removeSelected(editor)}
    >
      {t("editor.menu.delete")}
    </MenuItem>
  );
}

function NodeItems({
  editor,
  id,
  actions,
  locked,
}: {
  editor: Editor;
  id: string;
  actions: MenuActions;
  locked: boolean;
}) {
  const { t } = useTranslation();
  const node = editor.getState().flow.byId.get(id);
  if (!node) return null;
  const component = node.kind === "component" ? node : null;
  const docs = component ? safeHref(component.documentation) : null;
  return (
    <>
      {node.kind === "note" ? null : (
        <>
          <MenuItem icon={<Play />} shortcut={keysOf("runNode")} onSelect={() => actions.runTo(id)}>
            {t("editor.bar.run")}
          </MenuItem>
          <MenuItem icon={<Eye />} shortcut={keysOf("output")} onSelect={() => actions.output(id)}>
            {t("editor.bar.output")}
          </MenuItem>
          <MenuItem icon={<Settings2 />} shortcut={keysOf("openNode")} onSelect={() => actions.open(id)}>
            {t("editor.menu.settings")}
          </MenuItem>
          <MenuItem icon={<Sparkles />} disabled={locked} onSelect={() => actions.ask(id)}>
            {t("commands.assistant")}
          </MenuItem>
        </>
      )}
      <MenuItem icon={<Pencil />} disabled={locked} shortcut={keysOf("rename")} onSelect={() => actions.rename(id)}>
        {node.kind === "note" ? t("editor.menu.write") : t("editor.menu.rename")}
      </MenuItem>
      <MenuSeparator />
      <Common editor={editor} actions={actions} locked={locked} />
      {component ? (
        <>
          {component.group ? null : (
            <MenuItem icon={<Code />} shortcut={keysOf("code")} onSelect={() => openCode(id)}>
              {t("editor.code.open")}
            </MenuItem>
          )}
          <MenuItem icon={<Replace />} disabled={locked} onSelect={() => actions.replace(id)}>
            {t("editor.menu.replace")}
          </MenuItem>
          <MenuSeparator />
          <MenuItem
            icon={<Wrench />}
            disabled={locked}
            shortcut={keysOf("toolMode")}
            onSelect={() => void setToolMode(editor, id, !component.badges.toolMode)}
          >
            {component.badges.toolMode ? t("editor.menu.toolOff") : t("editor.bar.tool")}
          </MenuItem>
          <MenuItem
            icon={<Snowflake />}
            disabled={locked}
            shortcut={keysOf("freeze")}
            onSelect={() => edit(editor, { op: "freeze", node: id, on: !component.badges.frozen })}
          >
            {component.badges.frozen ? t("editor.menu.thaw") : t("editor.bar.freeze")}
          </MenuItem>
          <MenuItem
            icon={<Minimize2 />}
            disabled={locked}
            shortcut={keysOf("minimise")}
            onSelect={() => edit(editor, { op: "minimise", node: id, on: !component.minimised })}
          >
            {component.minimised ? t("editor.menu.enlarge") : t("editor.bar.minimise")}
          </MenuItem>
          {component.group ? (
            <MenuItem
              icon={<Ungroup />}
              disabled={locked}
              shortcut={keysOf("ungroup")}
              onSelect={() => ungroupSelected(editor)}
            >
              {t("editor.menu.ungroup")}
            </MenuItem>
          ) : (
            <MenuItem
              icon={<Group />}
              disabled={locked}
              shortcut={keysOf("group")}
              onSelect={() => groupSelected(editor, t("editor.groupName"))}
            >
              {t("editor.menu.group")}
            </MenuItem>
          )}
          {docs === null ? null : (
            <MenuItem icon={<BookOpen />} onSelect={() => window.open(docs, "_blank", "noopener,noreferrer")}>
              {t("editor.bar.docs")}
            </MenuItem>
          )}
        </>
      ) : null}
      <MenuSeparator />
      <Remove editor={editor} locked={locked} />
    </>
  );
}
