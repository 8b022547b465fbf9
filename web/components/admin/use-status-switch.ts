import { useMutation, useQueryClient } from '@tanstack/react-query'
import { adminListingEndpoints } from '#contract/admin-listings.ts'
import type { Listing } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'

type Status = Listing['status']
/** `listing` as it was read: a change of somebody else's since is not written over. */
type Switch = { listing: Pick<Listing, 'id' | 'version'>; to: Status; isUndo?: boolean }

const other = (status: Status): Status => (status === 'ACTIVE' ? 'HIDDEN' : 'ACTIVE')

/** Hides a listing from buyers or shows it again, with Undo. */
export function useStatusSwitch() {
  const queryClient = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ listing: { id, version }, to }: Switch) =>
      call(adminListingEndpoints.updateAny, { params: { id }, body: { status: to, version } }),
    onSuccess: (saved, { to, isUndo = false }) => {
      const undo = {
        label: 'Undo',
        run: () => mutate({ listing: saved, to: other(to), isUndo: true }),
      }
      notifyDone(to === 'HIDDEN' ? 'Listing hidden' : 'Listing shown', {
        about: `status ${saved.id}`,
        ...(!isUndo && { action: undo }),
      })
    },
    onError: (error, { listing, to }) => {
      const failed = to === 'HIDDEN' ? 'Could not hide the listing' : 'Could not show the listing'
      notifyError(error, failed, { about: `status ${listing.id}` })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['listings'] }),
  })
  return {
    switchStatus: (listing: Pick<Listing, 'id' | 'version' | 'status'>) =>
      mutate({ listing, to: other(listing.status) }),
    switching: isPending ? variables.listing.id : undefined,
  }
}
