import { useEffect } from 'react'
import { Link, useLoaderData } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import { nameSlug } from '#contract/pages/name-slugs.ts'
import type { AroundPart } from '#contract/pages/part-page.ts'
import type { PartPage } from '#contract/pages/public-pages.ts'
import { readText, writeText } from '#web/api/browser-storage.ts'
import { paths } from '#web/paths.ts'
import { RelatedLinks } from '#web/screens/parts/related-links.tsx'
import { ButtonLink } from '#web/site/button.tsx'
import { BuyerTool } from '#web/site/buyer-tool.tsx'
import { endInWords, titleOf } from '#web/site/card/listing-words.ts'
import { PartGrid } from '#web/site/card/part-card.tsx'
import { type Crumb, Notice, Page, Section, Trail } from '#web/site/page.tsx'
import { CONTACT, Contact } from './contact.tsx'
import { PartFacts } from './facts.tsx'
import { Fits } from './fits.tsx'
import { Damage, Gallery } from './gallery.tsx'
import { ContactBar, Offer } from './offer.tsx'
import classes from './part.module.css'
import { PartHead } from './part-head.tsx'
import { REPORT, ReportListing } from './report-listing.tsx'
import { SellerCard } from './seller-card.tsx'

export function Component() {
  const { listing, around, heldMinutes } = useLoaderData<PartPage & { heldMinutes?: number }>()
  const trail = around?.trail.map(({ name, path }): Crumb => ({ to: path, label: name })) ?? allParts
  const ended = endInWords(listing)
  useViewCount(listing)
  return (
    <Page
      heading={listing.heading ?? titleOf(listing)}
      trail={<Trail links={trail} here={listing.partname} />}
      actions={listing.mine && <ButtonLink to={paths.editListing(listing.partslug)}>Edit listing</ButtonLink>}
    >
      <PartHead listing={listing} trail={trail} />
      <Availability listing={listing} ended={ended} trail={trail} />
      {ended !== undefined && <Similar title="Similar parts for sale" around={around} />}
      {/* Keyed: the next part starts with its own first picture and an empty form. */}
      <div className={classes.columns} key={listing.id}>
        <div className={classes.pictures}>
          <Gallery listing={listing} />
        </div>
        <div className={classes.side}>
          <Offer listing={listing} around={around} heldMinutes={heldMinutes} />
          <BuyerTool name="PageButtons" className={classes.keep} part={listing} />
          <div className={classes.after}>
            <SellerCard listing={listing} seller={around?.seller} />
            <ContactBar listing={listing} />
            <div id={CONTACT}>
              <Contact listing={listing} />
            </div>
            {!listing.mine && listing.status === 'ACTIVE' && (
              <div id={REPORT}>
                <ReportListing />
              </div>
            )}
          </div>
        </div>
        <section aria-labelledby="description" className={classes.text}>
          <h2 id="description">Description</h2>
          <p className={classes.description}>{listing.partdescription || 'No description.'}</p>
          <Damage listing={listing} />
        </section>
        <section aria-labelledby="details" className={classes.details}>
          <h2 id="details">Details</h2>
          <PartFacts listing={listing} numbers={around?.numbers} />
          {around && (
            <>
              <h2 id="fits">Fits</h2>
              <Fits fits={around.fits} evidence={around.evidence} />
            </>
          )}
        </section>
      </div>
      <SameVehicle listing={listing} around={around} />
      {ended === undefined && <Similar title="Similar parts from other sellers" around={around} />}
      <RelatedLinks links={around?.related ?? []} />
    </Page>
  )
}

const allParts: Crumb[] = [{ to: paths.parts, label: 'Auto parts' }]

type BesideProps = { listing: Listing; around: AroundPart | undefined }

/** Other parts the yard has from the same car, which saves a second trip or shipment. */
function SameVehicle({ listing, around }: BesideProps) {
  const { parts = [], isSame } = around?.vehicle ?? {}
  if (!around || parts.length === 0) return null
  const { partmanuId, partmodelId, partmanuname, partmodel } = listing
  const query = new URLSearchParams({
    ...(partmanuId && partmanuname && { make: nameSlug(partmanuname) }),
    ...(partmodelId && partmodel && { model: nameSlug(partmodel) }),
    seller: around.seller.slug,
  })
  return (
    <Section
      id="same-vehicle"
      title={isSame ? 'Same vehicle, same yard' : 'Same model, same yard'}
      more={
        partmodelId && (
          <Link to={`${paths.parts}?${query}`}>
            All {partmanuname} {partmodel} parts at this yard
          </Link>
        )
      }
    >
      <div className={classes.beside}>
        <PartGrid parts={parts} heading="h3" />
      </div>
    </Section>
  )
}

function Similar({ title, around }: { title: string; around: AroundPart | undefined }) {
  if (!around || around.similar.length === 0) return null
  return (
    <Section id="similar" title={title}>
      <div className={classes.beside}>
        <PartGrid parts={around.similar} heading="h3" />
      </div>
    </Section>
  )
}

type AvailabilityProps = { listing: Listing; ended: string | undefined; trail: readonly Crumb[] }

/** A notice that the part is sold, or hidden from buyers. */
function Availability({ listing, ended, trail }: AvailabilityProps) {
  if (ended !== undefined) {
    return (
      <Notice tone="warning" title={ended}>
        This part is no longer for sale. <Link to={trail.at(-1)?.to ?? paths.parts}>Find similar parts</Link>
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
