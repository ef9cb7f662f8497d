import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { checkCode } from "@/api/code";
import { asApiError } from "@/api/error";
import type { CodeCheck } from "@/flow/codeProblems";
import { codeBytes, MOST_CODE } from "@/flow/ownCode";
import { useDebounced } from "@/ui/useDebounced";

export interface Checked {
  state: "checking" | "checked" | "offline" | "failed" | "too_large";
  /** The newest there is: while the text is being checked, that of the text before. */
  check: CodeCheck | null;
  error: unknown;
}

const PAUSE = 400;

/** The server, or what stands before it, gives no answer of its own. */
function isAway(error: unknown): boolean {
  const { unreachable, status } = asApiError(error);
  return unreachable || status === 502 || status === 504;
}

/** What is wrong with the code as it is typed. An answer about an older text is never taken. */
export function useCodeCheck(code: string): Checked {
  const settled = useDebounced(code, PAUSE);
  const tooLarge = codeBytes(settled) > MOST_CODE;
  const { data, error } = useQuery({
    queryKey: ["code", "check", settled],
    queryFn: ({ signal }) => checkCode(settled, signal),
    enabled: !tooLarge,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    networkMode: "always",
    // The server is asked again for as long as it is away.
    refetchInterval: ({ state }) => (state.status === "error" && isAway(state.error) ? 3000 : false),
  });
  const [last, setLast] = useState<CodeCheck | null>(null);
  if (data && data !== last) setLast(data);
  if (tooLarge) return { state: "too_large", check: null, error: null };
  if (error && settled === code)
    return { state: isAway(error) ? "offline" : "failed", check: last, error };
  return { state: data && settled === code ? "checked" : "checking", check: data ?? last, error: null };
}
