import { Link } from "@tanstack/react-router";
import { Workflow } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";

export function EmptyFlow({ problems }: { problems: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="pointer-events-none absolute inset-0 flex items-center justify-center *:pointer-events-auto">
      <EmptyState
        icon={<Workflow />}
        title={problems ? t("flow.empty.brokenTitle") : t("flow.empty.title")}
        actions={
          <Link to="/" className={buttonClass("primary")}>
            {t("flow.page.toFlows")}
          </Link>
        }
      >
        {problems ? t("flow.empty.broken") : t("flow.empty.text")}
      </EmptyState>
    </div>
  );
}
