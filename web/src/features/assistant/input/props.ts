import type { Ref } from "react";
import type { Editor } from "@/stores/editor/state";
import type { AssistantConfig, ModelChoice, StepName } from "../model/types";

export interface AssistantInputHandle {
  focus: () => void;
  /** Writes a text where the cursor is, and goes there. */
  insert: (text: string) => void;
}

export interface AssistantInputProps {
  /** Nothing can be asked at all. */
  disabled: boolean;
  /** A turn is under way: it can be stopped, and nothing sent. */
  busy: boolean;
  step: StepName | null;
  /** A plan was set aside: the next thing said changes it. */
  refining: boolean;
  /** Which of the idle hints is shown; by chance if not given. */
  placeholderSeed?: number;
  draft: string;
  onDraft: (text: string) => void;
  onSend: (text: string) => void;
  onStop: () => void;
  /** Something that was sent before was fetched back. */
  onRecall?: () => void;
  editor: Editor;
  /** From `useModelChoice`, as is `onModel`. */
  model: ModelChoice | null;
  onModel: (model: ModelChoice) => void;
  /** The model that was chosen before and is no longer to be had. */
  lostModel?: ModelChoice | null;
  config: AssistantConfig | null;
  onConfigure: () => void;
  ref?: Ref<AssistantInputHandle>;
}
