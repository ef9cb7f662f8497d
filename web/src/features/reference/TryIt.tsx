import { Play } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { sessionFetch } from "@/api/client";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input } from "@/ui/Field";
import { fillPath, type Operation } from "./document";

interface Answer {
  status: number;
  milliseconds: number;
  text: string;
}

const longest = 20_000;

async function readable(response: Response): Promise<string> {
  const kind = response.headers.get("content-type") ?? "";
  if (!/json|text|xml/.test(kind)) return kind;
  const text = await response.text();
  const shown = kind.includes("json") ? pretty(text) : text;
  return shown.length > longest ? `${shown.slice(0, longest)}\n…` : shown;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Sends a GET in the person's own session and shows what came back. */
export function TryIt({
  operation,
  values,
  onChange,
}: {
  operation: Operation;
  values: Readonly<Record<string, string>>;
  onChange: (values: Readonly<Record<string, string>>) => void;
}) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [error, setError] = useState<unknown>(null);
  const fields = operation.parameters.filter((each) => each.in === "path" || each.in === "query");
  const missing = fields.some((each) => each.in === "path" && !values[`path:${each.name}`]);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || missing) return;
    setBusy(true);
    setError(null);
    setAnswer(null);
    const started = performance.now();
    try {
      const response = await sessionFetch(new Request(new URL(fillPath(operation, values), location.origin)));
      const text = await readable(response);
      setAnswer({ status: response.status, milliseconds: Math.round(performance.now() - started), text });
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className="mt-4 rounded-lg border border-line p-3" onSubmit={(event) => void send(event)}>
      <h4 className="mb-2 text-xs font-semibold text-muted">{t("reference.try")}</h4>
      {fields.length > 0 ? (
        <div className="mb-3 grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {fields.map((field) => {
            const key = `${field.in}:${field.name}`;
            return (
              <Field key={key} label={field.name} required={field.in === "path"}>
                {(control) => (
                  <Input
                    {...control}
                    spellCheck={false}
                    autoComplete="off"
                    value={values[key] ?? ""}
                    onChange={(event) => onChange({ ...values, [key]: event.target.value })}
                  />
                )}
              </Field>
            );
          })}
        </div>
      ) : null}
      <div className="flex items-center gap-3">
        <Button
          type="submit"
          busy={busy}
          disabled={missing}
          icon={<Play aria-hidden="true" className="size-3.5" />}
        >
          {t("reference.send")}
        </Button>
        <span role="status" className="flex items-center gap-2 text-muted">
          {answer ? (
            <>
              <Badge tone={answer.status < 400 ? "ok" : "danger"} className="font-mono">
                {answer.status}
              </Badge>
              {answer.milliseconds} ms
            </>
          ) : null}
        </span>
      </div>
      {error ? (
        <div className="mt-3">
          <ErrorNotice error={error} />
        </div>
      ) : null}
      {answer ? (
        <pre
          tabIndex={0}
          aria-label={t("reference.answer")}
          role="region"
          className="scroll-thin mt-3 max-h-96 overflow-auto rounded-lg bg-sunken p-3 font-mono text-xs"
        >
          {answer.text || t("reference.emptyAnswer")}
        </pre>
      ) : null}
    </form>
  );
}
