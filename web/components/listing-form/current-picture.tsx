import { Text } from '@mantine/core'
import type { Listing } from '#contract/listings.ts'
import { GroupDrawing } from '#web/components/listing-picture/group-drawing.tsx'
import { ListingPicture } from '#web/components/listing-picture/listing-picture.tsx'
import classes from './current-picture.module.css'

/** The listing's picture, or a placeholder of 100 by 100 where it has none; choosing a file replaces it. */
export function CurrentPicture({ listing }: { listing: Listing }) {
  if (listing.imageUrl === null) {
    return (
      <div className={classes.frame}>
        <div className={classes.placeholder}>
          <GroupDrawing group={listing.categoryGroup} />
        </div>
        {listing.imageProblem !== null && (
          <Text size="sm" className="second" ta="center" px="md">
            image not fetched: {listing.imageProblem}
          </Text>
        )}
      </div>
    )
  }
  return (
    <ListingPicture src={listing.imageUrl} alt="The listing’s picture" group={listing.categoryGroup} first />
  )
}
