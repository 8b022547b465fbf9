import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { adminPeopleEndpoints } from '#contract/admin-people.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import type { FilterValues } from '#web/components/listing-filters/filter-state.ts'
import type { ListControls } from '#web/components/listing-filters/use-list-state.ts'
import { auditQuery } from './audit-words.ts'

export const noFilters = { action: '', who: '', target: '', from: '', to: '' } as const
export type AuditControls = ListControls<typeof noFilters>
export type AuditEntry = Answer<typeof adminPeopleEndpoints.listAudit>['items'][number]

export function useAudit(filters: FilterValues<typeof noFilters>) {
  const query = auditQuery(filters)
  return useInfiniteQuery({
    queryKey: ['audit', query],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(adminPeopleEndpoints.listAudit, {
        query: { ...query, ...(cursor !== undefined && { cursor }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}
