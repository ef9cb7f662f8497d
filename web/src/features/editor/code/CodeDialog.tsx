import "@/i18n/englishOfCode";
import { RotateCcw } from "lucide-react";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { type Place, PythonArea } from "@/fields/PythonArea";
import type { CodeCheck, CodeProblem } from "@/flow/codeProblems";
import { matchesKeys } from "@/lib/keys";
import { dropDraft } from "@/stores/editor/codeDrafts";
import { closeCode, openCode } from "@/stores/editor/codeOpen";
import type { Editor } from "@/stores/editor/state";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { RelativeTime } from "@/ui/RelativeTime";
import { CodeClass, CodeStatus } from "./CodeStatus";
import { LeaveDialog } from "./LeaveDialog";
import { ProblemRows } from "./ProblemRows";
import { useCodeCheck } from "./useCodeCheck";
import { type CodeRefusal, type CodeWork, useCodeSave } from "./useCodeSave";
import { useCodeText } from "./useCodeText";

const NONE: readonly CodeProblem[] = [];

/** What the server said when it was asked to save, then what it finds while one types; each once. */
function problemsOf(refusal: CodeRefusal | null, check: CodeCheck | null): readonly CodeProblem[] {
  const found = check?.problems ?? NONE;
  if (!refusal) return found;
  const told = new Set(refusal.problems.map(({ line, message }) => `${line} ${message}`));
  return [...refusal.problems, ...found.filter(({ line, message }) => !told.has(`${line} ${message}`))];
}

/** The Python of one node: checked while it is typed, and made into the node when it is saved. */
export default function CodeDialog({
  editor,
  id,
  line,
  work,
}: {
  editor: Editor;
  id: string;
  line: number | null;
  work: CodeWork;
}) {
  const { t } = useTranslation();
  const locked = useStore(editor, (state) => state.locked);
  const known = useStore(editor, (state) => state.flow.byId.get(id)?.title ?? null);
  // A node that was removed meanwhile keeps its name here.
  const [name, setName] = useState(known ?? "");
  if (known !== null && known !== name) setName(known);
  const { text, given, typed, give, now, saved, changed, leftAt } = useCodeText(editor, id);
  const checked = useCodeCheck(text);
  const { saving, refusal: last, save: send, stop } = useCodeSave(editor, id, work);
  const refusal = last?.code === text ? last : null;
  const { check } = checked;
  const problems = useMemo(() => problemsOf(refusal, check), [refusal, check]);
  const [leaving, setLeaving] = useState(false);
  const [kept, setKept] = useState(false);
  const [place, setPlace] = useState<Place | null>(line === null ? null : { line, column: null });
  const [wanted, setWanted] = useState(line);
  if (line !== wanted) {
    setWanted(line);
    if (line !== null) setPlace({ line, column: null });
  }
  const area = useRef<HTMLDivElement>(null);

  const save = async (close: boolean): Promise<void> => {
    setLeaving(false);
    if (saving || locked || checked.state === "too_large") return;
    setKept(false);
    const node = await send(now());
    if (node === null) return;
    setKept(true);
    if (close) closeCode();
    else if (node !== id) openCode(node);
  };
  const leave = (): void => (now() !== saved && !locked ? setLeaving(true) : closeCode());
  const discard = (): void => {
    dropDraft(editor.getState().flowId, id);
    closeCode();
  };
  const onKey = (event: KeyboardEvent): void => {
    const keep = matchesKeys(event.nativeEvent, "mod+s");
    if (!keep && !matchesKeys(event.nativeEvent, "mod+enter")) return;
    event.preventDefault();
    void save(!keep);
  };
  const first = refusal?.problems.find((problem) => problem.line !== null) ?? null;
  const [led, setLed] = useState<CodeRefusal | null>(null);
  if (refusal !== led) {
    setLed(refusal);
    if (first?.line) setPlace({ line: first.line, column: first.column });
  }

  return (
    <div role="presentation" className="contents" onKeyDown={onKey}>
      <Dialog
        open
        onClose={leave}
        title={t("code.title", { name })}
        description={<CodeClass code={text} checked={checked} />}
        size="xl"
        initialFocus={area}
        footer={
          <>
            <p role="status" className="mr-auto min-w-0 self-center text-xs text-muted">
              {saved === null ? (
                t("code.gone")
              ) : locked ? (
                t("code.locked")
              ) : leftAt === null ? (
                changed ? (
                  t("code.unsaved")
                ) : kept ? (
                  t("code.saved")
                ) : null
              ) : (
                <>
                  {t("code.unsaved")} · <RelativeTime value={new Date(leftAt).toISOString()} />
                </>
              )}
            </p>
            {locked ? null : (
              <Button
                variant="ghost"
                disabled={!changed || saved === null}
                icon={<RotateCcw aria-hidden="true" className="size-3.5" />}
                onClick={() => give(saved ?? "")}
              >
                {t("code.reset")}
              </Button>
            )}
            <Button onClick={saving ? stop : leave}>{saving ? t("code.stop") : t("common.close")}</Button>
            {locked ? null : (
              <Button
                variant="primary"
                busy={saving}
                disabled={checked.state === "too_large"}
                aria-keyshortcuts="Control+Enter Meta+Enter"
                onClick={() => void save(true)}
              >
                {t("code.save")}
              </Button>
            )}
          </>
        }
      >
        <div className="flex h-[68dvh] min-h-60 flex-col gap-2">
          <p className="text-xs text-muted">{t("fields.code.hint")}</p>
          <PythonArea
            host={area}
            label={t("code.label")}
            given={given}
            readOnly={locked}
            problems={problems}
            place={place}
            onChange={typed}
            onSave={(close) => void save(close)}
          />
          <div className="flex h-24 shrink-0 flex-col rounded-md border border-line">
            <CodeStatus
              code={text}
              checked={checked}
              count={problems.length}
              errors={problems.some(({ severity }) => severity === "error")}
            />
            <ProblemRows problems={problems} onPlace={(at, column) => setPlace({ line: at, column })} />
          </div>
        </div>
        <LeaveDialog
          open={leaving}
          onStay={() => setLeaving(false)}
          onDiscard={discard}
          onSave={() => void save(true)}
        />
      </Dialog>
    </div>
  );
}
