import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import "./chat";

const FLOW = "7d1f3c52-4a50-4a5e-9c33-0b8f5d2a6e01";
type Fetched = [string, { credentials?: string; headers: Record<string, string>; body: string }];

let answers: ((url: string) => Response | Promise<Response>)[];

beforeEach(() => {
  answers = [];
  sessionStorage.clear();
  vi.stubGlobal("fetch", vi.fn(async (url: string) => {
    const next = answers.shift();
    if (!next) throw new TypeError("Failed to fetch");
    return next(url);
  }));
});

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

const calls = (): Fetched[] => vi.mocked(fetch).mock.calls as unknown as Fetched[];

function stream(...events: object[]): Response {
  return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), { status: 200 });
}

const saying = (text: string): Response =>
  stream(
    { event: "add_message", data: { id: "a", sender: "Machine", text: "", properties: { state: "partial" } } },
    { event: "token", data: { id: "a", chunk: text } },
    { event: "end", data: {} },
  );

function mount(attributes: Record<string, string>, tag = "ferroflow-chat"): { host: HTMLElement; shadow: ShadowRoot } {
  const host = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) host.setAttribute(name, value);
  document.body.append(host);
  if (!host.shadowRoot) throw new Error("The element is not defined.");
  return { host, shadow: host.shadowRoot };
}

const ready = { "flow-id": FLOW, "host-url": "https://flows.example/", "start-open": "" };
const named = (shadow: ShadowRoot, label: string): HTMLElement => {
  const found = shadow.querySelector<HTMLElement>(`[aria-label="${label}"]`);
  if (!found) throw new Error(`Nothing is called ${label}.`);
  return found;
};
const messages = (shadow: ShadowRoot): (string | null)[] => [...shadow.querySelectorAll("article")].map((item) => item.textContent);

async function say(shadow: ShadowRoot, text: string): Promise<void> {
  const input = named(shadow, "Message") as HTMLTextAreaElement;
  input.value = text;
  input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  await vi.waitFor(() => {
    expect(messages(shadow)).toContain(text);
    expect(shadow.querySelector('[aria-label="Send"]')).not.toBeNull();
  });
}

