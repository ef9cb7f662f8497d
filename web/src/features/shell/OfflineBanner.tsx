import { useQueryClient } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { onUnreachable } from "@/api/client";
import { isReachable } from "@/api/session";
import { Button } from "@/ui/Button";

/** Asks /health only after a request got no answer, and until one gets an answer again. */
export function OfflineBanner() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [offline, setOffline] = useState(() => !navigator.onLine);
  const [checking, setChecking] = useState(false);

  const check = useCallback(async () => {
    setChecking(true);
    const reachable = navigator.onLine && (await isReachable());
    setChecking(false);
    if (reachable) {
      setOffline(false);
      void queries.invalidateQueries();
    }
    return reachable;
  }, [queries]);

  useEffect(() => {
    const lost = () => setOffline(true);
    const back = () => void check();
    window.addEventListener("offline", lost);
    window.addEventListener("online", back);
    const forget = onUnreachable(lost);
    return () => {
      window.removeEventListener("offline", lost);
      window.removeEventListener("online", back);
      forget();
    };
  }, [check]);

  useEffect(() => {
    if (!offline) return;
    let delay = 2_000;
    let timer: ReturnType<typeof setTimeout>;
    const poll = () => {
      timer = setTimeout(() => {
        void check().then((reachable) => {
          delay = Math.min(delay * 1.5, 15_000);
          if (!reachable) poll();
        });
      }, delay);
    };
    poll();
    return () => clearTimeout(timer);
  }, [offline, check]);

  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-14 z-60 flex justify-center px-4">
      {offline ? (
        <div className="pointer-events-auto flex items-center gap-3 rounded-lg border border-warn/50 bg-warn-soft py-1.5 pr-2 pl-3 text-sm text-ink shadow-2">
          <WifiOff aria-hidden="true" className="size-4 shrink-0 text-warn" />
          <span>{t("shell.offline")}</span>
          <Button size="sm" busy={checking} onClick={() => void check()}>
            {t("common.retry")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
