import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { promptMarks } from "@/flow/values/prompts";
import { HUGE_TEXT } from "./box";
import type { Language } from "./CodeMirrorArea";

export interface OpenEditor {
  readonly view: EditorView;
  /** Takes over a text from elsewhere; one that came from here changes nothing. */
  show: (text: string) => void;
  close: () => void;
}

interface Options {
  label: string;
  language: Language;
  value: string;
  readOnly: boolean;
  focused: boolean;
  onChange: (text: string) => void;
  /** Come before everything else. */
  extensions?: Extension;
}

const PAUSE = 400;

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "transparent", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--editor-font)", lineHeight: "20px", scrollbarWidth: "thin" },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0" },
  ".cm-line": { padding: "0 12px" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--faint)", backgroundColor: "transparent", border: "none" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--hover) 55%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 28%, transparent)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
  ".cm-variable": {
    color: "var(--accent)",
    backgroundColor: "var(--accent-soft)",
    borderRadius: "4px",
    padding: "1px 0",
  },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.bool, tags.null], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--ok)" },
  { tag: tags.number, color: "var(--warn)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.propertyName, tags.definition(tags.variableName), tags.className], fontWeight: "600" },
]);

export function openEditor(host: HTMLElement, options: Options): OpenEditor {
  // The page's policy forbids style elements; inside a shadow root the editor's styles are adopted sheets.
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  let last = options.value;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const hand = (): void => {
    clearTimeout(waiting);
    waiting = undefined;
    last = view.state.doc.toString();
    options.onChange(last);
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.value,
      extensions: [
        options.extensions ?? [],
        extensionsOf(options),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          if (update.state.doc.length <= HUGE_TEXT) hand();
          else {
            // Millions of letters are not handed on with every key.
            clearTimeout(waiting);
            waiting = setTimeout(hand, PAUSE);
          }
        }),
        EditorView.domEventHandlers({
          blur: () => {
            if (waiting !== undefined) hand();
          },
        }),
      ],
    }),
  });
  // Outside the shadow root a key seems to be pressed at a plain box: shortcuts of the page would take it.
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") event.stopPropagation();
  };
  host.addEventListener("keydown", onKey);
  if (options.focused) view.focus();
  return {
    view,
    show: (text) => {
      if (text === last || waiting !== undefined) return;
      last = text;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    close: () => {
      if (waiting !== undefined) hand();
      host.removeEventListener("keydown", onKey);
      view.destroy();
    },
  };
}

function extensionsOf({ label, language, value, readOnly }: Options): Extension[] {
  const code = language === "python" || language === "json";
  return [
    history(),
    drawSelection(),
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({
      "aria-label": label,
      // What scrolls must be seen to be reachable with the keyboard.
      tabindex: "0",
      ...(code ? {} : { spellcheck: "true" }),
      ...(readOnly ? { "aria-readonly": "true" } : {}),
    }),
    keymap.of([...(language === "python" ? [indentWithTab] : []), ...defaultKeymap, ...historyKeymap]),
    theme,
    EditorView.theme({
      "&": { "--editor-font": code ? "var(--font-mono, monospace)" : "inherit" },
    }),
    // Wrapping a line of millions of letters takes a minute.
    hasEndlessLine(value) ? [] : EditorView.lineWrapping,
    ...(code ? [lineNumbers(), bracketMatching(), indentOnInput(), highlightActiveLine(), syntaxHighlighting(colours)] : []),
    ...(language === "python" ? [python(), indentUnit.of("    ")] : []),
    ...(language === "json" ? [json()] : []),
    ...(language === "prompt" || language === "mustache" ? [variableMarks(language === "mustache")] : []),
  ];
}

const ENDLESS = 50_000;

function hasEndlessLine(text: string): boolean {
  let start = 0;
  while (text.length - start > ENDLESS) {
    const end = text.indexOf("\n", start);
    if (end === -1 || end - start > ENDLESS) return true;
    start = end + 1;
  }
  return false;
}

const mark = Decoration.mark({ class: "cm-variable" });

function variableMarks(mustache: boolean): Extension {
  const find = (view: EditorView): DecorationSet =>
    Decoration.set(
      view.visibleRanges.flatMap(({ from, to }) => {
        const start = view.state.doc.lineAt(from).from;
        const end = view.state.doc.lineAt(to).to;
        return promptMarks(view.state.sliceDoc(start, end), mustache).map((each) =>
          mark.range(start + each.from, start + each.to),
        );
      }),
      true,
    );
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = find(view);
      }
      update(update: ViewUpdate): void {
        if (update.docChanged || update.viewportChanged) this.decorations = find(update.view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}
