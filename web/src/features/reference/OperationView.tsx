import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "@/ui/Badge";
import { CopyButton } from "@/ui/CopyButton";
import { type Content, curlFor, type OpenApi, type Operation, typeName } from "./document";
import { Method } from "./Method";
import { SchemaView } from "./SchemaView";
import { TryIt } from "./TryIt";

function Heading({ children }: { children: string }) {
  return <h4 className="mt-4 mb-1.5 text-xs font-semibold text-muted">{children}</h4>;
}

function Bodies({ document, content }: { document: OpenApi; content: Content }) {
  return (
    <div className="space-y-2">
      {Object.entries(content).map(([kind, { schema }]) => (
        <div key={kind}>
          <p className="mb-1 font-mono text-2xs text-muted">{kind}</p>
          {schema ? <SchemaView document={document} schema={schema} /> : null}
        </div>
      ))}
    </div>
  );
}

function tone(status: string): "ok" | "warn" | "neutral" {
  if (status.startsWith("2")) return "ok";
  return status.startsWith("4") || status.startsWith("5") ? "warn" : "neutral";
}

export function OperationView({ document, operation }: { document: OpenApi; operation: Operation }) {
  const { t } = useTranslation();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const curl = curlFor(document, operation, location.origin, values);
  return (
    <div className="border-t border-line px-4 pt-2 pb-4">
      {operation.description ? (
        <p className="max-w-prose whitespace-pre-line text-muted">{operation.description}</p>
      ) : null}
      {operation.parameters.length > 0 ? (
        <>
          <Heading>{t("reference.parameters")}</Heading>
          <ul className="divide-y divide-line rounded-lg border border-line px-3">
            {operation.parameters.map((parameter) => (
              <li key={`${parameter.in}:${parameter.name}`} className="py-1.5">
                <span className="flex flex-wrap items-baseline gap-x-2">
                  <code className="font-mono text-xs font-medium">{parameter.name}</code>
                  <code className="font-mono text-xs text-muted">
                    {typeName(parameter.schema ?? {})}
                  </code>
                  <span className="text-2xs text-muted">{parameter.in}</span>
                  {parameter.required ? (
                    <span className="text-2xs text-danger">{t("reference.required")}</span>
                  ) : null}
                </span>
                {parameter.description ? (
                  <p className="text-xs text-muted">{parameter.description}</p>
                ) : null}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {operation.body ? (
        <>
          <Heading>{t("reference.body")}</Heading>
          <Bodies document={document} content={operation.body.content} />
        </>
      ) : null}
      <Heading>{t("reference.responses")}</Heading>
      <ul className="space-y-1">
        {operation.responses.map((response) => {
          const line = (
            <span className="inline-flex items-center gap-2">
              <Badge tone={tone(response.status)} className="font-mono">
                {response.status}
              </Badge>
              <span>{response.description}</span>
            </span>
          );
          return (
            <li key={response.status}>
              {Object.values(response.content).some((each) => each.schema) ? (
                <details>
                  <summary className="w-fit rounded-sm">{line}</summary>
                  <div className="mt-1.5 mb-2 ml-4">
                    <Bodies document={document} content={response.content} />
                  </div>
                </details>
              ) : (
                <span className="ml-[15px] flex">{line}</span>
              )}
            </li>
          );
        })}
      </ul>
      <div className="mt-4 mb-1.5 flex items-center justify-between gap-2">
        <h4 className="text-xs font-semibold text-muted">{t("reference.curl")}</h4>
        <CopyButton text={curl} size="sm" />
      </div>
      <pre tabIndex={0} className="scroll-thin overflow-x-auto rounded-lg bg-sunken p-3 font-mono text-xs">
        {curl}
      </pre>
      {operation.method === "get" ? (
        <TryIt operation={operation} values={values} onChange={setValues} />
      ) : null}
    </div>
  );
}

export function OperationItem({
  document,
  operation,
  open,
  onToggle,
}: {
  document: OpenApi;
  operation: Operation;
  open: boolean;
  onToggle: (open: boolean) => void;
}) {
  const { t } = useTranslation();
  return (
    <li id={operation.id} className="scroll-mt-4 overflow-hidden rounded-lg border border-line bg-surface">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2"
          onClick={() => onToggle(!open)}
        >
          <Method method={operation.method} />
          <code className="min-w-0 font-mono text-xs break-all">{operation.path}</code>
          {operation.deprecated ? <Badge tone="warn">{t("reference.deprecated")}</Badge> : null}
          <span className="min-w-0 text-muted sm:ml-auto sm:truncate">{operation.summary}</span>
        </button>
      </h3>
      {open ? <OperationView document={document} operation={operation} /> : null}
    </li>
  );
}
