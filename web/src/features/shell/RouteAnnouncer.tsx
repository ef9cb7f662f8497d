import { useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/** Says the new page's title to screen readers, which do not notice a page change without a load. */
export function RouteAnnouncer() {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const [message, setMessage] = useState("");

  useEffect(() => {
    if (!path) return;
    const timer = setTimeout(() => setMessage(document.title), 150);
    return () => clearTimeout(timer);
  }, [path]);

  return (
    <div aria-live="polite" className="sr-only">
      {message}
    </div>
  );
}
