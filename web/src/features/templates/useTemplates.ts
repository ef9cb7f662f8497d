import { useQuery } from "@tanstack/react-query";
import { startersQuery } from "@/api/starters";
import { readTemplates } from "@/flow/templates";

export function useTemplates() {
  return useQuery({ ...startersQuery, select: readTemplates });
}
