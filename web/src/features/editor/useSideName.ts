import { useTranslation } from "react-i18next";
import type { Side } from "./views";

export function useSideName(): (side: Side) => string {
  const { t } = useTranslation();
  return (side) => (side.kind === "draft" ? t("flow.versions.draft") : `v${side.entry.version_number}`);
}
