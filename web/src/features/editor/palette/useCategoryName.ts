import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { isKnownCategory, type KnownCategory, spelledCategory } from "@/flow/palette";

const names = {
  input_output: "palette.category.input_output",
  data_source: "palette.category.data_source",
  models_and_agents: "palette.category.models_and_agents",
  llm_operations: "palette.category.llm_operations",
  files_and_knowledge: "palette.category.files_and_knowledge",
  processing: "palette.category.processing",
  flow_controls: "palette.category.flow_controls",
  utilities: "palette.category.utilities",
  embeddings: "palette.category.embeddings",
  files_ingestion: "palette.category.files_ingestion",
  langchain_utilities: "palette.category.langchain_utilities",
  tools: "palette.category.tools",
  agentics: "palette.category.agentics",
  crewai: "palette.category.crewai",
  prototypes: "palette.category.prototypes",
  custom_component: "palette.category.custom_component",
} as const satisfies Record<KnownCategory, string>;

export function useCategoryName(): (category: string) => string {
  const { t } = useTranslation();
  return useCallback(
    (category) => (isKnownCategory(category) ? t(names[category]) : spelledCategory(category)),
    [t],
  );
}
