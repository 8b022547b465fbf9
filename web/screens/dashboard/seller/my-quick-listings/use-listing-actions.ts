import { useQueryClient } from '@tanstack/react-query'
import { type Listing, listingEndpoints } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { titleOf } from '#web/components/listing-card/listing-words.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'

const place = 'top-center'
/** Long enough to see what is gone and to reach the button. */
const undoMs = 10_000

export type ListingActions = {
  remove: (listing: Listing) => Promise<void>
  markSold: (listing: Listing) => Promise<void>
  putBack: (listing: Listing) => Promise<void>
}

/** What a seller does with a card; each can be taken back for ten seconds. `onGone` is told when a card leaves the list. */
export function useListingActions(onGone: () => void): ListingActions {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['listings'] })

  const restore = async ({ id }: Listing, done: string) => {
    try {
      await call(listingEndpoints.restoreOwn, { params: { id } })
      notifyDone(done, { place })
    } catch (error) {
      notifyError(error, 'Could not take it back', { place })
    }
    await refresh()
  }

  const withUndo = async (
    listing: Listing,
    work: () => Promise<unknown>,
    words: { done: string; failed: string },
  ) => {
    try {
      await work()
    } catch (error) {
      notifyError(error, words.failed, { place })
      return
    }
    onGone()
    await refresh()
    const run = () => void restore(listing, 'Listing restored')
    notifyDone(words.done, { place, closeAfterMs: undoMs, action: { label: 'Undo', run } })
  }

  return {
    async remove(listing) {
      const sure = await askToConfirm({
        title: 'Delete this product listing?',
        text: titleOf(listing),
        confirm: 'Delete listing',
        destroys: true,
      })
      if (!sure) return
      const work = () => call(listingEndpoints.deleteOwn, { params: { id: listing.id } })
      await withUndo(listing, work, { done: 'Product deleted', failed: 'Delete failed' })
    },
    async markSold(listing) {
      const work = () =>
        call(listingEndpoints.endOwn, { params: { id: listing.id }, body: { reason: 'sold-elsewhere' } })
      await withUndo(listing, work, { done: 'Marked as sold', failed: 'Could not mark it as sold' })
    },
    putBack: (listing) => restore(listing, 'Back on sale'),
  }
}
