import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { listingEndpoints } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/site.ts'
import heroDrawing from '#web/artwork/hero.svg?raw'
import { TextLink } from '#web/components/links.tsx'
import { ListingCard, ListingGrid, ListingSkeleton } from '#web/components/listing-card/listing-card.tsx'
import { Drawing } from '#web/components/page/empty-state.tsx'
import { usePageTitle } from '#web/components/page/page.tsx'
import { onboardingFor, paths, registerFor } from '#web/paths.ts'
import classes from './home.module.css'
import { Audience, HowItWorks, PartSearch, Plans, Questions } from './sections.tsx'

export function Component() {
  usePageTitle('Home')
  return (
    <>
      <Hero />
      <PartSearch />
      <HowItWorks />
      <JustListed />
      <Audience />
      <Plans />
      <Questions />
      <Closing />
    </>
  )
}

function Hero() {
  const planPage = useSession().token === undefined ? registerFor : onboardingFor
  return (
    <section className="ink">
      <div className={classes.hero}>
        <div className={classes.heroText}>
          <h1 className={classes.headline}>Worlds #1 Marketplace For Auto Parts</h1>
          <p className={classes.promise}>
            List your parts with a picture and a price, and reach the people who need them today.
          </p>
          <div className={classes.choices}>
            <Link to={planPage('free')} className={classes.rust}>
              Become a Seller (Free Version)
            </Link>
            <Link to={planPage('pro')} className={classes.outlined}>
              Become a Dealer (Paid Version)
            </Link>
          </div>
          <Figures />
        </div>
        <Drawing
          svg={heroDrawing}
          className={classes.heroDrawing}
          label="An alternator, taken apart: cover, brushes, stator, rotor, housing"
        />
      </div>
    </section>
  )
}

/** Live counts from this installation, and the price of the free plan. */
function Figures() {
  const { data, isError } = useSite()
  const counts = data?.counts
  // While loading, placeholders keep the layout steady. If the request fails, the counts are left out.
  const figures =
    isError && !data
      ? []
      : [
          { label: 'parts listed', value: counts?.listings },
          { label: 'manufacturers', value: counts?.manufacturers },
          { label: 'models', value: counts?.models },
        ]
  return (
    <dl className={classes.figures}>
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="display">{value?.toLocaleString('en-US') ?? '…'}</dd>
        </div>
      ))}
      <div>
        <dt>to start</dt>
        <dd className="display">$0</dd>
      </div>
    </dl>
  )
}

const shown = 4

/** The newest parts. Hidden when there are none or the request fails; the page works without it. */
function JustListed() {
  const newest = useQuery({
    queryKey: ['just-listed'],
    queryFn: ({ signal }) =>
      call(listingEndpoints.listPublic, { params: { page: 1 }, query: { perPage: shown }, signal }),
    staleTime: 60_000,
  })
  if (newest.isLoadingError || newest.data?.length === 0) return null
  return (
    <section className={classes.section} aria-labelledby="just-listed">
      <div className={classes.sectionHead}>
        <h2 id="just-listed">Just listed</h2>
        <TextLink to={paths.parts}>See all parts</TextLink>
      </div>
      {newest.isPending ? (
        <ListingSkeleton count={shown} withActions={false} />
      ) : (
        <ListingGrid>
          {newest.data.map((listing) => (
            <ListingCard key={listing.id} listing={listing} to={paths.part(listing.partslug)} heading="h3" />
          ))}
        </ListingGrid>
      )}
    </section>
  )
}

function Closing() {
  return (
    <section className="ink" aria-labelledby="closing">
      <div className={classes.closing}>
        <h2 id="closing">Someone is looking for that part on your shelf.</h2>
        <div className={classes.choices}>
          <Link to={registerFor('free')} className={classes.rust}>
            List your first part
          </Link>
          <Link to={paths.help} className={classes.outlined}>
            See how it works
          </Link>
        </div>
      </div>
    </section>
  )
}
