import { useQuery } from "@tanstack/react-query";
import { Download, FolderInput, Trash2, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { projectsQuery } from "@/api/projects";
import type { FlowHeader } from "@/api/types";
import { Button, IconButton } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import { Menu, MenuItem } from "@/ui/Menu";
import { deleteWithUndo, exportFlows, moveFlows } from "./actions";

export function BulkBar({
  flows,
  total,
  onAll,
  onClear,
}: {
  flows: readonly FlowHeader[];
  total: number;
  onAll: () => void;
  onClear: () => void;
}) {
  const { t } = useTranslation();
  const projects = useQuery(projectsQuery).data ?? [];
  const all = flows.length === total;
  const free = flows.filter((flow) => !flow.locked);
  return (
    <div
      role="toolbar"
      aria-label={t("projects.bulk")}
      className="fixed bottom-4 left-1/2 z-30 flex max-w-[calc(100vw-16px)] -translate-x-1/2 items-center gap-1 rounded-xl border border-line bg-raised p-1.5 pl-3 shadow-3"
    >
      <Checkbox
        checked={all}
        indeterminate={!all}
        aria-label={t("projects.selectAll")}
        onChange={() => (all ? onClear() : onAll())}
      />
      <span role="status" className="px-1.5 text-sm whitespace-nowrap">
        {t("projects.selected", { count: flows.length })}
      </span>
      <Menu
        side="top"
        align="center"
        trigger={
          <Button variant="ghost" icon={<FolderInput aria-hidden="true" className="size-4" />}>
            <span className="max-sm:sr-only">{t("projects.moveTo")}</span>
          </Button>
        }
      >
        {projects.map((project) => (
          <MenuItem
            key={project.id}
            onSelect={() => {
              void moveFlows(free, project);
              onClear();
            }}
          >
            {project.name}
          </MenuItem>
        ))}
      </Menu>
      <Button
        variant="ghost"
        icon={<Download aria-hidden="true" className="size-4" />}
        onClick={() => void exportFlows(flows)}
      >
        <span className="max-sm:sr-only">{t("projects.export")}</span>
      </Button>
      <Button
        variant="ghost"
        className="text-danger!"
        disabled={free.length === 0}
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onClick={() => {
          void deleteWithUndo(free);
          onClear();
        }}
      >
        <span className="max-sm:sr-only">{t("projects.delete")}</span>
      </Button>
      <IconButton label={t("projects.clearSelection")} icon={<X className="size-4" />} onClick={onClear} />
    </div>
  );
}
