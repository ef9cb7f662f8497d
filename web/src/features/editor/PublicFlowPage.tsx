import { useQuery } from "@tanstack/react-query";
import { Compass, Globe, ListTree } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { client, unwrap } from "@/api/client";
import { asApiError } from "@/api/error";
import type { FlowRead } from "@/api/types";
import { type CanvasHandle, FlowCanvas } from "@/canvas/FlowCanvas";
import { parseFlow } from "@/flow/parse";
import { Badge } from "@/ui/Badge";
import { Button, buttonClass } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Logo } from "@/ui/Logo";
import { useTitle } from "@/ui/useTitle";
import { CanvasSkeleton } from "./CanvasSkeleton";
import { Dock } from "./Dock";
import { Inspector } from "./inspector/Inspector";
import { OutlinePanel } from "./OutlinePanel";
import { ProblemsButton, ProblemsPanel } from "./ProblemsPanel";
import { usePageKeys } from "./usePageKeys";

async function getPublicFlow(id: string, signal: AbortSignal): Promise<FlowRead> {
  return (await unwrap(
    client.GET("/api/v1/flows/public_flow/{flow_id}", { params: { path: { flow_id: id } }, signal }),
  )) as FlowRead;
}

/** A flow somebody made public: the same drawing, for people without an account. */
export default function PublicFlowPage({ flowId }: { flowId: string }) {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ["public-flow", flowId],
    queryFn: ({ signal }) => getPublicFlow(flowId, signal),
  });
  useTitle(query.data?.name ?? t("flow.public.title"));
  return (
    <div className="flex h-full flex-col">
      <header className="flex h-(--topbar-h) shrink-0 items-center gap-3 border-b border-line bg-surface px-3">
        <a href="/" aria-label={t("flow.public.home")} className="flex items-center rounded-md p-1">
          <Logo className="size-6" />
        </a>
        <h1 className="min-w-0 truncate text-sm font-medium">{query.data?.name ?? t("flow.public.title")}</h1>
        <Badge tone="accent">
          <Globe aria-hidden="true" className="size-3" />
          {t("flow.title.public")}
        </Badge>
      </header>
      {query.data ? <PublicDrawing flow={query.data} /> : null}
      {query.isPending ? <CanvasSkeleton /> : null}
      {query.error ? <PublicError error={query.error} retry={() => void query.refetch()} /> : null}
    </div>
  );
}

function PublicError({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useTranslation();
  const { status } = asApiError(error);
  return (
    <main className="mx-auto flex w-full max-w-lg flex-1 flex-col justify-center p-6">
      {status === 404 || status === 403 || status === 401 ? (
        <EmptyState
          icon={<Compass />}
          title={t("flow.public.missingTitle")}
          actions={
            <a href="/" className={buttonClass("primary")}>
              {t("flow.public.home")}
            </a>
          }
        >
          {t("flow.public.missing")}
        </EmptyState>
      ) : (
        <ErrorNotice error={error} onRetry={retry} />
      )}
    </main>
  );
}

function PublicDrawing({ flow }: { flow: FlowRead }) {
  const { t } = useTranslation();
  const parsed = useMemo(() => parseFlow(flow.data ?? {}), [flow.data]);
  const [selected, setSelected] = useState<string | null>(null);
  const [panel, setPanel] = useState<"inspector" | "outline" | "problems" | null>(null);
  const [minimap, setMinimap] = useState(false);
  const canvas = useRef<CanvasHandle>(null);
  const node = selected === null ? null : (parsed.byId.get(selected) ?? null);
  const reveal = (id: string): void => {
    setSelected(id);
    canvas.current?.show(id);
  };
  const open = (id: string): void => {
    setSelected(id);
    setPanel("inspector");
  };
  const escape = (): void => (panel === null ? setSelected(null) : setPanel(null));
  const page = usePageKeys({ onEscape: escape, onSearch: () => setPanel("outline") });
  return (
    <main ref={page} className="relative flex min-h-0 flex-1">
      <div className="relative min-w-0 flex-1">
        <FlowCanvas
          ref={canvas}
          flow={parsed}
          drawing={flow.id}
          selected={selected}
          onSelect={setSelected}
          onPick={(id) => {
            setSelected(id);
            if (id !== null && panel === null) setPanel("inspector");
          }}
          onOpen={open}
          onEscape={escape}
          minimap={minimap}
          onMinimap={setMinimap}
          label={t("flow.canvas.label", { name: flow.name })}
        />
        <div className="absolute top-3 left-3 z-10 flex gap-2">
          <Button
            size="sm"
            icon={<ListTree aria-hidden="true" className="size-3.5" />}
            onClick={() => setPanel("outline")}
          >
            {t("flow.panel.outline")}
          </Button>
          <ProblemsButton problems={parsed.problems} onOpen={() => setPanel("problems")} />
        </div>
      </div>
      {panel ? (
        <Dock key={panel} panel={panel} onClose={() => setPanel(null)}>
          {panel === "inspector" ? (
            <Inspector key={selected} flow={parsed} node={node} onNode={reveal} />
          ) : null}
          {panel === "outline" ? (
            <OutlinePanel flow={parsed} selected={selected} onNode={reveal} onOpen={open} />
          ) : null}
          {panel === "problems" ? <ProblemsPanel problems={parsed.problems} onNode={reveal} /> : null}
        </Dock>
      ) : null}
    </main>
  );
}
