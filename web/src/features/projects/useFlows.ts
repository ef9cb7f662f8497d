import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { flowKeys, type FlowSort, listFlows, type SortOrder } from "@/api/flows";
import { usePreferences } from "@/stores/preferences";

const pageSize = 48;

export function useFlows(folderId: string | null, search: string) {
  const [sort, order] = usePreferences((state) => state.flowOrder).split(":") as [FlowSort, SortOrder];
  const query = { folderId: folderId ?? undefined, search: search || undefined, sort, order, size: pageSize };
  return useInfiniteQuery({
    queryKey: flowKeys.list(query),
    queryFn: ({ pageParam, signal }) => listFlows({ ...query, page: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.page < last.pages ? last.page + 1 : undefined),
    placeholderData: keepPreviousData,
  });
}
