import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { FileText, FolderPlus, Layers, LayoutTemplate, Settings, Trash2, Upload } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { createProject, projectsQuery } from "@/api/projects";
import { configQuery } from "@/api/session";
import { importFiles, pickFiles } from "@/stores/imports";
import { IconButton } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { SkeletonRows } from "@/ui/Skeleton";
import { toastError } from "@/ui/toastError";
import { refresh } from "./actions";
import { InlineName } from "./InlineName";
import { ProjectRow } from "./ProjectRow";
import { maxUpload } from "./limits";

type Place = "/all" | "/templates" | "/files" | "/trash" | "/settings/profile";

function Place({
  to,
  icon,
  current,
  onOpen,
  children,
}: {
  to: Place;
  icon: ReactNode;
  current?: boolean;
  onOpen: (() => void) | undefined;
  children: ReactNode;
}) {
  return (
    <Link
      to={to}
      aria-current={current ? "page" : undefined}
      onClick={onOpen}
      className={cx(
        "flex h-8 items-center gap-2 rounded-md px-2 transition-colors hover:bg-hover [&>svg]:size-4 [&>svg]:text-muted",
        current && "bg-hover font-medium",
      )}
    >
      {icon}
      {children}
    </Link>
  );
}

export function ProjectSidebar({
  projectId,
  onOpen,
}: {
  projectId: string | null;
  /** Called when a place is chosen, so that a drawer around this can close. */
  onOpen?: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projects = useQuery(projectsQuery);
  const config = useQuery(configQuery).data;
  const [creating, setCreating] = useState(false);

  const create = async (name: string) => {
    try {
      const project = await createProject(name);
      await refresh();
      void navigate({ to: "/projects/$projectId", params: { projectId: project.id } });
    } catch (error) {
      toastError(error);
    } finally {
      setCreating(false);
    }
  };

  const importProject = async () => {
    const files = await pickFiles(".zip,.json,application/zip,application/json");
    await importFiles(files, { folderId: null, maxBytes: maxUpload(config), asProject: true });
  };

  return (
    <nav aria-label={t("projects.sidebar")} className="flex h-full min-h-0 flex-col p-2">
      <Place to="/all" icon={<Layers aria-hidden="true" />} current={projectId === null} onOpen={onOpen}>
        {t("projects.all")}
      </Place>
      <div className="mt-3 flex items-center gap-1 pl-2">
        <h2 className="flex-1 text-xs font-semibold text-muted">{t("projects.projects")}</h2>
        <IconButton
          label={t("projects.importProject")}
          icon={<Upload className="size-4" />}
          size="sm"
          onClick={() => void importProject()}
        />
        <IconButton
          label={t("projects.newProject")}
          icon={<FolderPlus className="size-4" />}
          size="sm"
          onClick={() => setCreating(true)}
        />
      </div>
      <div className="scroll-thin -mx-1 min-h-0 flex-1 overflow-y-auto px-1 pt-1">
        {creating ? (
          <div className="flex h-8 items-center px-1">
            <InlineName
              label={t("projects.projectName")}
              value=""
              placeholder={t("projects.projectName")}
              onSave={create}
              onCancel={() => setCreating(false)}
            />
          </div>
        ) : null}
        {projects.isPending ? <SkeletonRows rows={3} label={t("common.loading")} /> : null}
        {projects.isError ? (
          <ErrorNotice error={projects.error} onRetry={() => void projects.refetch()} />
        ) : null}
        {projects.data ? (
          <ul className="space-y-0.5">
            {projects.data.map((project) => (
              <ProjectRow
                key={project.id}
                project={project}
                current={project.id === projectId}
                deletable={projects.data.length > 1}
                onOpen={onOpen}
              />
            ))}
          </ul>
        ) : null}
      </div>
      <div className="mt-2 space-y-0.5 border-t border-line pt-2">
        <Place to="/templates" icon={<LayoutTemplate aria-hidden="true" />} onOpen={onOpen}>
          {t("templates.title")}
        </Place>
        <Place to="/files" icon={<FileText aria-hidden="true" />} onOpen={onOpen}>
          {t("shell.files")}
        </Place>
        <Place to="/trash" icon={<Trash2 aria-hidden="true" />} onOpen={onOpen}>
          {t("shell.trash")}
        </Place>
        <Place to="/settings/profile" icon={<Settings aria-hidden="true" />} onOpen={onOpen}>
          {t("shell.settings")}
        </Place>
      </div>
    </nav>
  );
}
