import { useId } from 'react'
import { useLoaderData } from 'react-router'
import type { LandingKind, LandingPage } from '#contract/landing.ts'
import { landingPath } from '#contract/pages/landing-addresses.ts'
import type { LandingParts } from '#contract/pages/public-pages.ts'
import empty from '#web/artwork/empty.svg?url'
import { paths } from '#web/paths.ts'
import { ButtonLink } from '#web/site/button.tsx'
import { BuyerTool } from '#web/site/buyer-tool.tsx'
import { formatPrice } from '#web/site/card/listing-words.ts'
import { PageLinks } from '#web/site/card/page-links.tsx'
import { PartGrid } from '#web/site/card/part-card.tsx'
import { Head, useSiteFacts } from '#web/site/head.tsx'
import { Link } from '#web/site/link.tsx'
import { type Crumb, Empty, Page, Trail } from '#web/site/page.tsx'
import { breadcrumbList, itemList } from '#web/site/structured-data.ts'
import classes from './landing.module.css'
import { RelatedLinks } from './related-links.tsx'

/** The landing page of a category, manufacturer or model, or of a model's parts of a category. */
export function Component() {
  const { page, found } = useLoaderData<LandingParts>()
  const { origin } = useSiteFacts()
  const trail = trailOf(page)
  const path = landingPath(page.kind, page.slug)
  return (
    <Page heading={page.heading} trail={<Trail links={trail} here={page.heading} />}>
      <Head
        title={page.title}
        description={page.metaDescription}
        canonical={found.page > 1 ? `${path}?page=${found.page}` : path}
        image={found.items.find(({ imageUrl }) => imageUrl)?.imageUrl ?? null}
        noindex={page.parts === 0}
        things={
          import.meta.env.SSR &&
          (() => [
            breadcrumbList(origin, [...trail, { to: path, label: page.heading }]),
            itemList(origin, found.items),
          ])
        }
      />
      <p className={classes.intro}>{page.intro}</p>
      <Figures page={page} />
      <div className={classes.tops}>
        <TopNames
          title="By category"
          kind={page.kind === 'model' ? 'model' : 'category'}
          names={page.topCategories}
        />
        <TopNames title="By make" kind="manufacturer" names={page.topManufacturers} />
        <TopNames title="By model" kind="model" names={page.topModels} />
      </div>
      <Parts found={found} />
      <RelatedLinks links={page.related} />
    </Page>
  )
}

const trailOf = ({ breadcrumbs }: LandingPage): Crumb[] =>
  breadcrumbs.map(({ name, path }) => ({ to: path, label: name }))

function Figures({ page: { parts, priceFrom, priceTo } }: { page: LandingPage }) {
  if (parts === 0) return null
  return (
    <dl className={classes.figures}>
      <div>
        <dt>Parts</dt>
        <dd>{parts.toLocaleString('en-US')}</dd>
      </div>
      {priceFrom !== null && priceTo !== null && (
        <div>
          <dt>Prices</dt>
          <dd>
            {formatPrice(priceFrom, 'USD')}
            {priceTo > priceFrom && ` to ${formatPrice(priceTo, 'USD')}`}
          </dd>
        </div>
      )}
    </dl>
  )
}

function Parts({ found }: { found: LandingParts['found'] }) {
  const { items, total, totalIsAtLeast, page, lastPage } = found
  return (
    <section aria-labelledby="parts" className={classes.parts}>
      <h2 id="parts">Parts for sale</h2>
      <div className={classes.count}>
        <p role="status">
          {total.toLocaleString('en-US')}
          {totalIsAtLeast && '+'} product(s) found
        </p>
        <BuyerTool name="ShareButton" className={classes.share} />
      </div>
      {items.length > 0 ? (
        <PartGrid parts={items} heading="h3" isMain />
      ) : (
        <Empty
          drawing={empty}
          title="Nothing is listed here right now."
          text="New parts come in every day. Try searching all parts."
          action={<ButtonLink to={paths.parts}>Search all parts</ButtonLink>}
        />
      )}
      <div className={classes.below}>
        <PageLinks page={page} lastPage={lastPage} />
      </div>
    </section>
  )
}

type TopNamesProps = { title: string; kind: LandingKind; names: LandingPage['topModels'] }

/** The most common names, linked if they have a landing page. */
function TopNames({ title, kind, names }: TopNamesProps) {
  const id = useId()
  if (names.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={classes.topTitle}>
        {title}
      </h2>
      <ul className={classes.top}>
        {names.map(({ name, slug, count }) => (
          <li key={name}>
            {slug === null ? name : <Link to={landingPath(kind, slug)}>{name}</Link>}{' '}
            <span className={classes.figure}>{count.toLocaleString('en-US')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
