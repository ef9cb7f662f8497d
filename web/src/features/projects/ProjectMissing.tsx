import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FolderX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { configQuery } from "@/api/session";
import { buttonClass } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";

export function ProjectMissing() {
  const { t } = useTranslation();
  const days = useQuery(configQuery).data?.trash_days ?? 30;
  return (
    <EmptyState
      heading="h1"
      icon={<FolderX />}
      title={t("projects.missingTitle")}
      actions={
        <>
          <Link to="/all" className={buttonClass("primary")}>
            {t("projects.all")}
          </Link>
          <Link to="/trash" className={buttonClass()}>
            {t("shell.trash")}
          </Link>
        </>
      }
    >
      {t("projects.missing", { count: days })}
    </EmptyState>
  );
}
