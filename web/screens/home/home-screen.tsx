import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import heroDrawing from '#web/artwork/hero.svg?raw'
import { onboardingFor, paths, registerFor } from '#web/paths.ts'
import { GroupDrawing } from '#web/site/card/listing-picture.tsx'
import { type ListedPart, PartGrid } from '#web/site/card/part-card.tsx'
import { FindAPart } from '#web/site/form/find-a-part.tsx'
import { Drawing } from '#web/site/page.tsx'
import classes from './home.module.css'
import { Audience, Closing, HowItWorks, Plans, Questions } from './for-sellers.tsx'

type Counted = { name: string; path: string; count: number }

type HomePage = {
  counts: { listings: number; manufacturers: number; models: number }
  /** For the picker, by name. */
  manufacturers: readonly { id: string; name: string }[]
  /** Those with most parts, most first. */
  topCategories: readonly (Counted & { group: string | null })[]
  topMakes: readonly Counted[]
  newest: readonly ListedPart[]
  newestYear: number
}

export function Home({ home }: { home: HomePage }) {
  return (
    <>
      <Hero home={home} />
      <Browse home={home} />
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
        <Drawing
          svg={heroDrawing}
          className={classes.heroDrawing}
          label="An alternator, taken apart: cover, brushes, stator, rotor, housing"
        />
        <div className={classes.finder}>
          <FindAPart makes={home.manufacturers} newestYear={home.newestYear} />
        </div>
        <div className={classes.sellers}>
          <p className="second">Have parts to sell?</p>
          <div className={classes.choices}>
            <Link to={planPage('free')} className={classes.rust}>
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
function Browse({ home: { topCategories, topMakes } }: { home: HomePage }) {
  if (topCategories.length === 0) return null
  return (
    <section className={classes.section} aria-labelledby="categories">
      <div className={classes.sectionHead}>
        <h2 id="categories">Browse by category</h2>
        <Link to={paths.parts}>See all parts</Link>
      </div>
      <ul className={classes.tiles}>
        {topCategories.map(({ name, path, count, group }) => (
          <li key={path} className={classes.tile}>
            <span className={classes.tileDrawing}>
              <GroupDrawing group={group} />
            </span>
            <Link to={path}>{name}</Link>
            <span className={classes.count}>{number(count)}</span>
          </li>
        ))}
      </ul>
      {topMakes.length > 0 && (
        <nav aria-labelledby="makes" className={classes.makes}>
          <h3 id="makes">By make</h3>
          <ul>
            {topMakes.map(({ name, path, count }) => (
              <li key={path}>
                <Link to={path}>
                  {name} <span className={classes.count}>{number(count)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </section>
  )
}

function JustListed({ parts }: { parts: readonly ListedPart[] }) {
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
