import { useTranslation } from "react-i18next";
import type { Sessions } from "./useSessions";

/** Names of sessions as they are shown. */
export function useTitles(flowId: string): (session: string) => string {
  const { t } = useTranslation();
  return (session) => (session === flowId ? t("playground.session.default") : session);
}

export function useCreate(sessions: Sessions): () => void {
  const { t } = useTranslation();
  return () => sessions.create((n) => t("playground.session.newName", { n }));
}
