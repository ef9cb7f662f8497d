import { createElement, useEffect, useState } from "react";
import { networkError } from "@/api/error";
import { ErrorNotice } from "@/ui/ErrorNotice";

const ADDRESS = "/embed/chat.js";

/** The chat as visitors get it, from the very script that their pages load. */
export function EmbedPreview({ attributes, label }: { attributes: Record<string, string>; label: string }) {
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    if (customElements.get("ferroflow-chat") || document.querySelector(`script[src="${ADDRESS}"]`)) return;
    const script = document.createElement("script");
    script.type = "module";
    script.src = ADDRESS;
    script.addEventListener("error", () => {
      // Taken away, so that the next time tries again.
      script.remove();
      setFailed(true);
    });
    document.head.append(script);
  }, []);

  if (failed) return <ErrorNotice error={networkError(null)} />;
  const { "start-open": _open, position: _position, ...look } = attributes;
  return (
    <div role="group" aria-label={label} className="h-96">
      {createElement("ferroflow-chat", { ...look, position: "inline", style: { height: "100%" } })}
    </div>
  );
}
