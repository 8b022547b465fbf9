import { useEffect } from 'react'
import { Link, useLoaderData } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import type { PartPage } from '#contract/pages/public-pages.ts'
import { readText, writeText } from '#web/api/browser-storage.ts'
import { paths } from '#web/paths.ts'
import { RelatedLinks } from '#web/screens/parts/related-links.tsx'
import { ButtonLink } from '#web/site/button.tsx'
import { BuyerTool } from '#web/site/buyer-tool.tsx'
import { ListingPicture } from '#web/site/card/listing-picture.tsx'
import { endInWords, titleOf } from '#web/site/card/listing-words.ts'
import { PartGrid } from '#web/site/card/part-card.tsx'
import { type Crumb, Notice, Page, Section, Trail } from '#web/site/page.tsx'
import { Contact } from './contact.tsx'
import { PartFacts } from './facts.tsx'
import { Offer, Seller } from './offer.tsx'
import classes from './part.module.css'
import { PartHead } from './part-head.tsx'
import { ReportListing } from './report-listing.tsx'

export function Component() {
  const { listing, sameCar, similar, related } = useLoaderData<PartPage>()
  const trail = trailOf(listing)
  useViewCount(listing)
  return (
    <Page
      heading={listing.heading ?? titleOf(listing)}
      trail={<Trail links={trail} here={listing.partname} />}
      actions={listing.mine && <ButtonLink to={paths.editListing(listing.partslug)}>Edit listing</ButtonLink>}
    >
      <PartHead listing={listing} trail={trail} />
      <Availability listing={listing} />
      {similar.length > 0 && (
        <Section id="similar" title="Similar parts for sale">
          <PartGrid parts={similar} heading="h3" />
        </Section>
      )}
      <div className={classes.columns}>
        <div className={classes.picture}>
          <ListingPicture
            src={listing.imageUrl}
            alt={listing.images[0]?.alt ?? ''}
            group={listing.categoryGroup}
            main
            fit="contain"
            sizes="(max-width: 48em) 100vw, 700px"
          />
        </div>
        <div className={classes.side}>
          <Offer listing={listing} />
          <BuyerTool name="PageButtons" className={classes.keep} part={listing} />
          <Seller listing={listing} />
          <Contact key={listing.id} listing={listing} />
          {!listing.mine && listing.status === 'ACTIVE' && <ReportListing key={`report ${listing.id}`} />}
        </div>
        <section aria-labelledby="description" className={classes.text}>
          <h2 id="description">Description</h2>
          <p className={classes.description}>{listing.partdescription || 'No description.'}</p>
        </section>
        <section aria-labelledby="details" className={classes.details}>
          <h2 id="details">Details</h2>
          <PartFacts listing={listing} />
        </section>
      </div>
      {sameCar.length > 0 && (
        <Section
          id="same-car"
          title="More from this car"
          more={
            <Link to={sameModelPath(listing)}>
              See all {listing.partmanuname} {listing.partmodel} parts
            </Link>
          }
        >
          <PartGrid parts={sameCar} heading="h3" />
        </Section>
      )}
      <RelatedLinks links={related} />
    </Page>
  )
}

/** The list, then the make and the model, as far as they are known names. */
function trailOf(listing: Listing): Crumb[] {
  const { partmanuId, partmanuname, partmodelId, partmodel } = listing
  return [
    { to: paths.parts, label: 'Auto parts' },
    ...(partmanuId
      ? [{ to: `${paths.parts}?${new URLSearchParams({ manuId: partmanuId })}`, label: partmanuname }]
      : []),
    ...(partmodelId ? [{ to: sameModelPath(listing), label: partmodel }] : []),
  ]
}

function sameModelPath({ partmanuId, partmodelId }: Listing): string {
  return `${paths.parts}?${new URLSearchParams({ manuId: partmanuId ?? '', modelId: partmodelId ?? '' })}`
}

/** A notice that the part is sold, or hidden from buyers. */
function Availability({ listing }: { listing: Listing }) {
  const ended = endInWords(listing)
  if (ended !== undefined) {
    return (
      <Notice tone="warning" title={ended}>
        This part is no longer for sale.{' '}
        <Link to={listing.partmodelId ? sameModelPath(listing) : paths.parts}>Find similar parts</Link>
      </Notice>
    )
  }
  if (listing.status === 'ACTIVE') return null
  return (
    <Notice tone="warning" title="Hidden">
      Only you and administrators can see this listing.
    </Notice>
  )
}

/** Counts one view per visit. A seller's own views don't count. */
function useViewCount(listing: Listing): void {
  const slug = listing.status === 'ACTIVE' && !listing.mine ? listing.partslug : undefined
  useEffect(() => {
    if (slug === undefined || !isFirstView(slug)) return
    // A lost view count is not worth an error message.
    fetch(`/api/parts/${encodeURIComponent(slug)}/views`, { method: 'POST', keepalive: true })
      .then((response) => response.body?.cancel())
      .catch(() => undefined)
  }, [slug])
}

const seenHere = new Set<string>()

/** A visit is a tab: session storage outlives a reload and ends with the tab. */
function isFirstView(slug: string): boolean {
  const key = `viewed:${slug}`
  if (seenHere.has(key)) return false
  seenHere.add(key)
  // If storage is blocked, the set above works until the next reload.
  if (readText(key, 'sessionStorage') !== null) return false
  writeText(key, '1', 'sessionStorage')
  return true
}
