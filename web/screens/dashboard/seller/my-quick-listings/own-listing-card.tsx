import { ActionIcon, Button, Group, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Listing, listingEndpoints, type OwnFigures } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { ButtonLink } from '#web/components/links.tsx'
import { ListingCard } from '#web/components/listing-card/listing-card.tsx'
import { useListReturn } from '#web/components/listing-nav.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import { titleOf } from '#web/site/card/listing-words.ts'
import classes from './own-listings.module.css'

export const duplicatePath = ({ kind, partslug }: Listing) => {
  const form = kind === 'quick' ? paths.createDataTableListing : paths.createAutoPartListing
  return `${form}?${new URLSearchParams({ from: partslug })}`
}

type OwnListingCardProps = {
  listing: Listing
  order: OwnFigures['order'] | undefined
  actions: ListingActions
  first: boolean
}

/** A seller's own listing. Button labels include its title, because screen readers read them out of context. */
export function OwnListingCard({ listing, order, actions, first }: OwnListingCardProps) {
  const title = titleOf(listing)
  const back = useListReturn(paths.myListings)
  const sold = listing.endedAt !== null
  return (
    <ListingCard
      listing={listing}
      to={paths.part(listing.partslug)}
      first={first}
      actions={
        <>
          {order && (
            <ButtonLink size="xs" to={paths.sellerOrder(order.id)}>
              Order {order.number}
            </ButtonLink>
          )}
          <ButtonLink
            size="xs"
            to={paths.editListing(listing.partslug)}
            state={back}
            aria-label={`Update ${title}`}
            variant="default"
          >
            Update
          </ButtonLink>
          <Button
            size="xs"
            variant="default"
            onClick={() => void (sold ? actions.putBack(listing) : actions.markSold(listing))}
            aria-label={`${sold ? 'Put back on sale' : 'Mark as sold'}: ${title}`}
          >
            {sold ? 'Put back on sale' : 'Mark as sold'}
          </Button>
          <Group gap={4} wrap="nowrap" className={classes.icons}>
            <Tooltip label="Duplicate">
              <ActionIcon
                variant="subtle"
                color="gray"
                size="md"
                component={Link}
                to={duplicatePath(listing)}
                aria-label={`Duplicate ${title}`}
              >
                <IconCopy size={18} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label="Delete">
              <ActionIcon
                variant="subtle"
                color="bad"
                size="md"
                onClick={() => void actions.remove(listing)}
                aria-label={`Delete ${title}`}
              >
                <IconTrash size={18} />
                <VisuallyHidden>Delete</VisuallyHidden>
              </ActionIcon>
            </Tooltip>
          </Group>
        </>
      }
    />
  )
}

const place = 'top-center'

const aboutListing = (id: string) => `listing ${id}`

export type ListingActions = ReturnType<typeof useListingActions>

type ListNavigation = {
  toFirstPage: () => void
  /** Moves focus to the list when the focused card disappears. */
  focusList: () => void
}

/** Keyboard users get focus moved to Undo; others keep their focus. */
const byKeyboard = () => document.activeElement?.matches(':focus-visible') === true

/** The actions of a listing card. Each can be undone while its toast is visible. */
export function useListingActions({ toFirstPage, focusList }: ListNavigation) {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['listings'] })

  const restore = async ({ id }: Listing, done: string) => {
    const about = aboutListing(id)
    try {
      await call(listingEndpoints.restoreOwn, { params: { id } })
      notifyDone(done, { place, about })
    } catch (error) {
      notifyError(error, 'Could not undo the change', { place, about })
    }
    await refresh()
  }

  const withUndo = async (
    listing: Listing,
    work: () => Promise<unknown>,
    words: { done: string; failed: string; focus: boolean },
  ) => {
    const about = aboutListing(listing.id)
    try {
      await work()
    } catch (error) {
      notifyError(error, words.failed, { place, about })
      return
    }
    focusList()
    await refresh()
    const run = () => {
      focusList()
      void restore(listing, 'Listing restored')
    }
    const action = { label: 'Undo', run, focus: words.focus }
    notifyDone(words.done, { place, about, action })
  }

  return {
    async remove(listing: Listing) {
      const focus = byKeyboard()
      const sure = await askToConfirm({
        title: 'Delete this product listing?',
        text: titleOf(listing),
        confirm: 'Delete listing',
        destroys: true,
      })
      if (!sure) return
      const work = async () => {
        await call(listingEndpoints.deleteOwn, { params: { id: listing.id } })
        // Before the refresh, so that a page the user turns to meanwhile is kept.
        toFirstPage()
      }
      await withUndo(listing, work, { done: 'Product deleted', failed: 'Delete failed', focus })
    },
    async markSold(listing: Listing) {
      const focus = byKeyboard()
      const work = () =>
        call(listingEndpoints.endOwn, { params: { id: listing.id }, body: { reason: 'sold-elsewhere' } })
      await withUndo(listing, work, { done: 'Marked as sold', failed: 'Could not mark it as sold', focus })
    },
    putBack: (listing: Listing) => restore(listing, 'Back on sale'),
  }
}
