import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { isKnownTag, type KnownTag } from "@/flow/templates";

const names = {
  basics: "templates.tag.basics",
  chatbots: "templates.tag.chatbots",
  agents: "templates.tag.agents",
  models: "templates.tag.models",
  text: "templates.tag.text",
  tables: "templates.tag.tables",
  control: "templates.tag.control",
  people: "templates.tag.people",
  web: "templates.tag.web",
  api: "templates.tag.api",
} as const satisfies Record<KnownTag, string>;

export function useTagName(): (tag: string) => string {
  const { t } = useTranslation();
  return useCallback((tag) => (isKnownTag(tag) ? t(names[tag]) : tag), [t]);
}
