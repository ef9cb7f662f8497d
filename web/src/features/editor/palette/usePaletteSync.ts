import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { preferencesQuery } from "@/api/preferences";
import { adoptPalette } from "@/stores/palette";

/** Takes over what the server keeps for this person. */
export function usePaletteSync(): void {
  const saved = useQuery(preferencesQuery).data;
  useEffect(() => {
    if (saved) adoptPalette(saved.palette);
  }, [saved]);
}
