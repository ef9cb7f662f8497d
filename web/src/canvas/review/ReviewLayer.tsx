import "@/i18n/englishOfAssistant";
import { useInternalNode, useReactFlow, useStore, ViewportPortal } from "@xyflow/react";
import { Check, X } from "lucide-react";
import { type CSSProperties, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useEditor } from "@/stores/editor/state";
import { type ReviewChip, type ReviewMark, useReview } from "@/stores/review";
import { IconButton } from "@/ui/Button";
import { Ghosts } from "./Ghosts";
import { useReach } from "./useReach";
import "./review.css";

/** Beyond this, signs would be larger than the cards they belong to. */
const LARGEST = 2.5;

const SIGNS: Record<ReviewMark, string> = { added: "+", changed: "~", removed: "−" };
const WORDS = {
  added: "assistant.review.mark.added",
  changed: "assistant.review.mark.changed",
  removed: "assistant.review.mark.removed",
} as const;

/** What the assistant changed, would change or is at work on, drawn over the cards of the canvas. */
export default function ReviewLayer() {
  const marks = useReview((review) => review.marks);
  const working = useReview((review) => review.working);
  const chips = useReview((review) => review.chips);
  const ghosts = useReview((review) => review.ghosts);
  // In steps: with every notch of the wheel nothing here has to be drawn anew.
  const scale = useStore((state) => Math.round(Math.min(LARGEST, Math.max(1, 0.8 / state.transform[2])) * 10) / 10);
  useAddedInView(marks);
  const nodes = new Set([...marks.keys(), ...working, ...chips.keys()]);
  return (
    <ViewportPortal>
      <div style={{ "--review-scale": scale } as CSSProperties}>
        {ghosts ? <Ghosts document={ghosts} /> : null}
        {[...nodes].map((id) => (
          <Marked
            key={id}
            id={id}
            mark={marks.get(id) ?? null}
            working={working.has(id)}
            chips={chips.get(id) ?? NO_CHIPS}
          />
        ))}
      </div>
    </ViewportPortal>
  );
}

function useAddedInView(marks: ReadonlyMap<string, ReviewMark>): void {
  const reach = useReach();
  const { getInternalNode } = useReactFlow();
  const seen = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const added = new Set([...marks].flatMap(([id, mark]) => (mark === "added" ? [id] : [])));
    const fresh = [...added].filter((id) => !seen.current.has(id));
    seen.current = added;
    const rects = fresh.flatMap((id) => {
      const node = getInternalNode(id);
      const { width, height } = node?.measured ?? {};
      return node && width && height ? [{ ...node.internals.positionAbsolute, width, height }] : [];
    });
    if (rects.length > 0) reach(rects);
  }, [marks, reach, getInternalNode]);
}

const NO_CHIPS: readonly ReviewChip[] = [];

interface MarkedProps {
  id: string;
  mark: ReviewMark | null;
  working: boolean;
  chips: readonly ReviewChip[];
}

/** The ring around one card, wherever that is dragged. */
function Marked({ id, mark, working, chips }: MarkedProps) {
  const { t } = useTranslation();
  const node = useInternalNode(id);
  const name = useEditor((state) => state.flow.byId.get(id)?.title ?? id);
  const { x, y } = node?.internals.positionAbsolute ?? { x: 0, y: 0 };
  const { width, height } = node?.measured ?? {};
  if (width === undefined || height === undefined) return null;
  const word = working ? t("assistant.review.working") : mark ? t(WORDS[mark]) : null;
  const open = chips.length > 0;
  return (
    <div
      className="ff-review"
      data-testid={`assistant-review-${id}`}
      data-mark={mark ?? undefined}
      data-working={working || undefined}
      style={{ width, height, transform: `translate(${x}px, ${y}px)` }}
    >
      <div className="ff-review-ring" data-mark={mark ?? undefined} data-working={working || undefined} data-open={open || undefined}>
        {word === null || open ? null : (
          <span className="ff-review-sign">
            {working ? null : mark ? <span aria-hidden="true">{SIGNS[mark]}</span> : null}
            {word}
            <span className="sr-only">{`: ${name}`}</span>
          </span>
        )}
        {open ? (
          <div role="group" aria-label={t("assistant.review.chips", { name })} className="ff-review-chips nodrag nopan nowheel">
            {chips.map((chip) => (
              <Chip key={chip.id} chip={chip} />
            ))}
          </div>
        ) : null}
      </div>
    </div>
  );
}

function Chip({ chip }: { chip: ReviewChip }) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  // The chip goes: whoever pressed its button is at the same one of the next that waits then, or in the canvas.
  const settle = (which: "accept" | "reject"): void => {
    const all = [...document.querySelectorAll<HTMLElement>("[data-review-chip]")];
    const place = all.findIndex((one) => one === root.current);
    const next = all[place + 1] ?? all[place - 1];
    const button = next?.querySelector<HTMLElement>(`[data-choice="${which}"]`);
    (button ?? document.querySelector<HTMLElement>(".ff-canvas"))?.focus({ preventScroll: true });
    chip[which]();
  };
  return (
    <div ref={root} data-review-chip className="flex items-center gap-1 rounded-full border border-warn bg-raised py-0.5 pr-0.5 pl-2.5 text-xs text-ink shadow-2">
      <span aria-hidden="true" className="font-semibold text-warn">
        {SIGNS.changed}
      </span>
      <span className="max-w-48 truncate pr-1">{chip.label}</span>
      <IconButton label={t("assistant.review.acceptField", { field: chip.label })} icon={<Check className="size-3.5" />} size="sm" data-choice="accept" onClick={() => settle("accept")} />
      <IconButton label={t("assistant.review.rejectField", { field: chip.label })} icon={<X className="size-3.5" />} size="sm" data-choice="reject" onClick={() => settle("reject")} />
    </div>
  );
}
