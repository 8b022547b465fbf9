import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ReplyName, TextField } from '#contract/listing/listing-fields.ts'
import type { Listing } from '#contract/listings.ts'
import type { AroundPart } from '#contract/pages/part-page.ts'
import { paths } from '#web/paths.ts'
import { gradeInWords, yearsOf } from '#web/site/card/listing-words.ts'
import classes from './part.module.css'

const count = (value: number) => value.toLocaleString('en-US')

/** Text fields marked as facts in the listing's field table, which is too large to send to buyers; by name in replies. */
export const otherFacts: Partial<Record<ReplyName<TextField>, string>> = {
  bodystyle: 'Body style',
  stocknum: 'Stock number',
  vin: 'VIN',
}

/** The known facts about the part; unknown ones get no row. */
function factsOf(listing: Listing, numbers: Numbers): [name: string, value: ReactNode][] {
  const facts: [string, ReactNode][] = [
    ['Category', listing.partcategory?.name],
    ['Part number', listing.partnum],
    ['Also known as', searched(numbers?.same)],
    ['Replaces', searched(numbers?.replaces)],
    ['Replaced by', searched(numbers?.replacedBy)],
    ['Also, says its seller', numbers?.sellerSays.join(', ')],
    ['Grade', listing.partgrade && gradeInWords(listing.partgrade).replace(/^Grade /, '')],
    [listing.partyearto ? 'Years' : 'Year', yearsOf(listing)],
    ['Manufacturer', listing.partmanuname],
    ['Model', listing.partmodel],
    ['Trim', listing.parttrim],
    ['Miles', listing.partmiles === null ? null : count(listing.partmiles)],
    ['Damage', listing.partdamage],
    ['Damage code', listing.damageInWords && `${listing.damagecode}: ${listing.damageInWords}`],
    ['Why this grade', listing.gradereason],
    ['Quantity', count(listing.partquantity)],
    ...Object.entries(otherFacts).map(([field, label]): [string, ReactNode] => [
      label,
      listing[field as keyof typeof otherFacts],
    ]),
  ]
  return facts.filter(([, value]) => Boolean(value))
}

type Numbers = AroundPart['numbers'] | undefined

/** Each number as a search for it. */
const searched = (numbers: readonly string[] | undefined): ReactNode =>
  numbers?.[0] &&
  numbers.map((number, at) => (
    <span key={number}>
      {at > 0 && ', '}
      <Link to={`${paths.parts}?${new URLSearchParams({ q: number })}`}>{number}</Link>
    </span>
  ))

export function PartFacts({ listing, numbers }: { listing: Listing; numbers?: Numbers }) {
  return (
    <table className={classes.facts}>
      <tbody>
        {factsOf(listing, numbers).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
