import type { ReplyName, TextField } from '#contract/listing/listing-fields.ts'
import type { Listing } from '#contract/listings.ts'
import { gradeInWords, yearsOf } from '#web/site/card/listing-words.ts'
import classes from './part.module.css'

const count = (value: number) => value.toLocaleString('en-US')

/** Text fields that the listing's table marks as facts, by their name in replies; the table itself is too large for buyers. */
export const otherFacts: Partial<Record<ReplyName<TextField>, string>> = {
  bodystyle: 'Body style',
  stocknum: 'Stock number',
  vin: 'VIN',
}

/** The known facts about the part; unknown ones get no row. */
function factsOf(listing: Listing): [name: string, value: string][] {
  const facts: [string, string | null | undefined][] = [
    ['Category', listing.partcategory?.name],
    ['Part number', listing.partnum],
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
    ...Object.entries(otherFacts).map(([field, label]): [string, string | null | undefined] => [
      label,
      listing[field as keyof typeof otherFacts],
    ]),
  ]
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]))
}

export function PartFacts({ listing }: { listing: Listing }) {
  return (
    <table className={classes.facts}>
      <tbody>
        {factsOf(listing).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
