import { memo, useEffect, useRef, useState } from "react";
import type { Chunk } from "@/flow/chatChunks";
import { MessageView, type Place } from "./MessageView";
import type { MessageActions } from "./useMessageActions";

export type Places = Map<string, Place>;

/** Browsers that do not tell what is near the view get everything at once. */
const tells = "oncontentvisibilityautostatechange" in document.documentElement;

/**
 * Some messages after each other. Out of view the browser neither lays them out nor paints them; find-in-page and
 * screen readers still reach them, which they would not if they were taken out of the page.
 */
export const MessageChunk = memo(function MessageChunk({
  chunk,
  places,
  actions,
}: {
  chunk: Chunk;
  places: Places;
  actions: MessageActions;
}) {
  const [near, setNear] = useState(!tells);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    // Once there, they stay: taking them away again would cost as much as putting them there.
    const changed = (event: Event): void => {
      if (!(event as ContentVisibilityAutoStateChangeEvent).skipped) setNear(true);
    };
    element?.addEventListener("contentvisibilityautostatechange", changed);
    return () => element?.removeEventListener("contentvisibilityautostatechange", changed);
  }, []);
  return (
    <div
      ref={box}
      className="-mx-1 space-y-5 px-1 [content-visibility:auto]"
      style={{ containIntrinsicSize: `auto ${chunk.height}px` }}
    >
      {chunk.messages.map((message) => (
        <MessageView
          key={message.id}
          message={message}
          near={near}
          place={places.get(message.id) ?? null}
          actions={actions}
        />
      ))}
    </div>
  );
});
