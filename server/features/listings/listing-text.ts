import type { z } from 'zod'
import type { listingBody } from '#contract/listing-body.ts'
import { fieldLabels, type ListingField, type ListingText } from '#contract/listing-rules.ts'

type Sent = z.output<typeof listingBody>
type Loose = string | number | null | { id: string } | { _id: string } | undefined

/** The other names under which a field may come, after its own. */
const otherNames: Partial<Record<ListingField, readonly (keyof Sent)[]>> = {
  partcategoryId: ['partcategory'],
  partmanuId: ['partmanu'],
  partdescription: ['partdesc'],
  dealername: ['partdealer'],
  dealerphone: ['phonea'],
}

// Listed once: a bulk save comes by here a thousand times.
const eachField = (Object.keys(fieldLabels) as ListingField[]).map(
  (field) => [field, [field as keyof Sent, ...(otherNames[field] ?? [])]] as const,
)

/** One text for each field that was sent, under its first name; null and '' both empty it. */
export function readListingText(sent: Sent): ListingText {
  const text: ListingText = {}
  for (const [field, names] of eachField) {
    for (const name of names) {
      const value = plainText(sent[name])
      if (value === undefined) continue
      text[field] = value
      break
    }
  }
  return text
}

function plainText(value: Loose): string | undefined {
  if (value === undefined) return undefined
  if (value === null) return ''
  if (typeof value === 'object') return 'id' in value ? value.id : value._id
  // A number's own text is exact enough: 19.99 is "19.99", and 1e21 is refused as no price. A browser sends a form's
  // line ends as CRLF, JSON as typed; one kind is kept.
  return String(value).trim().replaceAll('\r\n', '\n')
}
