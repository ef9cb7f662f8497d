import css from "./chat.css?inline";
import { ask, breakOff, type ChatEvent, type Conversation, finish, hear, NOTHING, rewind, unanswered } from "./conversation";
import { ATTRIBUTES, type Options, readOptions } from "./options";
import { type Kept, keyOf, load, newId, save } from "./store";
import { textsFor } from "./texts";
import { answer, ChatFailure, converse } from "./transport";
import { ChatView } from "./view";

let sheet: CSSStyleSheet | null = null;

// A sheet made by script is allowed where the page's policy forbids inline styles.
function styles(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
}

/** Where the script came from: the server it talks to unless the page names another. */
let origin = "";

export function setOrigin(address: string): void {
  origin = address;
}

export class FerroflowChat extends HTMLElement {
  static readonly observedAttributes = ATTRIBUTES;

  private options: Options = readOptions(this, "");
  private key = "";
  private kept: Kept | null = null;
  private chat: Conversation = NOTHING;
  private isOpen = false;
  private run: AbortController | null = null;
  private drawing = 0;
  private stale = false;
  private readonly view = new ChatView(textsFor("en"), {
    send: (text) => void this.say(text),
    stop: () => this.stop(),
    retry: () => this.again(),
    fresh: () => this.fresh(),
    toggle: () => this.setOpen(!this.isOpen),
    choose: (action) => void this.choose(action),
  });
  private readonly darkness = matchMedia("(prefers-color-scheme: dark)");
  private readonly dress = (): void => {
    const { theme, language } = this.options;
    this.view.dress(this.options, textsFor(language), theme === "auto" ? this.darkness.matches : theme === "dark");
  };

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [styles()];
    shadow.append(this.view.root);
    shadow.addEventListener("keydown", (event) => this.onKey(event as KeyboardEvent));
  }

  connectedCallback(): void {
    this.darkness.addEventListener("change", this.dress);
    this.read();
  }

  disconnectedCallback(): void {
    this.darkness.removeEventListener("change", this.dress);
    this.stop();
  }

  attributeChangedCallback(): void {
    if (!this.isConnected || this.stale) return;
    this.stale = true;
    queueMicrotask(() => {
      this.stale = false;
      if (this.isConnected) this.read();
    });
  }

  /** Shows the chat. */
  open(): void {
    this.setOpen(true);
  }

  /** Hides the chat; the conversation stays. */
  close(): void {
    this.setOpen(false);
  }

  private read(): void {
    const before = this.options;
    this.options = readOptions(this, origin);
    const { host, flowId, session } = this.options;
    const key = keyOf(host, flowId);
    if (this.kept === null || key !== this.key || session !== before.session) {
      this.stop();
      this.key = key;
      this.kept = load(key);
      if (session !== null && session !== this.kept.session) this.kept = { ...this.kept, session, messages: [] };
      this.chat = { ...NOTHING, messages: this.kept.messages };
      this.isOpen = this.kept.open ?? this.options.startOpen;
    } else if (this.options.startOpen !== before.startOpen) {
      this.isOpen = this.options.startOpen;
    }
    this.dress();
    this.draw();
    this.place();
  }

  private place(): void {
    const floating = this.options.corner !== null;
    this.view.setOpen(this.isOpen || !floating, floating, floating && matchMedia("(max-width: 480px)").matches);
  }

  private setOpen(open: boolean): void {
    if (this.options.corner === null || open === this.isOpen) return;
    this.isOpen = open;
    this.place();
    this.keep();
    if (open) this.view.input.focus();
    else this.view.launcher.focus();
  }

  private onKey(event: KeyboardEvent): void {
    const covering = this.options.corner !== null && this.isOpen;
    // The page's own shortcuts must not go off while somebody types here; Escape is the page's where nothing opened.
    if (covering || event.key !== "Escape") event.stopPropagation();
    if (!covering || event.isComposing) return;
    if (event.key === "Escape") this.setOpen(false);
    if (event.key !== "Tab" || !matchMedia("(max-width: 480px)").matches) return;
    // The chat covers the page: Tab stays where something can be seen.
    const stops = this.view.stops();
    const [first, last] = [stops[0], stops.at(-1)];
    const here = this.shadowRoot?.activeElement;
    if (event.shiftKey && here === first) last?.focus();
    else if (!event.shiftKey && here === last) first?.focus();
    else return;
    event.preventDefault();
  }

  private async say(text: string): Promise<void> {
    if (this.chat.going || !this.kept || !this.options.flowId) return;
    const run = new AbortController();
    this.run = run;
    this.change(ask(this.chat, newId(), text));
    this.view.announce(this.chat);
    const tell = (event: ChatEvent): void => {
      if (this.run !== run) return;
      const asked = this.chat.question;
      this.change(hear(this.chat, event));
      if (this.chat.question !== asked) this.view.announce(this.chat);
    };
    try {
      await converse(this.options, this.kept, text, tell, run.signal);
      if (this.run === run) this.change(finish(this.chat));
    } catch (cause) {
      if (this.run !== run) return;
      const failure = cause instanceof ChatFailure ? cause.failure : ({ kind: "failed" } as const);
      this.change(breakOff(this.chat, run.signal.aborted ? null : failure));
    }
    this.run = null;
    this.view.announce(this.chat);
  }

  private stop(): void {
    const run = this.run;
    if (!run) return;
    this.run = null;
    run.abort();
    this.change(breakOff(this.chat, null));
  }

  private again(): void {
    const said = unanswered(this.chat);
    if (!said || this.chat.going) return;
    this.chat = rewind(this.chat);
    this.view.input.focus();
    void this.say(said.text);
  }

  private fresh(): void {
    this.stop();
    if (!this.kept) return;
    this.kept = { ...this.kept, session: this.options.session ?? newId() };
    this.change(NOTHING);
    this.view.input.focus();
  }

  private async choose(action: string): Promise<void> {
    const { question } = this.chat;
    if (!question || !this.kept) return;
    this.change({ ...this.chat, question: null, failure: null });
    this.view.input.focus();
    try {
      await answer(this.options, this.kept, question, action);
    } catch (cause) {
      if (!this.chat.going) return;
      const failure = cause instanceof ChatFailure ? cause.failure : ({ kind: "failed" } as const);
      this.change({ ...this.chat, question, failure });
    }
  }

  private change(chat: Conversation): void {
    const settled = chat.going !== this.chat.going;
    this.chat = chat;
    if (settled || !chat.going) this.keep();
    if (this.drawing) return;
    // Tokens come faster than anybody can see.
    this.drawing = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.drawing = 0;
    this.view.show(this.chat);
  }

  private keep(): void {
    if (!this.kept) return;
    this.kept = { ...this.kept, messages: this.chat.messages, open: this.isOpen };
    save(this.key, this.kept);
  }
}
