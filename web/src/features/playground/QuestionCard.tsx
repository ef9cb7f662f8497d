import { Clock, Hand } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { fieldText, type Question, type QuestionField, typedValue } from "@/flow/questions";
import { Button } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Field, Input, Textarea } from "@/ui/Field";
import { Markdown } from "@/ui/Markdown";
import { RelativeTime } from "@/ui/RelativeTime";
import { decide } from "./runner";
import type { ChatSource } from "./source";

/** Whether a field goes with the chosen option: a reason only with a no, arguments only with a yes. */
function goesWith(field: QuestionField, action: string, question: Question): boolean {
  if (question.kind !== "tool_approval") return true;
  return field.name === "reason" ? action === "reject" : action !== "reject";
}

/** What a run wants to know: who asks, what will happen, and what can be answered. */
export function QuestionCard({
  source,
  session,
  question,
}: {
  source: ChatSource;
  session: string;
  question: Question;
}) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [editing, setEditing] = useState(false);
  const [rejecting, setRejecting] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const approval = question.kind === "tool_approval";
  const shown = question.fields.filter((field) =>
    !approval ? true : field.name === "reason" ? rejecting : editing && !rejecting,
  );
  const textOf = (field: QuestionField): string => typed[field.name] ?? fieldText(field);
  const wrong = shown.some((field) => !typedValue(field, textOf(field)).ok);

  const answer = async (action: string): Promise<void> => {
    if (chosen !== null || wrong) return;
    setChosen(action);
    setError(null);
    const values = Object.fromEntries(
      shown.flatMap((field) => {
        const value = typedValue(field, textOf(field));
        return value.ok && goesWith(field, action, question) ? [[field.name, value.value]] : [];
      }),
    );
    try {
      await decide(source, session, question, { ...values, action_id: action });
    } catch (cause) {
      setError(cause);
      setChosen(null);
    }
  };

  const title = approval
    ? t("playground.approval", { name: question.component })
    : t("playground.question", { name: question.component });
  return (
    <section
      aria-label={title}
      className="space-y-3 rounded-lg border border-warn/50 bg-warn-soft p-3 text-sm text-ink"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
        <p className="flex items-center gap-2 font-medium text-warn">
          <Hand aria-hidden="true" className="size-4 shrink-0" />
          {title}
        </p>
        <Deadline question={question} />
      </div>
      <Markdown source={question.prompt} reachable />
      <p className="text-xs text-muted">{useConsequence(question)}</p>
      {shown.map((field) => (
        <QuestionInput
          key={field.name}
          field={field}
          text={textOf(field)}
          onText={(text) => setTyped((all) => ({ ...all, [field.name]: text }))}
        />
      ))}
      {approval && rejecting ? (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" variant="danger" busy={chosen === "reject"} onClick={() => void answer("reject")}>
            {t("playground.rejectNow")}
          </Button>
          <Button size="sm" onClick={() => setRejecting(false)}>
            {t("playground.back")}
          </Button>
        </div>
      ) : (
        <div className="flex flex-wrap gap-2">
          {question.options.map((option, index) => (
            <Button
              key={option.id}
              size="sm"
              variant={index === 0 ? "primary" : "secondary"}
              busy={chosen === option.id}
              aria-disabled={wrong || undefined}
              onClick={() => {
                if (approval && option.id === "reject") setRejecting(true);
                else void answer(option.id);
              }}
            >
              {option.label}
            </Button>
          ))}
          {approval && question.fields.some((field) => field.name !== "reason") ? (
            <Button size="sm" variant="ghost" aria-expanded={editing} onClick={() => setEditing(!editing)}>
              {t("playground.editArguments")}
            </Button>
          ) : null}
        </div>
      )}
      {error ? <ErrorNotice error={error} /> : null}
    </section>
  );
}

function useConsequence(question: Question): string {
  const { t } = useTranslation();
  if (question.kind === "tool_approval") {
    return t("playground.approvalEffect", { tool: question.tool ?? question.component });
  }
  return question.kind === "effect_unknown" ? t("playground.unknownEffect") : t("playground.questionEffect");
}

function Deadline({ question }: { question: Question }) {
  const { t } = useTranslation();
  if (question.deadline === null) return null;
  const own = question.options.find((option) => option.id === question.fallback)?.label ?? question.fallback;
  return (
    <p className="flex items-center gap-1 text-muted">
      <Clock aria-hidden="true" className="size-3.5 shrink-0" />
      <span>
        {t("playground.deadline", { answer: own ?? "" })} <RelativeTime value={new Date(question.deadline).toISOString()} />
      </span>
    </p>
  );
}

function QuestionInput({
  field,
  text,
  onText,
}: {
  field: QuestionField;
  text: string;
  onText: (text: string) => void;
}) {
  const { t } = useTranslation();
  const checked = typedValue(field, text);
  const error = checked.ok ? null : checked.reason || t("playground.notJson");
  return (
    <Field label={field.name === "reason" ? t("playground.reason") : field.label} error={error}>
      {(control) =>
        field.structured ? (
          <Textarea
            {...control}
            spellCheck={false}
            className="field-sizing-content max-h-72 font-mono text-xs"
            value={text}
            onChange={(event) => onText(event.target.value)}
          />
        ) : (
          <Input {...control} value={text} onChange={(event) => onText(event.target.value)} />
        )
      }
    </Field>
  );
}
