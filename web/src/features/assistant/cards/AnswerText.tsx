import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { compactNumber } from "@/ui/figures";
import { Markdown } from "@/ui/Markdown";

/** Laying out more than this at once would hold up the page. */
const MOST = 100_000;
/** This much is there at once, the rest while the page goes on. */
const FIRST = 20_000;

/** Markdown of any length: what is beyond the limit comes when it is asked for, a piece at a time. */
export function AnswerText({ source }: { source: string }) {
  const { t, i18n } = useTranslation();
  const [limit, setLimit] = useState(MOST);
  // Tokens may come faster than a long text is laid out; typing and scrolling go first.
  const shown = useDeferredValue(cut(source, limit), cut(source, FIRST));
  const left = source.length - limit;
  return (
    <div className="min-w-0 text-sm">
      <Markdown source={shown} reachable />
      {left > 0 ? (
        <Button size="sm" className="mt-2" onClick={() => setLimit(limit + MOST)}>
          {left > MOST
            ? t("assistant.cards.showMore")
            : t("assistant.cards.showAll", { size: compactNumber(left, i18n.language) })}
        </Button>
      ) : null}
    </div>
  );
}

/** At the end of a line where there is one near, and never inside of a character. */
function cut(source: string, limit: number): string {
  if (source.length <= limit) return source;
  const line = source.lastIndexOf("\n", limit);
  if (line > limit * 0.9) return source.slice(0, line);
  const inside = /[\uD800-\uDBFF]/.test(source.charAt(limit - 1));
  return source.slice(0, inside ? limit - 1 : limit);
}