describe("the embedded chat", () => {
  it("says something as a visitor and shows the answer", async () => {
    answers = [() => saying("**Good** day")];
    const { shadow } = mount(ready);
    await say(shadow, "Hello <b>");
    expect(messages(shadow)).toEqual(["Hello <b>", "Good day"]);
    expect(shadow.querySelector("article strong")?.textContent).toBe("Good");
    expect(shadow.querySelector('[role="status"]')?.textContent).toBe("**Good** day");
    const [url, init] = calls()[0] as Fetched;
    expect(url).toBe("https://flows.example/api/v2/workflows/public");
    expect(init.credentials).toBe("omit");
    expect(init.headers["x-ferroflow-visitor"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(JSON.parse(init.body)).toMatchObject({ flow_id: FLOW, input_value: "Hello <b>", stream_protocol: "langflow" });
  });

  it("is the same conversation after a reload, until a new one is begun", async () => {
    answers = [() => saying("one"), () => saying("two"), () => saying("three")];
    const first = mount(ready);
    await say(first.shadow, "1");
    first.host.remove();
    const { shadow } = mount(ready);
    expect(messages(shadow)).toEqual(["1", "one"]);
    await say(shadow, "2");
    named(shadow, "New conversation").click();
    await vi.waitFor(() => expect(messages(shadow)).toEqual([]));
    await say(shadow, "3");
    const sessions = calls().map(([, init]) => (JSON.parse(init.body) as { session_id: string }).session_id);
    expect(sessions[0]).toBe(sessions[1]);
    expect(sessions[2]).not.toBe(sessions[1]);
    expect(new Set(calls().map(([, init]) => init.headers["x-ferroflow-visitor"])).size).toBe(1);
  });

  it("works where the browser gives no storage", async () => {
    const blocked = (): never => {
      throw new DOMException("denied", "SecurityError");
    };
    vi.stubGlobal("sessionStorage", { getItem: blocked, setItem: blocked });
    answers = [() => saying("here")];
    const { shadow } = mount({ ...ready, "flow-id": "another" });
    await say(shadow, "anyone?");
    expect(messages(shadow)).toEqual(["anyone?", "here"]);
  });

  it("understands the attributes of Langflow's widget, and falls back to the visitors' door", async () => {
    answers = [
      () => {
        throw new TypeError("Failed to fetch");
      },
      () => saying("hi"),
    ];
    const { shadow } = mount(
      {
        flow_id: FLOW,
        host_url: "https://langflow.example",
        window_title: "Help",
        api_key: "sk-1",
        session_id: "mine",
        tweaks: '{"a":{"b":1}}',
        chat_position: "top-left",
        start_open: "true",
        bot_message_style: '{"backgroundColor":"rgb(1, 2, 3)"}',
      },
      "langflow-chat",
    );
    expect(shadow.querySelector("h2")?.textContent).toBe("Help");
    expect(shadow.querySelector<HTMLElement>(".root")?.dataset).toMatchObject({ x: "left", y: "top" });
    await say(shadow, "x");
    const [withKey, asVisitor] = calls();
    expect(withKey?.[0]).toBe(`https://langflow.example/api/v1/run/${FLOW}?stream=true`);
    expect(withKey?.[1].headers["x-api-key"]).toBe("sk-1");
    expect(JSON.parse(withKey?.[1].body ?? "")).toEqual({ input_value: "x", session_id: "mine", tweaks: { a: { b: 1 } } });
    expect(asVisitor?.[0]).toBe("https://langflow.example/api/v2/workflows/public");
    expect(messages(shadow)).toEqual(["x", "hi"]);
    expect(shadow.querySelector<HTMLElement>("article.flow")?.style.backgroundColor).toBe("rgb(1, 2, 3)");
  });

  it.each([
    [429, { "retry-after": "7" }, "Too many messages at once. Wait 7 s and try again."],
    [404, {}, "This chat is not available. Its owner has not made it public, or has taken it away."],
    [400, {}, "This chat cannot be used by visitors. Please tell whoever runs this page."],
    [500, {}, "Something went wrong on the server. Try again in a moment."],
  ])("explains %i and asks again when told to", async (status, headers, sentence) => {
    answers = [() => new Response("{}", { status, headers }), () => saying("now")];
    const { shadow } = mount(ready);
    await say(shadow, "please");
    expect(shadow.querySelector(".failure p")?.textContent).toBe(sentence);
    expect(shadow.querySelector('[role="status"]')?.textContent).toBe(sentence);
    expect(messages(shadow)).toEqual(["please"]);
    shadow.querySelector<HTMLButtonElement>(".failure button")?.click();
    await vi.waitFor(() => expect(messages(shadow)).toEqual(["please", "now"]));
    expect(shadow.querySelector(".failure")).toBeNull();
  });

  it("keeps half an answer and says that it broke off", async () => {
    answers = [() => stream({ event: "token", data: { id: "a", chunk: "Half" } })];
    const { shadow } = mount(ready);
    await say(shadow, "tell me");
    expect(messages(shadow)[1]).toBe("HalfThe answer broke off here.");
    expect(shadow.querySelector(".failure p")?.textContent).toContain("cannot be reached");
  });

  it("opens and closes by its button and by Escape, and takes the focus along", () => {
    const { shadow } = mount({ "flow-id": FLOW, "host-url": "https://flows.example" });
    const dialog = shadow.querySelector<HTMLElement>('[role="dialog"]');
    expect(dialog?.hidden).toBe(true);
    const launcher = named(shadow, "Open chat");
    launcher.click();
    expect(dialog?.hidden).toBe(false);
    expect(shadow.activeElement).toBe(named(shadow, "Message"));
    shadow.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, composed: true }));
    expect(dialog?.hidden).toBe(true);
    expect(shadow.activeElement).toBe(launcher);
    expect(launcher.getAttribute("aria-expanded")).toBe("false");
  });

  it("stands in the page where it is told to, always open", () => {
    const { shadow } = mount({ ...ready, position: "inline" });
    expect(shadow.querySelector<HTMLElement>('[role="region"]')?.hidden).toBe(false);
    expect(named(shadow, "Close chat").hidden).toBe(true);
  });

  it("speaks the page's language where it knows it", () => {
    const { shadow } = mount({ ...ready, lang: "pt-BR" });
    expect(shadow.querySelector('[aria-label="Mensagem"]')).not.toBeNull();
  });

  it("says what is missing when it is not set up", () => {
    const { shadow } = mount({ "start-open": "" });
    expect(shadow.querySelector(".empty")?.textContent).toContain("flow-id");
  });
});
