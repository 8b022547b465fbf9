import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { adminListingEndpoints } from '#contract/admin-listings.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'

export type BulkSave = Answer<typeof adminListingEndpoints.listChangeSets>['items'][number]
export type Undone = Answer<typeof adminListingEndpoints.undoChangeSet>

export function useBulkSaves() {
  return useInfiniteQuery({
    queryKey: ['bulk-saves'],
    queryFn: ({ pageParam: before, signal }) =>
      call(adminListingEndpoints.listChangeSets, {
        query: before === undefined ? {} : { before },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore ?? undefined,
  })
}

/** Takes a save back; `outcome` tells what was left because it was changed since. */
export function useUndoSave() {
  const queryClient = useQueryClient()
  const undoing = useMutation({
    mutationFn: ({ id }: BulkSave) => call(adminListingEndpoints.undoChangeSet, { params: { id } }),
    onSuccess: ({ kept }) => {
      if (kept.length === 0) notifyDone('Bulk save undone', { about: 'bulk save' })
    },
    onError: (error) =>
      notifyError(error, 'The save could not be undone. Try again.', { about: 'bulk save' }),
    onSettled: () => {
      for (const list of ['bulk-saves', 'listings', 'listing-history']) {
        void queryClient.invalidateQueries({ queryKey: [list] })
      }
    },
  })
  const outcome =
    undoing.data && undoing.data.kept.length > 0 ? { id: undoing.variables.id, ...undoing.data } : undefined
  return { undoing, outcome }
}
