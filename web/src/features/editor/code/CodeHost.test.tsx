import { QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect, useEffectEvent, useRef } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "@/api/queryClient";
import type { FlowRead } from "@/api/types";
import type { PythonArea } from "@/fields/PythonArea";
import { nodeCode } from "@/flow/nodeCode";
import { MOST_CODE } from "@/flow/ownCode";
import { component, field, output } from "@/flow/fixtures/build";
import type { JsonRecord } from "@/flow/json";
import { draftOf, keepDraft } from "@/stores/editor/codeDrafts";
import { openCode } from "@/stores/editor/codeOpen";
import { createEditor, type Editor } from "@/stores/editor/state";
import { useToasts } from "@/ui/toasts";
import { CodeHost } from "./CodeHost";

// The editor itself needs a browser that lays text out; a plain box takes its place.
vi.mock("@/fields/PythonArea", () => {
  function Box({ label, given, readOnly, problems, place, onChange, onSave }: Parameters<typeof PythonArea>[0]) {
    const box = useRef<HTMLTextAreaElement>(null);
    const changed = useEffectEvent(onChange);
    useEffect(() => {
      if (!box.current || box.current.value === given.code) return;
      box.current.value = given.code;
      changed(given.code);
    }, [given]);
    return (
      <textarea
        ref={box}
        aria-label={label}
        readOnly={readOnly}
        defaultValue={given.code}
        data-problems={problems.length}
        data-line={place?.line}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.ctrlKey && event.key === "s") onSave(false);
        }}
      />
    );
  }
  return { PythonArea: Box };
});

const START = "class Shout(Component):\n    pass\n";
const NEXT = "class Louder(Component):\n    pass\n";

let answers: Record<string, (body: JsonRecord) => Response | Promise<Response>>;
let editor: Editor;

const made = (code: string) => ({
  display_name: "Shout",
  description: "",
  outputs: [output("text", ["Message"])],
  template: { code: field("code", { type: "code", value: code }) },
});

beforeAll(() => Promise.all([import("./CodeDialog"), import("@/ui/DialogPopup")]).then(() => undefined));

