import { Alert, Anchor, Button, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link, useParams } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import { ApiError } from '#web/api/failures.ts'
import { endInWords, titleOf } from '#web/components/listing-card/listing-words.ts'
import { ListingPicture } from '#web/components/listing-picture/listing-picture.tsx'
import { LoadError } from '#web/components/load-error.tsx'
import { Page } from '#web/components/page.tsx'
import { paths } from '#web/paths.ts'
import { Component as NotFound } from '#web/screens/not-found/not-found-screen.tsx'
import { Contact } from './contact.tsx'
import { Offer } from './offer.tsx'
import classes from './part.module.css'
import { PartFacts } from './part-facts.tsx'
import { Related } from './related.tsx'
import { SameCar, sameModelPath } from './same-car.tsx'
import { usePart, useViewCount } from './use-part.ts'

export function Component() {
  const { slug = '' } = useParams()
  const part = usePart(slug)
  useViewCount(part.data)
  if (part.data) return <Part listing={part.data} />
  if (part.error instanceof ApiError && part.error.status === 404) return <NotFound />
  return (
    <Page title="Auto part">
      {part.isError ? (
        <LoadError
          message="Unable to load this part"
          onRetry={() => void part.refetch()}
          retrying={part.isFetching}
        />
      ) : (
        <PartSkeleton />
      )}
    </Page>
  )
}

function Part({ listing }: { listing: Listing }) {
  return (
    <Page
      title={titleOf(listing)}
      heading={listing.heading}
      actions={
        listing.mine && (
          <Button variant="default" component={Link} to={paths.editListing(listing.partslug)}>
            Edit listing
          </Button>
        )
      }
    >
      <Stack gap="xl">
        <Availability listing={listing} />
        <div className={classes.columns}>
          <div className={classes.picture}>
            <ListingPicture
              src={listing.imageUrl}
              alt={listing.images[0]?.alt ?? ''}
              group={listing.categoryGroup}
              first
              fit="contain"
              sizes="(max-width: 48em) 100vw, 700px"
            />
          </div>
          <Stack gap="md" className={classes.offer}>
            <Offer listing={listing} />
            <Contact key={listing.id} listing={listing} />
          </Stack>
          <Stack component="section" aria-labelledby="description" gap="sm" className={classes.text}>
            <Title order={2} id="description">
              Description
            </Title>
            <Text className={classes.description}>
              {listing.partdescription || 'The seller has not described it.'}
            </Text>
          </Stack>
          <Stack component="section" aria-labelledby="details" gap="sm" className={classes.details}>
            <Title order={2} id="details">
              Details
            </Title>
            <PartFacts listing={listing} />
          </Stack>
        </div>
        <SameCar listing={listing} />
        <Related listing={listing} />
      </Stack>
    </Page>
  )
}

/** Says what stands between a buyer and the part: that it is gone, or that only its seller sees it. */
function Availability({ listing }: { listing: Listing }) {
  const ended = endInWords(listing)
  if (ended !== undefined) {
    return (
      <Alert color="warning" radius="lg" title={ended}>
        This part is no longer for sale.{' '}
        <Anchor component={Link} to={listing.partmodelId ? sameModelPath(listing) : paths.parts}>
          Find similar parts
        </Anchor>
      </Alert>
    )
  }
  if (listing.status === 'ACTIVE') return null
  return (
    <Alert color="warning" radius="lg" title="Hidden">
      Only you and the administrators see this listing.
    </Alert>
  )
}

const PartSkeleton = () => (
  <div className={classes.columns} role="status" aria-label="Loading…">
    <Skeleton className={classes.picture} height="auto" />
    <Skeleton className={classes.offer} height={300} radius="lg" />
  </div>
)
