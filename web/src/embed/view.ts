import type { Conversation, Failure, Said } from "./conversation";
import { renderMarkdown } from "./markdown";
import type { Options, StyledPart } from "./options";
import type { Texts } from "./texts";

export interface Handlers {
  send: (text: string) => void;
  stop: () => void;
  retry: () => void;
  fresh: () => void;
  toggle: () => void;
  choose: (action: string) => void;
}

const ICONS = {
  chat: "M21 12a8 8 0 0 1-8 8H4l2-3a8 8 0 1 1 15-5Z",
  close: "M6 6l12 12M18 6 6 18",
  fresh: "M12 5v14M5 12h14",
  send: "M4 12 20 4l-6 16-3-7-7-1Z",
  stop: "M7 7h10v10H7Z",
};

function icon(name: keyof typeof ICONS): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (className) element.setAttribute("part", className);
  element.append(...children);
  return element;
}

function button(className: string, press: () => void, ...children: (Node | string)[]): HTMLButtonElement {
  const element = make("button", className, ...children);
  element.type = "button";
  element.addEventListener("click", press);
  return element;
}

/** The chat's elements. It shows what it is told and knows nothing of servers. */
export class ChatView {
  readonly root = make("div", "root");
  readonly input = make("textarea", "input");
  readonly launcher: HTMLButtonElement;
  private readonly window = make("section", "window");
  private readonly title = make("h2", "title");
  private readonly note = make("p", "note");
  private readonly log = make("div", "log");
  private readonly empty = make("p", "empty");
  private readonly below = make("div", "below");
  private readonly status = make("div", "hidden");
  private readonly composer = make("form", "composer");
  private readonly sendButton: HTMLButtonElement;
  private readonly freshButton: HTMLButtonElement;
  private readonly closeButton: HTMLButtonElement;
  private readonly shown = new Map<string, { element: HTMLElement; said: Said }>();
  private readonly handlers: Handlers;
  private texts: Texts;
  private styles: Options["styles"] | null = null;
  private going = false;
  private hint = "";
  private hintWhileSending = "";

  constructor(texts: Texts, handlers: Handlers) {
    this.texts = texts;
    this.handlers = handlers;
    this.launcher = button("launcher", handlers.toggle, icon("chat"));
    this.freshButton = button("icon", handlers.fresh, icon("fresh"));
    this.closeButton = button("icon", handlers.toggle, icon("close"));
    this.sendButton = make("button", "send", icon("send"));
    this.title.id = "title";
    this.log.tabIndex = 0;
    this.log.setAttribute("role", "log");
    // Every token would be read out; the status below says each answer once, when it is whole.
    this.log.setAttribute("aria-live", "off");
    this.status.setAttribute("role", "status");
    this.window.setAttribute("aria-labelledby", "title");
    this.log.append(this.empty, this.below);
    this.composer.append(this.input, this.sendButton);
    const head = make("div", "", this.title, this.note);
    this.window.append(make("header", "header", head, this.freshButton, this.closeButton), this.log, this.status, this.composer);
    this.root.append(this.launcher, this.window);
    this.listen();
  }

