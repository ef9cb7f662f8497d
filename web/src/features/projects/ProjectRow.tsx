import { Link, useNavigate } from "@tanstack/react-router";
import { Download, Ellipsis, Folder, FolderOpen, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { patchProject } from "@/api/projects";
import type { ProjectRead } from "@/api/types";
import { matches, useKeys } from "@/stores/shortcuts";
import { IconButton } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Menu, MenuItem, MenuSeparator } from "@/ui/Menu";
import { toastError } from "@/ui/toastError";
import { deleteProjectWithUndo, exportProject, moveFlows, refresh } from "./actions";
import { carriesFlows, droppedFlows } from "./drag";
import { InlineName } from "./InlineName";

export function ProjectRow({
  project,
  current,
  deletable,
  onOpen,
}: {
  project: ProjectRead;
  current: boolean;
  deletable: boolean;
  onOpen: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const renameKeys = useKeys("renameFlow");
  const [renaming, setRenaming] = useState(false);
  const [over, setOver] = useState(false);
  const Icon = current ? FolderOpen : Folder;

  const rename = async (name: string) => {
    try {
      await patchProject(project.id, { name });
    } catch (error) {
      toastError(error);
    } finally {
      await refresh();
      setRenaming(false);
    }
  };

  const remove = async () => {
    if ((await deleteProjectWithUndo(project)) && current) void navigate({ to: "/all" });
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a drop target; "Move to" does the same by keyboard
    <li
      className={cx(
        "group relative flex h-8 items-center rounded-md transition-colors",
        current ? "bg-hover font-medium" : "hover:bg-hover",
        over && "bg-accent-soft outline-2 outline-accent",
      )}
      onDragOver={(event) => {
        if (!carriesFlows(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "move";
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!carriesFlows(event.dataTransfer)) return;
        event.preventDefault();
        setOver(false);
        void moveFlows(droppedFlows(), project);
      }}
    >
      {renaming ? (
        <div className="flex-1 px-1">
          <InlineName
            label={t("projects.projectName")}
            value={project.name}
            onSave={rename}
            onCancel={() => setRenaming(false)}
          />
        </div>
      ) : (
        <>
          <Link
            to="/projects/$projectId"
            params={{ projectId: project.id }}
            aria-current={current ? "page" : undefined}
            className="flex h-full min-w-0 flex-1 items-center gap-2 rounded-md px-2"
            onClick={onOpen}
            onKeyDown={(event) => {
              if (matches(event.nativeEvent, "renameFlow")) setRenaming(true);
              if (matches(event.nativeEvent, "deleteFlow") && deletable) void remove();
            }}
          >
            <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
            <span className="min-w-0 flex-1 truncate">{project.name}</span>
            <span
              className="text-xs text-muted tabular-nums group-focus-within:opacity-0 group-hover:opacity-0 pointer-coarse:mr-7 pointer-coarse:opacity-100"
              aria-label={t("projects.flowCount", { count: project.flow_count })}
            >
              {project.flow_count}
            </span>
          </Link>
          <span className="absolute right-0.5 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-data-popup-open:opacity-100 pointer-coarse:opacity-100">
            <Menu
              trigger={
                <IconButton
                  label={t("projects.projectMenu", { name: project.name })}
                  icon={<Ellipsis className="size-4" />}
                  size="sm"
                  tooltip={false}
                />
              }
            >
              <MenuItem
                icon={<Pencil />}
                shortcut={renameKeys}
                onSelect={() => setRenaming(true)}
              >
                {t("projects.rename")}
              </MenuItem>
              <MenuItem icon={<Download />} onSelect={() => void exportProject(project)}>
                {t("projects.export")}
              </MenuItem>
              <MenuSeparator />
              <MenuItem icon={<Trash2 />} danger disabled={!deletable} onSelect={() => void remove()}>
                {t("projects.delete")}
              </MenuItem>
            </Menu>
          </span>
        </>
      )}
    </li>
  );
}
