import { FerroflowChat, setOrigin } from "./element";

function scriptAddress(): string {
  const { currentScript } = document;
  const address = currentScript instanceof HTMLScriptElement ? currentScript.src : "";
  // A module has no current script; it is then found by its name.
  return address || (document.querySelector<HTMLScriptElement>('script[src*="/embed/chat.js"]')?.src ?? location.href);
}

setOrigin(new URL(scriptAddress(), location.href).origin);

/** The name that Langflow's widget has: pages that use it need to change only the script's address. */
class LangflowChat extends FerroflowChat {}

for (const [name, element] of [
  ["ferroflow-chat", FerroflowChat],
  ["langflow-chat", LangflowChat],
] as const) {
  if (!customElements.get(name)) customElements.define(name, element);
}
