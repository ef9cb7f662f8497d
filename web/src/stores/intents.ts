import { create } from "zustand";
import type { Needs } from "@/flow/needs";
import type { Template } from "@/flow/templates";

/** What the templates are opened for. */
export interface TemplateSearch {
  /** The project a new flow is to start in. */
  projectId: string | null;
  query: string;
  /** The one to show at once, by its id. */
  template: string | null;
  /** Takes the chosen one; without it a new flow is made of it. */
  onUse: ((template: Template) => void) | null;
}

/** A flow that was just made of a template, and what it needs. */
export interface Setup {
  name: string;
  needs: Needs;
}

interface Intents {
  commandBar: boolean;
  shortcutSheet: boolean;
  /** The dialog for a new flow, and the project it is to start in. */
  newFlow: { projectId: string | null } | null;
  /** The dialog that sets up a model provider, by the provider's name. */
  modelProvider: string | null;
  templates: TemplateSearch | null;
  setup: Setup | null;
  /** Opens the assistant, while a flow is worked on. */
  assistant: (() => void) | null;
  /** Set while a home page shows a project, so that what is created elsewhere lands there. */
  currentProject: string | null;
}

/** Things one part of the page asks another part to open. */
export const useIntents = create<Intents>(() => ({
  commandBar: false,
  shortcutSheet: false,
  newFlow: null,
  modelProvider: null,
  templates: null,
  setup: null,
  assistant: null,
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

/** Opens the templates over whatever page is shown. */
export function openTemplates(search: Partial<TemplateSearch> = {}): void {
  const { currentProject: projectId } = useIntents.getState();
  useIntents.setState({ templates: { projectId, query: "", template: null, onUse: null, ...search } });
}

export function closeTemplates(): void {
  useIntents.setState({ templates: null });
}

export function showSetup(setup: Setup | null): void {
  useIntents.setState({ setup });
}

/** A page has the assistant; returns how it takes that back. */
export function offerAssistant(open: () => void): () => void {
  useIntents.setState({ assistant: open });
  return () => {
    if (useIntents.getState().assistant === open) useIntents.setState({ assistant: null });
  };
}
