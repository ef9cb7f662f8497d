import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { Breadcrumbs } from "@/ui/Breadcrumbs";
import { Page, PageHeader } from "@/ui/Page";
import { TopBarTitle } from "@/ui/TopBarSlots";
import { useTitle } from "@/ui/useTitle";
import { Gallery } from "./Gallery";
import { useStart } from "./useStart";

export default function TemplatesPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { q = "", template = null } = useSearch({ strict: false }) as { q?: string; template?: string };
  const start = useStart(null);
  useTitle(t("templates.title"));
  const show = useCallback(
    (id: string | null) =>
      void navigate({
        to: ".",
        search: (before: Record<string, unknown>) => ({ ...before, template: id ?? undefined }),
      }),
    [navigate],
  );
  return (
    <Page>
      <TopBarTitle>
        <Breadcrumbs items={[{ label: t("templates.title") }]} />
      </TopBarTitle>
      <PageHeader title={t("templates.title")} description={t("templates.intro")} />
      <Gallery
        shown={template}
        onShow={show}
        onUse={async (chosen) => void (await start(chosen))}
        useLabel={t("templates.use")}
        query={q}
      />
    </Page>
  );
}
