import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Globe, Lock, Pencil } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { projectsQuery } from "@/api/projects";
import type { FlowRead } from "@/api/types";
import { Badge } from "@/ui/Badge";
import { IconButton } from "@/ui/Button";
import { Input } from "@/ui/Field";
import { toastError } from "@/ui/toastError";
import type { FlowWrites } from "./useFlowWrites";

/** Project / flow name, edited where it stands, and what state the flow is in. */
export function FlowTitle({
  flow,
  save,
  children,
}: {
  flow: FlowRead;
  save: FlowWrites["save"];
  /** Stands behind the name: whether it is saved. */
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const projects = useQuery(projectsQuery);
  const project = projects.data?.find((item) => item.id === flow.folder_id);
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2 text-sm">
      {project ? (
        <>
          <Separator wide />
          <Link
            to="/projects/$projectId"
            params={{ projectId: project.id }}
            className="hidden max-w-32 truncate rounded-sm text-muted hover:text-ink xl:inline"
          >
            {project.name}
          </Link>
        </>
      ) : null}
      <Separator />
      <FlowName flow={flow} save={save} />
      {flow.locked ? (
        <Badge tone="warn">
          <Lock aria-hidden="true" className="size-3" />
          {t("flow.title.locked")}
        </Badge>
      ) : null}
      {flow.access_type === "PUBLIC" ? (
        <Badge tone="accent">
          <Globe aria-hidden="true" className="size-3" />
          {t("flow.title.public")}
        </Badge>
      ) : null}
      {children}
    </div>
  );
}

function Separator({ wide = false }: { wide?: boolean }) {
  return (
    <span aria-hidden="true" className={wide ? "hidden text-line-strong xl:inline" : "hidden text-line-strong md:inline"}>
      /
    </span>
  );
}

function FlowName({ flow, save }: { flow: FlowRead; save: FlowWrites["save"] }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const pencil = useRef<HTMLButtonElement>(null);
  const editing = draft !== null;

  useEffect(() => {
    if (editing) input.current?.select();
  }, [editing]);

  const finish = async (keep: boolean): Promise<void> => {
    if (draft === null || busy) return;
    const name = draft.trim();
    if (!keep || name === "" || name === flow.name) {
      setDraft(null);
      return;
    }
    setBusy(true);
    try {
      await save({ name });
      setDraft(null);
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };

  if (!editing) {
    return (
      <h1 className="flex min-w-24 items-center gap-1 font-medium">
        <span className="truncate" title={flow.name}>
          {flow.name}
        </span>
        {flow.locked ? null : (
          <IconButton
            ref={pencil}
            size="sm"
            label={t("flow.title.rename")}
            icon={<Pencil className="size-3.5" />}
            onClick={() => setDraft(flow.name)}
          />
        )}
      </h1>
    );
  }
  return (
    <Input
      ref={input}
      aria-label={t("flow.title.name")}
      className="h-7 max-w-72 px-1.5"
      maxLength={200}
      value={draft}
      aria-busy={busy || undefined}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => void finish(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") void finish(true);
        if (event.key === "Escape") void finish(false);
      }}
    />
  );
}
