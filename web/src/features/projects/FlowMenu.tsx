import { useQuery } from "@tanstack/react-query";
import {
  Copy,
  Download,
  EllipsisVertical,
  FolderInput,
  Globe,
  GlobeLock,
  Link2,
  Lock,
  LockOpen,
  Pencil,
  Trash2,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { projectsQuery } from "@/api/projects";
import type { FlowHeader } from "@/api/types";
import { useKeys } from "@/stores/shortcuts";
import { IconButton } from "@/ui/Button";
import { Menu, MenuItem, MenuSeparator, SubMenu } from "@/ui/Menu";
import { copyPublicLink, deleteWithUndo, duplicate, exportFlows, moveFlows, setAccess, setLocked } from "./actions";

export function FlowMenu({ flow, onEdit }: { flow: FlowHeader; onEdit: () => void }) {
  const { t } = useTranslation();
  const renameKeys = useKeys("renameFlow");
  const deleteKeys = useKeys("deleteFlow");
  const projects = useQuery(projectsQuery).data ?? [];
  const others = projects.filter((project) => project.id !== flow.folder_id);
  const open = flow.access_type === "PUBLIC";
  return (
    <Menu
      trigger={
        <IconButton
          label={t("projects.flowMenu", { name: flow.name })}
          icon={<EllipsisVertical className="size-4" />}
          size="sm"
          tooltip={false}
        />
      }
    >
      <MenuItem icon={<Pencil />} shortcut={renameKeys} disabled={flow.locked} onSelect={onEdit}>
        {t("projects.edit")}
      </MenuItem>
      <MenuItem icon={<Copy />} onSelect={() => void duplicate(flow)}>
        {t("projects.duplicate")}
      </MenuItem>
      <SubMenu icon={<FolderInput />} label={t("projects.moveTo")}>
        {others.map((project) => (
          <MenuItem key={project.id} onSelect={() => void moveFlows([flow], project)}>
            {project.name}
          </MenuItem>
        ))}
        {others.length === 0 ? (
          <MenuItem disabled onSelect={() => {}}>
            {t("projects.noOtherProject")}
          </MenuItem>
        ) : null}
      </SubMenu>
      <MenuItem icon={<Download />} onSelect={() => void exportFlows([flow])}>
        {t("projects.export")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={flow.locked ? <LockOpen /> : <Lock />}
        onSelect={() => void setLocked(flow, !flow.locked)}
      >
        {flow.locked ? t("projects.unlock") : t("projects.lock")}
      </MenuItem>
      <MenuItem
        icon={open ? <GlobeLock /> : <Globe />}
        disabled={flow.locked}
        onSelect={() => void setAccess(flow, open ? "PRIVATE" : "PUBLIC")}
      >
        {open ? t("projects.makePrivate") : t("projects.makePublic")}
      </MenuItem>
      {open ? (
        <MenuItem icon={<Link2 />} onSelect={() => void copyPublicLink(flow)}>
          {t("projects.copyLink")}
        </MenuItem>
      ) : null}
      <MenuSeparator />
      <MenuItem
        icon={<Trash2 />}
        danger
        disabled={flow.locked}
        shortcut={deleteKeys}
        onSelect={() => void deleteWithUndo([flow])}
      >
        {t("projects.delete")}
      </MenuItem>
    </Menu>
  );
}
