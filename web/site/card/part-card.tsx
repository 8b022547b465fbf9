import type { ReactNode } from 'react'
import type { PartCard as ListedPart } from '#contract/pages/public-pages.ts'
import { paths } from '#web/paths.ts'
import { BuyerTool } from '#web/site/buyer-tool.tsx'
import { Link } from '#web/site/link.tsx'
import { ListingPicture } from './listing-picture.tsx'
import {
  fitmentOf,
  formatPrice,
  gradeInWords,
  placeOf,
  shippedPrice,
  shippingAdded,
  titleOf,
} from './listing-words.ts'
import classes from './part-card.module.css'

type PartProps = {
  part: ListedPart
  /** Its picture is the page's main one. */
  main?: boolean
  heading?: 'h2' | 'h3'
}

/** A part in a grid, with price and part number as the most prominent text. The whole card leads to the part. */
function PartCard({ part, main = false, heading = 'h2' }: PartProps) {
  return (
    <CardFrame
      heading={heading}
      picture={
        <>
          <Picture part={part} main={main} />
          {stateOf(part) && <span className={classes.mark}>{stateOf(part)}</span>}
        </>
      }
      title={<Link to={paths.part(part.partslug)}>{titleOf(part)}</Link>}
      actions={<BuyerTool name="CardButtons" className={classes.actions} part={part} />}
    >
      <p className={classes.offer}>
        <Price part={part} />
        <Grade part={part} />
        <Featured part={part} />
      </p>
      <p className={classes.where}>{shippingOf(part)}</p>
      {part.partnum && (
        <p className={classes.number}>
          <span className={classes.quiet}>Part #</span> {part.partnum}
        </p>
      )}
      {part.interchange && <p className={classes.where}>{part.interchange}</p>}
      <p className={classes.where}>{whereOf(part)}</p>
      <BuyerTool name="CardFit" part={part} />
    </CardFrame>
  )
}

type CardFrameProps = {
  picture: ReactNode
  title: ReactNode
  heading?: 'h2' | 'h3' | 'h4'
  /** The lines below the title. */
  children: ReactNode
  actions?: ReactNode
}

/** How a part looks in a grid, also one that is not listed yet. */
export function CardFrame({ picture, title, heading: Heading = 'h2', children, actions }: CardFrameProps) {
  return (
    <article className={classes.card}>
      <div className={classes.picture}>{picture}</div>
      <div className={classes.text}>
        <Heading className={classes.title}>{title}</Heading>
        {children}
      </div>
      {actions}
    </article>
  )
}

/** A part as one line of a dense list: twenty fit on a laptop's screen. What it is comes first, since long lines are cut. */
function PartRow({ part, heading: Heading = 'h2' }: PartProps) {
  return (
    <article className={classes.row}>
      <div className={classes.thumb}>
        <Picture part={part} sizes="44px" />
      </div>
      <div className={classes.rowTitle}>
        <Heading className={classes.title}>
          <Link to={paths.part(part.partslug)}>
            {part.partname} <span className={classes.rowCar}>{fitmentOf(part)}</span>
          </Link>
        </Heading>
        <Featured part={part} />
        <BuyerTool name="CardFit" part={part} brief />
      </div>
      <p className={classes.rowNumber}>
        {part.partnum && (
          <>
            <span className="unseen">Part #</span> {part.partnum}
          </>
        )}
      </p>
      <p className={classes.rowGrade}>
        {stateOf(part) ? (
          <span className={classes.pill} data-tone="warning">
            {stateOf(part)}
          </span>
        ) : (
          <Grade part={part} />
        )}
      </p>
      <p className={classes.rowWhere}>{whereOf(part)}</p>
      <p className={classes.rowShipping}>{shippingOf(part)}</p>
      <p className={classes.rowPrice}>
        <Price part={part} />
        {/* Where a line has no room for the shipping. */}
        <span className={classes.rowTotal}>{shippedPrice(part)}</span>
      </p>
      <BuyerTool name="CardButtons" className={classes.rowActions} part={part} />
    </article>
  )
}

type PartGridProps = {
  parts: readonly ListedPart[]
  heading?: 'h2' | 'h3'
  /** The page's main list, whose first picture is requested before anything else. */
  isMain?: boolean
  dense?: boolean
}

/** Parts as cards or, dense, as lines. */
export function PartGrid({ parts, heading = 'h2', isMain = false, dense = false }: PartGridProps) {
  const Part = dense ? PartRow : PartCard
  return (
    <div className={dense ? classes.rows : classes.grid}>
      {parts.map((part, place) => (
        <Part key={part.id} part={part} heading={heading} main={isMain && place === 0} />
      ))}
    </div>
  )
}

/** Why a part cannot be had right now; undefined if it can. */
function stateOf({ status, availability }: ListedPart): string | undefined {
  if (status !== 'ACTIVE') return { HIDDEN: 'Hidden', SOLD: 'Sold' }[status]
  return { now: undefined, sold: undefined, 'in-cart': 'In a cart', pending: 'Sale pending' }[availability]
}

type PictureProps = { part: ListedPart; main?: boolean; sizes?: string }

/** The title beside it says what it shows. */
const Picture = ({ part, ...picture }: PictureProps) => (
  <ListingPicture src={part.imageUrl} alt="" group={part.categoryGroup} {...picture} />
)

const Price = ({ part }: { part: ListedPart }) => (
  <>
    <span className="unseen">Price</span>
    <span className={classes.price}>{formatPrice(part.partprice, part.currency)}</span>
  </>
)

const Grade = ({ part: { partgrade } }: { part: ListedPart }) =>
  partgrade && (
    <span className={classes.pill} title={gradeInWords(partgrade)}>
      {`Grade ${partgrade}`}
    </span>
  )

const Featured = ({ part }: { part: ListedPart }) =>
  part.featured && <span className={classes.featured}>Featured</span>

const whereOf = (part: ListedPart): string => [placeOf(part), part.dealername].filter(Boolean).join(' · ')

/** "Free shipping", "Pickup in Tulsa, 14 mi", "+ $20.00 shipping = $135.00 · 14 mi" */
export function shippingOf(
  part: Parameters<typeof shippingAdded>[0] & Pick<ListedPart, 'partcity' | 'distanceMiles'>,
): string {
  const { shippingKind, partcity, distanceMiles } = part
  const away = distanceMiles === undefined ? '' : `${Math.round(distanceMiles).toLocaleString('en-US')} mi`
  if (shippingKind === 'pickup' && partcity && away) return `Pickup in ${partcity}, ${away}`
  return [shippingAdded(part), away].filter(Boolean).join(' · ')
}
