import { Button } from '@mantine/core'
import { Link } from 'react-router'
import empty from '#web/artwork/empty.svg?raw'
import { EmptyState } from '#web/components/empty-state.tsx'
import { paths } from '#web/paths.ts'
import { useHasListings } from './use-analytics.ts'

/** Before the first view: what to do for it. */
export function NothingYet({ days }: { days: number }) {
  const hasListings = useHasListings()
  if (hasListings === undefined) return null
  return hasListings ? (
    <EmptyState
      drawing={empty}
      title={`Nobody has looked in the last ${days} days`}
      text="Buyers search by part number and by car. Parts with both, a clear title and a picture are looked at most."
      action={
        <Button component={Link} to={paths.helpArticle('being-found')}>
          Read how to be found
        </Button>
      }
    />
  ) : (
    <EmptyState
      drawing={empty}
      title="Nothing to count yet"
      text="List your first part: from then on each look at it and each message about it is counted here."
      action={
        <Button component={Link} to={paths.createListing}>
          Create a listing
        </Button>
      }
    />
  )
}
