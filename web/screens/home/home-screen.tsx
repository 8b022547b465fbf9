import { Link, useLoaderData } from 'react-router'
import type { LandingKind } from '#contract/landing.ts'
import { landingPath } from '#contract/pages/landing-addresses.ts'
import { nameSlug } from '#contract/pages/name-slugs.ts'
import type { HomePage, PartCard } from '#contract/pages/public-pages.ts'
import { useSession } from '#web/api/session.ts'
import heroDrawing from '#web/artwork/hero.svg?url'
import { onboardingFor, paths, registerFor } from '#web/paths.ts'
import { BuyerTool } from '#web/site/buyer-tool.tsx'
import { GroupDrawing } from '#web/site/card/listing-picture.tsx'
import { PartGrid } from '#web/site/card/part-card.tsx'
import { FindAPart } from '#web/site/form/find-a-part.tsx'
import { Head, useSiteFacts } from '#web/site/head.tsx'
import { LinkedDrawing } from '#web/site/page.tsx'
import { siteThings } from '#web/site/structured-data.ts'
import { Audience, Closing, HowItWorks, Plans, Questions } from './for-sellers.tsx'
import classes from './home.module.css'

export function Component() {
  const home = useLoaderData<HomePage>()
  const { productName, origin } = useSiteFacts()
  return (
    <>
      <Head
        title="Used and OEM Auto Parts from Salvage Yards"
        description="Search used and OEM auto parts from salvage yards by car, name or part number. Compare price, grade and location, and write to the seller. Listing is free."
        canonical={paths.home}
        things={import.meta.env.SSR && (() => siteThings(origin, productName))}
      />
      <Hero home={home} />
      <Browse top={home.top} />
      <BuyerTool name="SeenParts" className={classes.section} />
      <JustListed parts={home.newest} />
      <HowItWorks />
      <Audience />
      <Plans />
      <Questions />
      <Closing />
    </>
  )
}

function Hero({ home }: { home: HomePage }) {
  const planPage = useSession().token === undefined ? registerFor : onboardingFor
  return (
    <section className="ink">
      <div className={classes.hero}>
        <div>
          <h1 className={classes.headline}>Worlds #1 Marketplace For Auto Parts</h1>
          <p className={classes.promise}>
            Used and OEM parts from the yards that pulled them. Find yours by car, by name or by part number.
          </p>
          <Figures counts={home.counts} />
        </div>
        <LinkedDrawing
          url={heroDrawing}
          className={classes.heroDrawing}
          label="An alternator, taken apart: cover, brushes, stator, rotor, housing"
        />
        <div className={classes.finder}>
          <FindAPart makes={home.manufacturers} />
        </div>
        <div className={classes.sellers}>
          <p className="second">Have parts to sell?</p>
          <div className={classes.choices}>
            <Link to={planPage('free')} className={classes.outlined}>
              Become a Seller (Free Version)
            </Link>
            <Link to={planPage('pro')} className={classes.outlined}>
              Become a Dealer (Paid Version)
            </Link>
          </div>
        </div>
      </div>
    </section>
  )
}

const number = (value: number) => value.toLocaleString('en-US')

/** Live counts from this installation, and the price of the free plan. */
function Figures({ counts }: { counts: HomePage['counts'] }) {
  const figures = [
    { label: 'parts listed', value: number(counts.listings) },
    { label: 'manufacturers', value: number(counts.manufacturers) },
    { label: 'models', value: number(counts.models) },
    { label: 'to start', value: '$0' },
  ]
  return (
    <dl className={classes.figures}>
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="display">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The categories and makes with most parts. */
function Browse({ top: { categories, manufacturers } }: { top: HomePage['top'] }) {
  if (categories.length === 0) return null
  return (
    <section className={classes.section} aria-labelledby="categories">
      <div className={classes.sectionHead}>
        <h2 id="categories">Browse by category</h2>
        <Link to={paths.parts}>See all parts</Link>
      </div>
      <ul className={classes.tiles}>
        {categories.map((category) => (
          <li key={category.id} className={classes.tile}>
            <span className={classes.tileDrawing}>
              <GroupDrawing group={category.group} />
            </span>
            <Link to={pathOf('category', category)}>{category.name}</Link>
            <span className={classes.count}>{number(category.count)}</span>
          </li>
        ))}
      </ul>
      <nav aria-labelledby="makes" className={classes.makes}>
        <h3 id="makes">By make</h3>
        <ul>
          {manufacturers.map((make) => (
            <li key={make.id}>
              <Link to={pathOf('manufacturer', make)}>
                {make.name} <span className={classes.count}>{number(make.count)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </section>
  )
}

const filters = { category: 'category', manufacturer: 'make' } as const

/** The name's own page, or the list of its parts until it has one. */
const pathOf = (
  kind: LandingKind & keyof typeof filters,
  { name, slug }: { name: string; slug: string | null },
): string =>
  slug === null
    ? `${paths.parts}?${new URLSearchParams({ [filters[kind]]: nameSlug(name) })}`
    : landingPath(kind, slug)

function JustListed({ parts }: { parts: readonly PartCard[] }) {
  if (parts.length === 0) return null
  return (
    <section className={classes.listed} aria-labelledby="just-listed">
      <div className={classes.section}>
        <div className={classes.sectionHead}>
          <h2 id="just-listed">Just listed</h2>
          <Link to={paths.parts}>See all parts</Link>
        </div>
        <PartGrid parts={parts} heading="h3" />
      </div>
    </section>
  )
}
