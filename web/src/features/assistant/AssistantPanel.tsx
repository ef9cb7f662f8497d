import "@/i18n/englishOfAssistant";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useLayoutEffect, useState } from "react";
import { useStore } from "zustand";
import { assistantConfigQuery } from "@/api/assistant";
import { queryClient } from "@/api/queryClient";
import { sessionQuery } from "@/api/session";
import type { FlowRead } from "@/api/types";
import type { EditorCanvasHandle } from "@/canvas/EditorCanvas";
import type { Editor } from "@/stores/editor/state";
import { cardActions } from "./cardActions";
import type { CardActions } from "./cards/actions";
import { type Chat, chatOf } from "./chat";
import { Panel, type Wish } from "./Panel";
import { ReviewBar } from "./review/ReviewBar";
import { useCanvasReview } from "./review/useCanvasReview";

export interface AssistantPanelProps {
  flow: FlowRead;
  editor: Editor;
  canvas: RefObject<EditorCanvasHandle | null>;
  /** Changes made elsewhere came in while it saved. */
  onMerged: (count: number) => void;
  open: boolean;
  wish: Wish | null;
  /** The wish was taken note of. */
  onWish: () => void;
  onClose: () => void;
}

/** Finds out who would answer, so that nobody waits for it who opens the panel. */
export function prepare(): void {
  void queryClient.prefetchQuery(assistantConfigQuery);
}

/** The assistant over the canvas. Closed it goes on: the turn under way, and what waits to be looked at. */
export default function AssistantPanel(props: AssistantPanelProps) {
  const user = useQuery({ ...sessionQuery, enabled: false }).data?.user?.id ?? null;
  const [person, setPerson] = useState(user);
  // Who signs in again over the page goes on; another one has a conversation of their own.
  if (user !== null && user !== person) setPerson(user);
  return <Talk key={person} {...props} />;
}

function Talk({ flow, editor, canvas, onMerged, open, wish, onWish, onClose }: AssistantPanelProps) {
  const [chat] = useState(() => chatOf(flow.id));
  const [actions] = useState(() => cardActions(chat));
  // Before any effect of what is drawn with it: one of them may send.
  useLayoutEffect(() => chat.enter({ editor, canvas: () => canvas.current, onMerged }), [chat, editor, canvas, onMerged]);
  return (
    <>
      <Review chat={chat} editor={editor} actions={actions} />
      {open ? (
        <Panel chat={chat} editor={editor} actions={actions} wish={wish} onWish={onWish} onClose={onClose} />
      ) : null}
    </>
  );
}

function Review({ chat, editor, actions }: { chat: Chat; editor: Editor; actions: CardActions }) {
  const state = useStore(chat.store, (held) => held.state);
  const review = useCanvasReview(editor, state, actions);
  return review ? <ReviewBar editor={editor} review={review} actions={actions} /> : null;
}
