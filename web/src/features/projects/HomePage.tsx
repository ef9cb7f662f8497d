import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { PanelLeft } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { projectsQuery } from "@/api/projects";
import { configQuery } from "@/api/session";
import { isTyping } from "@/lib/keys";
import { importFiles, importKinds, importPasted, pickFiles } from "@/stores/imports";
import { askForNewFlow, setCurrentProject } from "@/stores/intents";
import { matches } from "@/stores/shortcuts";
import { Breadcrumbs } from "@/ui/Breadcrumbs";
import { IconButton } from "@/ui/Button";
import { Drawer } from "@/ui/Drawer";
import { DropZone } from "@/ui/DropZone";
import { TopBarTitle } from "@/ui/TopBarSlots";
import { useTitle } from "@/ui/useTitle";
import { FlowBrowser } from "./FlowBrowser";
import { FlowToolbar } from "./FlowToolbar";
import { maxUpload } from "./limits";
import { ProjectMissing } from "./ProjectMissing";
import { ProjectSidebar } from "./ProjectSidebar";

export default function HomePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = (useParams({ strict: false }) as { projectId?: string }).projectId ?? null;
  const search = (useSearch({ strict: false }) as { q?: string }).q ?? "";
  const projects = useQuery(projectsQuery).data;
  const config = useQuery(configQuery).data;
  const project = projects?.find((each) => each.id === projectId);
  const [drawer, setDrawer] = useState(false);
  const searchBox = useRef<HTMLInputElement>(null);
  const heading = projectId === null ? t("projects.all") : (project?.name ?? "");
  useTitle(heading);

  useEffect(() => {
    setCurrentProject(projectId);
    return () => setCurrentProject(null);
  }, [projectId]);

  const onFiles = useCallback(
    (files: File[]) => void importFiles(files, { folderId: projectId, maxBytes: maxUpload(config) }),
    [projectId, config],
  );
  const onImport = async () => onFiles(await pickFiles(importKinds));
  const onSearch = useCallback(
    (text: string) =>
      void navigate({
        to: ".",
        search: (before: Record<string, unknown>) => ({ ...before, q: text.trim() || undefined }),
        replace: true,
      }),
    [navigate],
  );

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('[role="dialog"]')) return;
      if (matches(event, "search")) {
        event.preventDefault();
        searchBox.current?.focus();
      } else if (matches(event, "newFlow")) {
        event.preventDefault();
        askForNewFlow();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);

  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target) || document.querySelector('[role="dialog"]')) return;
      const files = [...(event.clipboardData?.files ?? [])];
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (files.length > 0) onFiles(files);
      else if (text.trim() !== "") void importPasted(text, { folderId: projectId, maxBytes: maxUpload(config) });
      else return;
      event.preventDefault();
    };
    window.addEventListener("paste", onPaste);
    return () => window.removeEventListener("paste", onPaste);
  }, [onFiles, projectId, config]);

  return (
    <div className="flex min-h-0 flex-1">
      <TopBarTitle>
        <IconButton
          label={t("projects.openSidebar")}
          icon={<PanelLeft className="size-4" />}
          className="md:hidden"
          onClick={() => setDrawer(true)}
        />
        <Breadcrumbs items={[{ label: heading }]} />
      </TopBarTitle>
      <aside className="hidden w-60 shrink-0 border-r border-line bg-surface md:block">
        <ProjectSidebar projectId={projectId} />
      </aside>
      <Drawer open={drawer} onClose={() => setDrawer(false)} title={t("projects.sidebar")}>
        <ProjectSidebar projectId={projectId} onOpen={() => setDrawer(false)} />
      </Drawer>
      <main className="scroll-thin min-w-0 flex-1 overflow-y-auto">
        {projectId !== null && projects && !project ? (
          <ProjectMissing />
        ) : (
          <div className="mx-auto max-w-7xl px-4 pt-5 sm:px-6">
            <h1 className="mb-4 min-h-7 truncate text-xl font-semibold">{heading}</h1>
            <div className="sticky top-0 z-2 -mx-1 mb-3 bg-bg px-1 py-2">
              <FlowToolbar
                search={search}
                onSearch={onSearch}
                searchRef={searchBox}
                onImport={() => void onImport()}
              />
            </div>
            <FlowBrowser
              projectId={projectId}
              search={search}
              onImport={() => void onImport()}
              onClearSearch={() => onSearch("")}
            />
          </div>
        )}
      </main>
      <DropZone title={t("projects.dropTitle")} hint={t("projects.dropHint")} onFiles={onFiles} />
    </div>
  );
}
