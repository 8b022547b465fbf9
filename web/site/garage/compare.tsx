import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { MAX_COMPARED } from '#contract/pages/garage-limits.ts'
import type { KeptCard } from '#contract/search/parts-search.ts'
import { clearCompared, type KeptPart, toggleCompared, useGarage } from '#web/api/garage/garage.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/site/button.tsx'
import { ListingPicture } from '#web/site/card/listing-picture.tsx'
import {
  fitmentOf,
  formatPrice,
  gradeInWords,
  placeOf,
  shippingInWords,
  titleOf,
} from '#web/site/card/listing-words.ts'
import { TextField } from '#web/site/form/field.tsx'
import { keepZip, readZip } from '#web/site/visitor-zip.ts'
import { CardFit } from './card-fit.tsx'
import classes from './garage.module.css'
import { focusContent, useCards } from './kept-parts.tsx'

/* Comparing parts: a tray at the bottom of buyers' pages while some are chosen, and a sheet with the table. */

/** The pages where people look for parts. */
const hasTray = (pathname: string) => /^\/($|parts|sellers|garage)/.test(pathname)

export function CompareTray() {
  const { compared } = useGarage()
  const sheet = useRef<HTMLDialogElement>(null)
  const [opened, setOpened] = useState(false)
  const { pathname, key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new page closes the sheet
  useEffect(() => sheet.current?.close(), [key])
  const count = compared.length
  const isShown = count > 0 && hasTray(pathname)
  const open = () => {
    sheet.current?.showModal()
    setOpened(true)
  }
  return (
    <>
      {isShown && (
        <section aria-label="Compare" className={classes.tray}>
          <p role="status">
            {`${count} of ${MAX_COMPARED} parts`}
            {count === 1 && <span className={classes.hint}>. Choose another one to compare.</span>}
          </p>
          <Button
            size="small"
            look="quiet"
            onClick={() => {
              clearCompared()
              focusContent()
            }}
          >
            Clear
          </Button>
          <Button size="small" look="filled" disabled={count < 2} onClick={open}>
            Compare parts
          </Button>
        </section>
      )}
      <dialog
        ref={sheet}
        aria-labelledby="compare-title"
        className={classes.sheet}
        onClose={() => setOpened(false)}
        // A click outside closes it, in browsers that support this.
        {...{ closedby: 'any' }}
      >
        {opened && <CompareSheet parts={compared} sheet={sheet} />}
      </dialog>
    </>
  )
}

type CompareSheetProps = { parts: readonly KeptPart[]; sheet: RefObject<HTMLDialogElement | null> }

function CompareSheet({ parts, sheet }: CompareSheetProps) {
  const { search } = useLocation()
  const { vehicles } = useGarage()
  const heading = useRef<HTMLHeadingElement>(null)
  const [zip, setZip] = useState(() => readZip() ?? new URLSearchParams(search).get('zip') ?? '')
  const { cards, measuredFrom, problem, retry } = useCards(
    parts.map(({ id }) => id),
    zip,
  )
  useEffect(() => {
    if (measuredFrom !== '') keepZip(measuredFrom)
  }, [measuredFrom])
  const table = [...(vehicles.length > 0 ? [fitRow] : []), ...rows, distanceRow(measuredFrom !== '')]
  return (
    <div className={classes.sheetInner}>
      <div className={classes.sheetHead}>
        <h2 id="compare-title" ref={heading} tabIndex={-1}>
          Compare parts
        </h2>
        <Button onClick={() => sheet.current?.close()}>Close</Button>
      </div>
      {problem && !problem.isOfZip && (
        <p role="alert">
          {problem.sentence}{' '}
          <Button size="small" onClick={retry}>
            Try again
          </Button>
        </p>
      )}
      {parts.length === 0 ? (
        <p>No parts to compare. Choose Compare on a part.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it with the arrow keys
        <section aria-label="Parts side by side" tabIndex={0} className={classes.scroller}>
          <table className={classes.table}>
            <thead>
              <tr>
                <td />
                {parts.map((part) => (
                  <Column
                    key={part.id}
                    part={part}
                    card={cards.get(part.id)}
                    onRemove={() => {
                      toggleCompared(part)
                      heading.current?.focus()
                    }}
                  />
                ))}
              </tr>
            </thead>
            <tbody>
              {table.map((row) => (
                <Row key={row.label} row={row} cards={parts.map(({ id }) => cards.get(id))} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <Distance zip={zip} problem={problem?.isOfZip ? problem.sentence : undefined} onChange={setZip} />
    </div>
  )
}

type Card = KeptCard | null | undefined

/** The head of a part's column. `card` is undefined while it loads, and null if the part is no longer public. */
function Column({ part, card, onRemove }: { part: KeptPart; card: Card; onRemove: () => void }) {
  const title = card ? titleOf(card) : part.title
  return (
    <th scope="col">
      {card && (
        <div className={classes.columnPicture}>
          <ListingPicture src={card.imageUrl} alt="" group={card.categoryGroup} fit="contain" sizes="200px" />
        </div>
      )}
      {card ? <Link to={paths.part(card.partslug)}>{title}</Link> : title}
      {card === null && <p className={classes.gone}>No longer for sale</p>}
      {card?.status === 'SOLD' && <p className={classes.gone}>Sold</p>}
      <Button size="small" look="quiet" aria-label={`Remove ${title}`} onClick={onRemove}>
        Remove
      </Button>
    </th>
  )
}

type TableRow = {
  label: string
  /** What is compared. The row is left out if no part has it, and marked if all parts have the same. */
  of?: (card: KeptCard) => string | null | undefined
  /** Default: `of` as it is. */
  show?: (card: KeptCard) => ReactNode
  /** The number whose lowest value is best, and the word for that. */
  least?: [of: (card: KeptCard) => number | null | undefined, word: string]
}

/** Without a ZIP code no seller could give it. */
const distanceRow = (hasZip: boolean): TableRow => ({
  label: 'Distance',
  show({ distanceMiles }) {
    if (!hasZip) return <span className="second">Enter your ZIP code</span>
    return distanceMiles === undefined
      ? unknown
      : `${Math.round(distanceMiles).toLocaleString('en-US')} miles`
  },
  least: [({ distanceMiles }) => distanceMiles, 'Nearest'],
})

const unknown = <span className="second">Not given</span>

const fitRow: TableRow = { label: 'Fits your car', show: (card) => <CardFit part={card} always /> }

const rows: readonly TableRow[] = [
  {
    label: 'Price',
    of: (card) => formatPrice(card.partprice, card.currency),
    show: (card) => <strong>{formatPrice(card.partprice, card.currency)}</strong>,
  },
  { label: 'Shipping', of: shippingInWords },
  {
    label: 'With shipping',
    of: ({ total, currency }) => (total === null ? undefined : formatPrice(total, currency)),
    least: [({ total }) => total, 'Lowest'],
  },
  { label: 'From a', of: fitmentOf },
  { label: 'Trim', of: ({ parttrim }) => parttrim },
  { label: 'Body style', of: ({ bodystyle }) => bodystyle },
  {
    label: 'Position',
    of: ({ position }) => position && position.charAt(0).toUpperCase() + position.slice(1),
  },
  {
    label: 'Miles',
    of: ({ partmiles }) => partmiles?.toLocaleString('en-US'),
    least: [({ partmiles }) => partmiles, 'Fewest'],
  },
  { label: 'Grade', of: ({ partgrade }) => partgrade && gradeInWords(partgrade) },
  { label: 'Damage', of: ({ partdamage }) => partdamage },
  { label: 'Terms', of: ({ termsInWords }) => termsInWords.join('. ') },
  { label: 'Part #', of: ({ partnum }) => partnum },
  {
    label: 'Seller',
    of: ({ sellerSlug }) => sellerSlug,
    show: (card) => (
      <>
        <Link to={paths.seller(card.sellerSlug)}>{card.dealername || 'Seller'}</Link>
        <br />
        {placeOf(card)}
      </>
    ),
  },
]

function Row({ row: { label, of, show, least }, cards }: { row: TableRow; cards: readonly Card[] }) {
  const known = cards.filter((card) => !!card)
  const values = of && known.map((card) => of(card) || undefined)
  if (values && known.length > 0 && values.every((value) => value === undefined)) return null
  const isSame = values !== undefined && known.length > 1 && new Set(values).size === 1
  const numbers = least ? known.flatMap((card) => least[0](card) ?? []) : []
  // Equal values get no mark.
  const best = new Set(numbers).size > 1 ? Math.min(...numbers) : undefined
  return (
    <tr className={isSame ? classes.same : undefined}>
      <th scope="row">
        {label} {isSame && <span className={classes.sameMark}>All the same</span>}
      </th>
      {cards.map((card, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column's
        <td key={at}>
          {card && (show ? show(card) : of?.(card) || unknown)}
          {card && least && best !== undefined && least[0](card) === best && (
            <span className={classes.best}>{least[1]}</span>
          )}
        </td>
      ))}
    </tr>
  )
}

type DistanceProps = { zip: string; problem: string | undefined; onChange: (zip: string) => void }

/** The ZIP code from which distances are measured. */
function Distance({ zip, problem, onChange }: DistanceProps) {
  const id = useId()
  return (
    <form
      className={classes.distance}
      onSubmit={(event) => {
        event.preventDefault()
        onChange(String(new FormData(event.currentTarget).get('zip')).trim())
      }}
    >
      <TextField
        label="Distance from ZIP code"
        name="zip"
        inputMode="numeric"
        autoComplete="postal-code"
        pattern="\d{5}"
        maxLength={5}
        title="A ZIP code has 5 digits"
        defaultValue={zip}
        error={problem === undefined ? undefined : true}
        aria-describedby={id}
      />
      <Button type="submit" className={classes.showDistance}>
        Show distance
      </Button>
      <p id={id} role="alert" className={classes.zipProblem}>
        {problem}
      </p>
    </form>
  )
}