  private listen(): void {
    this.input.rows = 1;
    this.composer.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.going) this.handlers.stop();
      else this.submit();
    });
    this.input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      if (!this.going) this.submit();
    });
    this.input.addEventListener("input", () => this.markSend());
  }

  private submit(): void {
    const text = this.input.value.trim();
    if (text === "") return;
    this.input.value = "";
    this.markSend();
    this.handlers.send(text);
  }

  private markSend(): void {
    const usable = this.going || this.input.value.trim() !== "";
    this.sendButton.setAttribute("aria-disabled", String(!usable));
  }

  dress(options: Options, texts: Texts, dark: boolean): void {
    this.texts = texts;
    this.styles = options.styles;
    const { root, window: frame, corner } = { root: this.root, window: this.window, corner: options.corner };
    root.className = corner ? "root floating" : "root inline";
    root.dataset.x = corner?.x ?? "";
    root.dataset.y = corner?.y ?? "";
    root.dataset.theme = dark ? "dark" : "light";
    root.lang = options.language;
    setProperty(root, "--ff-accent", options.accent);
    setProperty(root, "--ff-on-accent", options.accent && inkOn(options.accent));
    setProperty(frame, "width", corner ? options.width : null);
    setProperty(frame, "height", corner ? options.height : null);
    this.title.textContent = options.title ?? texts.title;
    this.note.textContent = options.note ?? "";
    this.note.hidden = !options.note;
    this.empty.textContent = options.flowId ? texts.empty : texts.noFlow;
    this.input.setAttribute("aria-label", texts.message);
    this.hint = options.placeholder ?? texts.placeholder;
    this.hintWhileSending = options.sending ?? this.hint;
    this.log.setAttribute("aria-label", texts.conversation);
    name(this.freshButton, texts.fresh);
    name(this.closeButton, texts.close);
    this.closeButton.hidden = corner === null;
    this.launcher.hidden = corner === null;
    this.style("launcher", this.launcher);
    this.style("window", frame);
    this.style("composer", this.composer);
    this.style("input", this.input);
    this.style("send", this.sendButton);
  }

  private style(part: StyledPart, element: HTMLElement): void {
    for (const [key, value] of Object.entries(this.styles?.[part] ?? {})) {
      const property = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      element.style.setProperty(property, typeof value === "number" ? `${value}px` : value);
    }
  }

  setOpen(open: boolean, floating: boolean, covers: boolean): void {
    this.window.hidden = !open;
    this.root.toggleAttribute("data-open", open);
    this.window.setAttribute("role", floating ? "dialog" : "region");
    if (floating) this.window.setAttribute("aria-modal", String(covers));
    else this.window.removeAttribute("aria-modal");
    this.launcher.setAttribute("aria-expanded", String(open));
    this.launcher.setAttribute("aria-haspopup", "dialog");
    name(this.launcher, open ? this.texts.close : this.texts.open);
    this.launcher.replaceChildren(icon(open ? "close" : "chat"));
    if (open) this.log.scrollTop = this.log.scrollHeight;
  }

  show(chat: Conversation): void {
    const atEnd = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 40;
    this.going = chat.going;
    this.empty.hidden = chat.messages.length > 0;
    this.freshButton.hidden = chat.messages.length === 0;
    const there = new Set(chat.messages.map((said) => said.id));
    for (const [id, { element }] of this.shown) {
      if (there.has(id)) continue;
      element.remove();
      this.shown.delete(id);
    }
    for (const said of chat.messages) this.showSaid(said);
    this.below.replaceChildren(...this.afterwards(chat));
    this.sendButton.replaceChildren(icon(chat.going ? "stop" : "send"));
    name(this.sendButton, chat.going ? this.texts.stop : this.texts.send);
    this.input.placeholder = chat.going ? this.hintWhileSending : this.hint;
    this.markSend();
    if (atEnd || chat.messages.at(-1)?.from === "person") this.log.scrollTop = this.log.scrollHeight;
  }

  private showSaid(said: Said): void {
    const known = this.shown.get(said.id);
    if (known?.said === said) return;
    const element = known?.element ?? make("article", `said ${said.from}`);
    if (!known) {
      element.setAttribute("aria-label", said.from === "person" ? this.texts.you : this.texts.answer);
      this.style(said.from, element);
      this.below.before(element);
    }
    element.classList.toggle("going", said.state === "going");
    if (said.from === "person") element.textContent = said.text;
    else {
      const body = make("div", "body");
      body.append(renderMarkdown(said.text));
      element.replaceChildren(body, ...(said.state === "broken" ? [make("p", "broken", this.texts.broken)] : []));
    }
    this.shown.set(said.id, { element, said });
  }

  private afterwards(chat: Conversation): Node[] {
    const nodes: Node[] = [];
    if (chat.question) {
      const box = make("div", "question");
      box.append(renderMarkdown(chat.question.prompt));
      const choices = chat.question.options.map(({ id, label }) => button("", () => this.handlers.choose(id), label));
      box.append(make("div", "actions", ...choices));
      nodes.push(box);
    } else if (chat.going && chat.messages.at(-1)?.from !== "flow") {
      const dots = make("div", "dots", make("i"), make("i"), make("i"));
      dots.setAttribute("role", "img");
      dots.setAttribute("aria-label", this.texts.answering);
      nodes.push(dots);
    }
    if (chat.failure) {
      const box = make("div", "failure", make("p", "", this.words(chat.failure)));
      if (!chat.going) box.append(make("div", "actions", button("", this.handlers.retry, this.texts.retry)));
      this.style("failure", box);
      nodes.push(box);
    }
    return nodes;
  }

  private words(failure: Failure): string {
    if (failure.kind === "rate") return this.texts.rate(failure.seconds);
    if (failure.kind === "told") return failure.text || this.texts.failed;
    return this.texts[failure.kind];
  }

  /** Tells a screen reader, once. */
  announce(chat: Conversation): void {
    const last = chat.messages.at(-1);
    if (chat.failure) this.status.textContent = this.words(chat.failure);
    else if (chat.question) this.status.textContent = chat.question.prompt;
    else if (chat.going) this.status.textContent = this.texts.answering;
    else this.status.textContent = last?.from === "flow" ? last.text : "";
  }

  /** What Tab reaches while the chat is open, in order. */
  stops(): HTMLElement[] {
    const all = this.window.querySelectorAll<HTMLElement>("button, a[href], textarea, [tabindex='0']");
    return [...all].filter((element) => !element.closest("[hidden]"));
  }
}

function name(element: HTMLElement, label: string): void {
  element.setAttribute("aria-label", label);
  element.title = label;
}

function setProperty(element: HTMLElement, property: string, value: string | null): void {
  if (value === null) element.style.removeProperty(property);
  else element.style.setProperty(property, value);
}

/** Black or white, whichever is easier to read on a colour given as #rgb or #rrggbb. */
export function inkOn(colour: string): string {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour)?.[1];
  if (!hex) return "#ffffff";
  const full = hex.length === 3 ? hex.replace(/./g, "$&$&") : hex;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(full.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? "#ffffff" : "#000000";
}
