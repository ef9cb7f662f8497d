import { useEffect } from "react";
import { create } from "zustand";
import { KEYS } from "../model/protocol";
import { keep, readKept } from "../model/storage";
import type { AssistantConfig, ModelChoice } from "../model/types";
import { parseChoice, pickModel, type Picked } from "./models";

/** What the person chose, in this visit or an earlier one. */
export const useSavedChoice = create<{ saved: ModelChoice | null }>(() => ({
  saved: parseChoice(readKept(KEYS.model)),
}));

export function chooseModel(model: ModelChoice): void {
  keep(KEYS.model, JSON.stringify({ provider: model.provider, name: model.name }));
  useSavedChoice.setState({ saved: model });
}

/** The model that is asked; `model` null where there is none but the rehearsal, and nobody chose that. */
export function useModelChoice(config: AssistantConfig | null): Picked & { onModel: (model: ModelChoice) => void } {
  const saved = useSavedChoice((state) => state.saved);
  const picked = pickModel(config, saved);
  const first = saved === null && picked.model !== null ? JSON.stringify(picked.model) : null;
  // What was chosen for the person stays, also when a provider that the server likes better is set up.
  useEffect(() => {
    const model = parseChoice(first);
    if (model) chooseModel(model);
  }, [first]);
  return { ...picked, onModel: chooseModel };
}
