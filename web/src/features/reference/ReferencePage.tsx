import "@/i18n/englishOfFlows";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { FileJson, Search, SearchX } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorFromBody, networkError } from "@/api/error";
import { Breadcrumbs } from "@/ui/Breadcrumbs";
import { buttonClass } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Input } from "@/ui/Field";
import { PageHeader } from "@/ui/Page";
import { SkeletonRows } from "@/ui/Skeleton";
import { TopBarTitle } from "@/ui/TopBarSlots";
import { useTitle } from "@/ui/useTitle";
import { filterGroups, type OpenApi, readGroups } from "./document";
import { OperationItem } from "./OperationView";

async function loadDocument(): Promise<OpenApi> {
  const response = await fetch("/openapi.json").catch((cause: unknown) => {
    throw networkError(cause);
  });
  if (!response.ok) throw errorFromBody(response.status, null, response.headers);
  return (await response.json()) as OpenApi;
}

export default function ReferencePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search = (useSearch({ strict: false }) as { q?: string }).q ?? "";
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(location.hash ? [decodeURIComponent(location.hash.slice(1))] : []),
  );
  const document = useQuery({
    queryKey: ["openapi"],
    queryFn: loadDocument,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const groups = useMemo(
    () => (document.data ? readGroups(document.data, t("reference.other")) : []),
    [document.data, t],
  );
  const shown = useMemo(() => filterGroups(groups, search), [groups, search]);
  useTitle(t("shell.apiReference"));

  const setSearch = (text: string) =>
    void navigate({
      to: "/docs",
      search: text ? { q: text } : {},
      replace: true,
    });

  return (
    <div className="flex min-h-0 flex-1">
      <TopBarTitle>
        <Breadcrumbs items={[{ label: t("shell.apiReference") }]} />
      </TopBarTitle>
      <nav
        aria-label={t("reference.groups")}
        className="scroll-thin hidden w-56 shrink-0 overflow-y-auto border-r border-line bg-surface p-2 md:block"
      >
        <ul className="space-y-0.5">
          {shown.map((group) => (
            <li key={group.name}>
              <a
                href={`#tag-${group.name}`}
                className="flex h-8 items-center justify-between gap-2 rounded-md px-2 hover:bg-hover"
                onClick={(event) => {
                  event.preventDefault();
                  const target = window.document.getElementById(`tag-${group.name}`);
                  target?.scrollIntoView();
                  target?.focus({ preventScroll: true });
                }}
              >
                <span className="truncate">{group.name}</span>
                <span className="text-xs text-muted tabular-nums">{group.operations.length}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main className="scroll-thin min-w-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-4xl px-4 pt-6 pb-24 sm:px-6">
          <PageHeader
            title={t("shell.apiReference")}
            description={t("reference.hint")}
            actions={
              <a href="/openapi.json" download="ferroflow-openapi.json" className={buttonClass()}>
                <FileJson aria-hidden="true" className="size-4" />
                {t("reference.download")}
              </a>
            }
          />
          <div className="relative mb-5">
            <Search
              aria-hidden="true"
              className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint"
            />
            <Input
              type="search"
              aria-label={t("reference.search")}
              placeholder={t("reference.search")}
              value={search}
              className="pl-8"
              onChange={(event) => setSearch(event.target.value)}
            />
          </div>
          {document.isPending ? <SkeletonRows rows={8} label={t("common.loading")} /> : null}
          {document.isError ? (
            <ErrorNotice error={document.error} onRetry={() => void document.refetch()} />
          ) : null}
          {document.data && shown.length === 0 ? (
            <EmptyState icon={<SearchX />} title={t("reference.nothing")} />
          ) : null}
          {document.data
            ? shown.map((group) => (
                <section key={group.name} className="mb-8">
                  <h2
                    id={`tag-${group.name}`}
                    tabIndex={-1}
                    className="mb-2 scroll-mt-4 text-lg font-semibold outline-none"
                  >
                    {group.name}
                  </h2>
                  {group.description ? <p className="mb-3 text-muted">{group.description}</p> : null}
                  <ul className="space-y-2">
                    {group.operations.map((operation) => (
                      <OperationItem
                        key={operation.id}
                        document={document.data}
                        operation={operation}
                        open={open.has(operation.id)}
                        onToggle={(on) => {
                          const next = new Set(open);
                          if (on) next.add(operation.id);
                          else next.delete(operation.id);
                          setOpen(next);
                        }}
                      />
                    ))}
                  </ul>
                </section>
              ))
            : null}
        </div>
      </main>
    </div>
  );
}
