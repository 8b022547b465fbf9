import { Table } from '@mantine/core'
import { replyNameOf, specOf, textFields } from '#contract/listing-fields.ts'
import { fieldLabels } from '#contract/listing-rules.ts'
import type { Listing } from '#contract/listings.ts'
import { listingYearsInWords } from '#contract/year-span.ts'
import { gradeInWords } from '#web/components/listing-card/listing-words.ts'

const count = (value: number) => value.toLocaleString('en-US')

const otherFacts = textFields.filter((field) => specOf(field).fact)

/** What is known of the part, by the words of the trade; what is unknown has no row. */
function factsOf(listing: Listing): [name: string, value: string][] {
  const facts: [string, string | null][] = [
    ['Category', listing.partcategory?.name ?? null],
    ['Part number', listing.partnum],
    ['Grade', listing.partgrade && gradeInWords(listing.partgrade).replace(/^Grade /, '')],
    [listing.partyearto ? 'Years' : 'Year', listingYearsInWords(listing)],
    ['Manufacturer', listing.partmanuname],
    ['Model', listing.partmodel],
    ['Trim', listing.parttrim],
    ['Miles', listing.partmiles === null ? null : count(listing.partmiles)],
    ['Damage', listing.partdamage],
    ['Quantity', count(listing.partquantity)],
    ...otherFacts.map((field): [string, string | null] => [fieldLabels[field], listing[replyNameOf(field)]]),
  ]
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]))
}

export function PartFacts({ listing }: { listing: Listing }) {
  return (
    <Table variant="vertical" layout="fixed" withTableBorder bg="var(--card)">
      <Table.Tbody>
        {factsOf(listing).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w="40%">
              {name}
            </Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
