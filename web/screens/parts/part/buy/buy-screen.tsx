import { Link, useLoaderData } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import { paths } from '#web/paths.ts'
import { ButtonLink } from '#web/site/button.tsx'
import { ListingPicture } from '#web/site/card/listing-picture.tsx'
import { endInWords, formatPrice, gradeInWords, sellerName, titleOf } from '#web/site/card/listing-words.ts'
import { addToCart } from '#web/site/cart.ts'
import { Head } from '#web/site/head.tsx'
import { Notice, Page, Trail } from '#web/site/page.tsx'
import classes from './buy.module.css'
import { Checkout, usePaidOffer } from './checkout.tsx'

/** Buying one part: how, where, who, what it costs, and what happens next. */
export function Component() {
  const { listing, sellerSlug } = useLoaderData<{ listing: Listing; sellerSlug?: string }>()
  const title = titleOf(listing)
  const trail = [{ to: paths.part(listing.partslug), label: listing.partname }]
  return (
    <Page heading="Buy this part" trail={<Trail links={trail} here="Buy" />}>
      <Head title={`Buy: ${title}`} noindex />
      {/* Keyed: the next part starts with its own form. */}
      <div className={classes.columns} key={listing.id}>
        <PartSummary listing={listing} />
        {listing.soldOnline ? (
          <Checkout listing={listing}>
            {sellerSlug !== undefined && <AddAnother listing={listing} yard={sellerSlug} />}
          </Checkout>
        ) : (
          <NotSoldOnline listing={listing} />
        )}
      </div>
    </Page>
  )
}

/** Several parts of the yard go in one order: this one waits in the cart. */
function AddAnother({ listing, yard }: { listing: Listing; yard: string }) {
  return (
    <p className={classes.small}>
      <Link to={paths.seller(yard)} onClick={() => addToCart(yard, listing.partslug)}>
        Add another part of this yard
      </Link>{' '}
      and pay for both at once.
    </p>
  )
}

function PartSummary({ listing }: { listing: Listing }) {
  const { partslug, imageUrl, categoryGroup, partprice, currency, partgrade, partnum, termsInWords } = listing
  const offer = usePaidOffer()
  return (
    <section aria-label="The part" className={classes.part}>
      <div className={classes.picture}>
        <ListingPicture src={imageUrl} alt="" group={categoryGroup} sizes="(max-width: 48em) 6rem, 20rem" />
      </div>
      <div className={classes.facts}>
        <h2 className={classes.title}>
          <Link to={paths.part(partslug)}>{titleOf(listing)}</Link>
        </h2>
        <p className={classes.price}>{offer ? `Agreed: ${offer.price}` : formatPrice(partprice, currency)}</p>
        <p className="second">
          {['Used', partgrade && gradeInWords(partgrade).replace('Grade', 'grade')]
            .filter(Boolean)
            .join(', ')}
          {partnum && ` · Part # ${partnum}`}
        </p>
        <p className="second">Sold by {sellerName(listing)}</p>
      </div>
      {termsInWords.length > 0 && (
        <ul className={classes.terms} aria-label="Terms">
          {termsInWords.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

function NotSoldOnline({ listing }: { listing: Listing }) {
  const ended = endInWords(listing)
  return (
    <div className={classes.stack}>
      <Notice
        tone="warning"
        title={
          ended === undefined ? 'This part is not sold online' : `${ended}. This part is no longer for sale.`
        }
      >
        {ended === undefined && `Write to ${sellerName(listing)} to buy it.`}
      </Notice>
      <div>
        <ButtonLink to={paths.part(listing.partslug)} look="filled">
          Back to the part
        </ButtonLink>
      </div>
    </div>
  )
}
