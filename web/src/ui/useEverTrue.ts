import { useState } from "react";

/** False until `now` was true once: what is not needed yet is not loaded. */
export function useEverTrue(now: boolean): boolean {
  const [ever, setEver] = useState(now);
  if (now && !ever) setEver(true);
  return ever || now;
}
