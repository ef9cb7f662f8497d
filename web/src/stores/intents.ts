import { create } from "zustand";

interface Intents {
  commandBar: boolean;
  shortcutSheet: boolean;
  /** The dialog for a new flow, and the project it is to start in. */
  newFlow: { projectId: string | null } | null;
  /** The dialog that sets up a model provider, by the provider's name. */
  modelProvider: string | null;
  /** Set while a home page shows a project, so that what is created elsewhere lands there. */
  currentProject: string | null;
}

/** Things one part of the page asks another part to open. */
export const useIntents = create<Intents>(() => ({
  commandBar: false,
  shortcutSheet: false,
  newFlow: null,
  modelProvider: null,
  currentProject: null,
}));

export function openCommandBar(open: boolean): void {
  useIntents.setState({ commandBar: open });
}

export function openShortcutSheet(open: boolean): void {
  useIntents.setState({ shortcutSheet: open });
}

export function askForNewFlow(projectId: string | null = useIntents.getState().currentProject): void {
  useIntents.setState({ newFlow: { projectId } });
}

export function closeNewFlow(): void {
  useIntents.setState({ newFlow: null });
}

/** Opens the dialog of a model provider over whatever page is shown; null closes it. */
export function openModelProvider(provider: string | null): void {
  useIntents.setState({ modelProvider: provider });
}

export function setCurrentProject(projectId: string | null): void {
  useIntents.setState({ currentProject: projectId });
}