beforeEach(() => {
  localStorage.clear();
  useToasts.setState({ toasts: [] });
  answers = {
    "validate/code": () => Response.json({ class_name: "Shout", diagnostics: [] }),
    custom_component: (body) => Response.json({ data: made(String(body.code)), type: "Shout" }),
  };
  vi.stubGlobal("fetch", async (request: Request) => {
    const path = new URL(request.url).pathname.replace("/api/v1/", "");
    return answers[path]?.((await request.json()) as JsonRecord) ?? new Response(null, { status: 404 });
  });
  const data = {
    nodes: [component("Shout-1", made(START) as never), component("ChatInput-1", { display_name: "Chat Input" })],
    edges: [],
  };
  editor = createEditor({ id: "f1", name: "F", data, revision: 1, locked: false, updated_at: "2026-01-01T00:00:00Z" } as unknown as FlowRead);
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const onFocus = vi.fn();

function show(): void {
  render(
    <QueryClientProvider client={queryClient}>
      <CodeHost editor={editor} onFocus={onFocus} />
    </QueryClientProvider>,
  );
}

async function open(line: number | null = null): Promise<HTMLTextAreaElement> {
  show();
  act(() => openCode("Shout-1", line));
  return screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Python code" });
}

const type = (area: HTMLElement, code: string) => fireEvent.change(area, { target: { value: code } });
const saved = () => nodeCode(editor.getState().flow.byId.get("Shout-1")?.raw);
const closed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

it("shows the code, the class and what is wrong, each problem with its line", async () => {
  answers["validate/code"] = () =>
    Response.json({
      class_name: "Shout",
      diagnostics: [
        { severity: "error", code: "e", message: "`os` cannot be used here", line: 1, column: 1, end_line: 1, end_column: 3 },
        { severity: "warning", code: "w", message: "unused", line: 2, column: 5, end_line: 2, end_column: 9 },
      ],
    });
  const area = await open();
  expect(area).toHaveValue(START);
  expect(await screen.findByText("2 problems")).toBeInTheDocument();
  expect(screen.getByText("Shout", { selector: "code" })).toBeInTheDocument();
  expect(area).toHaveAttribute("data-problems", "2");
  await userEvent.click(screen.getByRole("button", { name: /Line 2/ }));
  expect(area).toHaveAttribute("data-line", "2");
});

it("opens at the line that was asked for", async () => {
  expect(await open(2)).toHaveAttribute("data-line", "2");
});

it("never shows an answer about an older text", async () => {
  let late: (response: Response) => void = () => {};
  answers["validate/code"] = ({ code }) =>
    code === START
      ? new Promise((resolve) => (late = resolve))
      : Response.json({ class_name: "Louder", diagnostics: [] });
  const area = await open();
  await waitFor(() => expect(screen.getByText("Checking…")).toBeInTheDocument());
  type(area, NEXT);
  expect(await screen.findByText("No problems found", undefined, { timeout: 3000 })).toBeInTheDocument();
  await act(async () => late(Response.json({ class_name: "Shout", diagnostics: [{ message: "late", line: 1 }] })));
  expect(screen.queryByText("late")).toBeNull();
  expect(screen.getByText("Louder", { selector: "code" })).toBeInTheDocument();
});

it("says that nothing is checked while the server is away, and keeps the text", async () => {
  answers["validate/code"] = () => Promise.reject(new TypeError("no answer"));
  const area = await open();
  type(area, NEXT);
  expect(await screen.findByText(/the code is not checked/, undefined, { timeout: 3000 })).toBeInTheDocument();
  await waitFor(() => expect(draftOf("f1", "Shout-1")?.code).toBe(NEXT));
});

it("saves and stays with the key, saves and closes with the button", async () => {
  const area = await open();
  type(area, NEXT);
  expect(screen.getByText("Not saved yet")).toBeInTheDocument();
  fireEvent.keyDown(area, { key: "s", ctrlKey: true });
  expect(await screen.findByText("Saved")).toBeInTheDocument();
  expect(saved()).toBe(NEXT);
  expect(draftOf("f1", "Shout-1")).toBeNull();
  type(area, `${NEXT}# more\n`);
  await userEvent.click(screen.getByRole("button", { name: "Check & save" }));
  await closed();
  expect(saved()).toBe(`${NEXT}# more\n`);
  await waitFor(() => expect(onFocus).toHaveBeenCalledWith("Shout-1"));
});

it("shows why code was refused at its line, and loses nothing", async () => {
  answers.custom_component = () => Response.json({ detail: "ValueError: nope (line 2)", code: "bad_code" }, { status: 400 });
  const area = await open();
  type(area, NEXT);
  await userEvent.click(screen.getByRole("button", { name: "Check & save" }));
  expect(await screen.findByRole("button", { name: /Line 2 ValueError: nope/ })).toBeInTheDocument();
  expect(area).toHaveAttribute("data-line", "2");
  expect(area).toHaveValue(NEXT);
  expect(saved()).toBe(START);
  type(area, `${NEXT}#`);
  await waitFor(() => expect(screen.queryByText(/ValueError/)).toBeNull());
});

it("says what the server says when Python cannot run there", async () => {
  const detail = "Python cannot run on this server: Landlock is missing. Its operator can switch it on.";
  answers.custom_component = () => Response.json({ detail, code: "no_python" }, { status: 503 });
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Check & save" }));
  expect(await within(screen.getByRole("list", { name: "Problems in the code" })).findByText(detail)).toBeInTheDocument();
});

it("asks before it is left with changes, and forgets them only when told to", async () => {
  const area = await open();
  type(area, NEXT);
  await userEvent.click(screen.getAllByRole("button", { name: "Close" }).at(-1) ?? area);
  expect(await screen.findByRole("dialog", { name: "The code is not saved" })).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Go on editing" }));
  expect(area).toHaveValue(NEXT);
  await userEvent.click(screen.getAllByRole("button", { name: "Close" }).at(-1) ?? area);
  await userEvent.click(await screen.findByRole("button", { name: "Discard changes" }));
  await closed();
  expect(draftOf("f1", "Shout-1")).toBeNull();
  expect(saved()).toBe(START);
});

it("closes at once where nothing was changed, and goes back to what is saved when asked to", async () => {
  const area = await open();
  type(area, NEXT);
  await userEvent.click(screen.getByRole("button", { name: "Reset" }));
  expect(area).toHaveValue(START);
  expect(screen.queryByText("Not saved yet")).toBeNull();
  await userEvent.click(screen.getAllByRole("button", { name: "Close" }).at(-1) ?? area);
  await closed();
});

it("brings back what was left unsaved, and says so when the flow is opened", async () => {
  keepDraft("f1", "Shout-1", NEXT, Date.now() - 60_000);
  const area = await open();
  expect(useToasts.getState().toasts.map(({ message }) => message)).toEqual(["Code of “Shout” was left unsaved"]);
  expect(area).toHaveValue(NEXT);
  expect(screen.getByText(/Not saved yet ·/)).toBeInTheDocument();
});

it("tells that code is too large before it is sent", async () => {
  const sent = vi.fn(() => Response.json({}));
  const area = await open();
  await screen.findByText("No problems found");
  answers.custom_component = sent;
  type(area, `#${"x".repeat(MOST_CODE)}`);
  expect(await screen.findByText(/at most 256 KiB/, undefined, { timeout: 3000 })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Check & save" })).toBeDisabled();
  fireEvent.keyDown(area, { key: "s", ctrlKey: true });
  expect(sent).not.toHaveBeenCalled();
});

it("says that a built-in node has no code instead of opening an empty editor", () => {
  show();
  act(() => openCode("ChatInput-1"));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(useToasts.getState().toasts.map(({ message }) => message)).toEqual(["“Chat Input” has no code to edit"]);
});

it("only shows the code of a locked flow", async () => {
  editor.setState({ locked: true });
  expect(await open()).toHaveAttribute("readonly");
  expect(screen.queryByRole("button", { name: "Check & save" })).toBeNull();
  expect(screen.getByText(/The flow is locked/)).toBeInTheDocument();
});
