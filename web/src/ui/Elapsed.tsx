import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { durationText } from "./figures";

const tickers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all of them. */
function onTick(tick: () => void): () => void {
  tickers.add(tick);
  timer ??= setInterval(() => {
    for (const each of tickers) each();
  }, 100);
  return () => {
    tickers.delete(tick);
    if (tickers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time since then, going on without anything being rendered. */
export function Elapsed({ since, now = Date.now }: { since: number; now?: () => number }) {
  const { i18n } = useTranslation();
  const place = useRef<HTMLSpanElement>(null);
  const { language } = i18n;
  useEffect(() => {
    const tick = (): void => {
      const spent = Math.max(0, Math.floor((now() - since) / 100) * 100);
      if (place.current) place.current.textContent = durationText(spent, language);
    };
    tick();
    return onTick(tick);
  }, [since, now, language]);
  return <span ref={place} className="tabular-nums" />;
}
