import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { variablesQuery } from "@/api/variables";
import type { Editor } from "@/stores/editor/state";
import { Badge } from "@/ui/Badge";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { SkeletonRows } from "@/ui/Skeleton";

interface Use {
  node: string;
  title: string;
  field: string;
}

/** Global variables that the flow takes values from, where, and whether they are there. */
export function VariablesList({ editor, onNode }: { editor: Editor; onNode: (id: string) => void }) {
  const { t } = useTranslation();
  const flow = useStore(editor, (state) => state.flow);
  const query = useQuery(variablesQuery);
  const uses = useMemo(() => {
    const found = new Map<string, Use[]>();
    for (const node of flow.nodes) {
      if (node.kind !== "component") continue;
      for (const field of node.fields) {
        if (field.variable === null) continue;
        const use = { node: node.id, title: node.title, field: field.label };
        found.set(field.variable, [...(found.get(field.variable) ?? []), use]);
      }
    }
    return [...found].toSorted(([a], [b]) => a.localeCompare(b));
  }, [flow]);
  const known = new Map(query.data?.map((variable) => [variable.name, variable]));
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <SkeletonRows rows={2} label={t("common.loading")} />;
  return (
    <div className="p-4 text-sm">
      {uses.length === 0 ? <p className="text-muted">{t("editor.variables.none")}</p> : null}
      <ul className="space-y-2">
        {uses.map(([name, places]) => (
          <li key={name} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <span className="font-mono">{name}</span>
            {known.has(name) ? (
              <Badge>{known.get(name)?.type ?? ""}</Badge>
            ) : (
              <Badge tone="warn">{t("editor.variables.missing")}</Badge>
            )}
            <span className="text-xs text-muted">
              {places.map((place, index) => (
                <button
                  key={index}
                  type="button"
                  className="mr-2 rounded-sm text-accent hover:underline"
                  onClick={() => onNode(place.node)}
                >
                  {place.title} · {place.field}
                </button>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <Link to="/settings/variables" className="mt-3 inline-block text-accent hover:underline">
        {t("editor.variables.manage")}
      </Link>
    </div>
  );
}
