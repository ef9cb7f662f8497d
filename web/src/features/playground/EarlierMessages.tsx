import { type RefObject, useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { type ChatSource, loadEarlier } from "./source";

/** Before the first message: fetches those before it as soon as it comes near. */
export function EarlierMessages({
  source,
  session,
  scroller,
}: {
  source: ChatSource;
  session: string;
  scroller: RefObject<HTMLElement | null>;
}) {
  const { t } = useTranslation();
  const [mark, setMark] = useState<HTMLDivElement | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const load = useCallback(async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await loadEarlier(source, session);
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  }, [source, session]);

  useEffect(() => {
    if (!mark || busy || error !== null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void load();
      },
      { root: scroller.current, rootMargin: "1200px 0px 0px 0px" },
    );
    observer.observe(mark);
    return () => observer.disconnect();
  }, [mark, busy, error, load, scroller]);

  return (
    <div ref={setMark} className="text-center">
      {error === null ? (
        <Button size="sm" busy={busy} onClick={() => void load()}>
          {t("playground.earlier")}
        </Button>
      ) : (
        <ErrorNotice error={error} onRetry={() => void load()} />
      )}
    </div>
  );
}
