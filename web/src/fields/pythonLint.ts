import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { type Extension, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { type CodeProblem, rangeOf } from "@/flow/codeProblems";

// The package draws with pictures in data addresses, which the page's policy forbids.
const underline = (colour: string) => ({
  backgroundImage: "none",
  textDecoration: `underline wavy ${colour}`,
  textDecorationSkipInk: "none",
  textUnderlineOffset: "3px",
  paddingBottom: "0",
});
const dot = (colour: string) => ({
  content: '""',
  width: "8px",
  height: "8px",
  margin: "6px 0 0 3px",
  borderRadius: "50%",
  background: colour,
});

const theme = EditorView.theme({
  ".cm-lintRange-error": underline("var(--danger)"),
  ".cm-lintRange-warning": underline("var(--warn)"),
  ".cm-lintRange-active": { backgroundColor: "var(--accent-soft)" },
  ".cm-lintPoint:after": { borderBottomColor: "var(--danger)" },
  ".cm-gutter-lint": { width: "14px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0" },
  ".cm-lint-marker": { width: "14px", height: "20px" },
  ".cm-lint-marker-error": dot("var(--danger)"),
  ".cm-lint-marker-warning": { ...dot("var(--warn)"), borderRadius: "2px" },
  ".cm-tooltip": {
    maxWidth: "480px",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    boxShadow: "var(--shadow-2, 0 4px 12px rgb(0 0 0 / 0.2))",
    fontFamily: "var(--font-sans, sans-serif)",
    fontSize: "12px",
  },
  ".cm-diagnostic": { padding: "4px 8px", border: "none", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--danger)" },
  ".cm-diagnostic-warning": { borderLeft: "3px solid var(--warn)" },
});

/** Marks of problems, and the keys that save: `onSave` hears whether the editor is to close then. */
export function checkedPython(onSave: (close: boolean) => void): Extension {
  const save = (close: boolean) => (): boolean => {
    onSave(close);
    return true;
  };
  return [
    lintGutter(),
    Prec.high(theme),
    Prec.highest(
      keymap.of([
        { key: "Mod-s", run: save(false), preventDefault: true },
        { key: "Mod-Enter", run: save(true) },
        // The list of problems stands beneath the editor already.
        ...lintKeymap.filter(({ key }) => key === "F8"),
      ]),
    ),
  ];
}

export function showProblems(view: EditorView, problems: readonly CodeProblem[]): void {
  const { doc } = view.state;
  const found = problems
    .filter(({ line }) => line !== null)
    .map((problem): Diagnostic => {
      const { severity, message } = problem;
      return { ...rangeOf(doc, problem), severity, message };
    });
  view.dispatch(setDiagnostics(view.state, found));
}

export function showPlace(view: EditorView, line: number, column: number | null): void {
  const { doc } = view.state;
  const place = { severity: "error", message: "", line, column, endLine: null, endColumn: null } as const;
  const { from } = rangeOf(doc, place);
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  view.focus();
}
