import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  BookOpen,
  CircleUser,
  FileText,
  Folder,
  Info,
  Keyboard,
  KeyRound,
  Languages,
  Layers,
  LayoutTemplate,
  LogOut,
  Plus,
  Sparkles,
  SunMoon,
  Trash2,
  Upload,
  Users,
  Variable,
  Workflow,
} from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { listFlows } from "@/api/flows";
import { projectsQuery } from "@/api/projects";
import { configQuery, sessionQuery } from "@/api/session";
import { type Language, languages } from "@/i18n";
import { importFiles, importKinds, pickFiles } from "@/stores/imports";
import { askForNewFlow, openShortcutSheet, useIntents } from "@/stores/intents";
import { isDark, setPreference, usePreferences } from "@/stores/preferences";
import { useDebounced } from "@/ui/useDebounced";
import type { Command } from "./commands";

const settingsPages = [
  { to: "/settings/profile", label: "settings.profile.title", icon: CircleUser, admin: false },
  { to: "/settings/variables", label: "settings.variables.title", icon: Variable, admin: false },
  { to: "/settings/api-keys", label: "settings.keys.title", icon: KeyRound, admin: false },
  { to: "/settings/users", label: "settings.users.title", icon: Users, admin: true },
  { to: "/settings/appearance", label: "settings.appearance.title", icon: SunMoon, admin: false },
  { to: "/settings/language", label: "settings.language.title", icon: Languages, admin: false },
  { to: "/settings/shortcuts", label: "settings.shortcuts.title", icon: Keyboard, admin: false },
  { to: "/settings/about", label: "settings.about.title", icon: Info, admin: false },
] as const;

const iconClass = "size-4";

/** Flows whose name fits, asked from the server so that it does not matter how many there are. */
export function useFlowCommands(text: string): { commands: Command[]; loading: boolean } {
  const navigate = useNavigate();
  const search = useDebounced(text.trim(), 150);
  const flows = useQuery({
    queryKey: ["flows", "commands", search],
    queryFn: ({ signal }) =>
      listFlows(
        { search: search || undefined, sort: "updated_at", order: "desc", page: 1, size: search ? 12 : 5 },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  const commands = useMemo(
    () =>
      (flows.data?.items ?? []).map(
        (flow): Command => ({
          id: `flow:${flow.id}`,
          group: "flows",
          label: flow.name,
          words: `${flow.description ?? ""} ${(flow.tags ?? []).join(" ")}`,
          icon: <Workflow className={iconClass} />,
          run: () => void navigate({ to: "/flow/$flowId", params: { flowId: flow.id } }),
        }),
      ),
    [flows.data, navigate],
  );
  return { commands, loading: flows.isFetching || search !== text.trim() };
}

export function useCommands(onSignOut: () => void): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projects = useQuery(projectsQuery).data;
  const config = useQuery(configQuery).data;
  const user = useQuery(sessionQuery).data?.user;
  const theme = usePreferences((state) => state.theme);
  const folderId = useIntents((state) => state.currentProject);
  const assistant = useIntents((state) => state.assistant);

  return useMemo(() => {
    const dark = isDark(theme);
    const maxBytes = (config?.max_file_size_upload ?? 1024) * 1024 * 1024;
    const list: Command[] = [
      {
        id: "new-flow",
        group: "actions",
        label: t("commands.newFlow"),
        words: t("commands.words.create"),
        icon: <Plus className={iconClass} />,
        run: () => askForNewFlow(),
      },
      ...(assistant
        ? [
            {
              id: "assistant",
              group: "actions",
              label: t("commands.assistant"),
              icon: <Sparkles className={iconClass} />,
              // Afterwards: the closing command bar gives the focus back first.
              run: () => void setTimeout(assistant),
            } satisfies Command,
          ]
        : []),
      {
        id: "import",
        group: "actions",
        label: t("commands.import"),
        words: t("commands.words.import"),
        icon: <Upload className={iconClass} />,
        run: () => void pickFiles(importKinds).then((files) => importFiles(files, { folderId, maxBytes })),
      },
      {
        id: "theme",
        group: "actions",
        label: dark ? t("commands.light") : t("commands.dark"),
        words: t("commands.words.theme"),
        icon: <SunMoon className={iconClass} />,
        run: () => setPreference("theme", dark ? "light" : "dark"),
      },
      ...Object.entries(languages).map(
        ([code, name]): Command => ({
          id: `language:${code}`,
          group: "settings",
          label: t("commands.language", { name }),
          words: t("commands.words.language"),
          icon: <Languages className={iconClass} />,
          run: () => setPreference("language", code as Language),
        }),
      ),
      {
        id: "shortcuts",
        group: "actions",
        label: t("shell.shortcuts"),
        icon: <Keyboard className={iconClass} />,
        run: () => openShortcutSheet(true),
      },
      {
        id: "all",
        group: "go",
        label: t("commands.allFlows"),
        icon: <Layers className={iconClass} />,
        run: () => void navigate({ to: "/all" }),
      },
      {
        id: "templates",
        group: "go",
        label: t("templates.title"),
        icon: <LayoutTemplate className={iconClass} />,
        run: () => void navigate({ to: "/templates" }),
      },
      {
        id: "files",
        group: "go",
        label: t("shell.files"),
        icon: <FileText className={iconClass} />,
        run: () => void navigate({ to: "/files" }),
      },
      {
        id: "trash",
        group: "go",
        label: t("shell.trash"),
        icon: <Trash2 className={iconClass} />,
        run: () => void navigate({ to: "/trash" }),
      },
      {
        id: "docs",
        group: "go",
        label: t("shell.apiReference"),
        words: "openapi curl",
        icon: <BookOpen className={iconClass} />,
        run: () => void navigate({ to: "/docs" }),
      },
      ...(projects ?? []).map(
        (project): Command => ({
          id: `project:${project.id}`,
          group: "projects",
          label: project.name,
          icon: <Folder className={iconClass} />,
          run: () => void navigate({ to: "/projects/$projectId", params: { projectId: project.id } }),
        }),
      ),
      ...settingsPages
        .filter((page) => !page.admin || user?.is_superuser)
        .map(({ to, label, icon: Icon }): Command => ({
          id: to,
          group: "settings",
          label: t(label),
          words: t("shell.settings"),
          icon: <Icon className={iconClass} />,
          run: () => void navigate({ to }),
        })),
    ];
    if (user?.has_password || !config?.auto_login) {
      list.push({
        id: "sign-out",
        group: "actions",
        label: t("shell.signOut"),
        icon: <LogOut className={iconClass} />,
        run: onSignOut,
      });
    }
    return list;
  }, [t, navigate, projects, config, user, theme, folderId, assistant, onSignOut]);
}
