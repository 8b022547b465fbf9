import { textOfHtml } from '#contract/yard-file/html-text.ts'

/*
 * The rules for descriptions from both forms, the API, the grid, CSV files and staged files. The seller's words are
 * kept exactly. HTML becomes the plain text it displays. Links and phone numbers are kept as plain text; the form
 * points them out, since buyers see them.
 */

export const descriptionFindings = ['html', 'link', 'phone', 'damage'] as const
export type DescriptionFinding = (typeof descriptionFindings)[number]

/** The stored form of a description. */
export const plainDescription = (typed: string): string => textOfHtml(typed)

const LINK = /[a-z]:\/\/\S|\bwww\.[a-z0-9-]+\.\S|[a-z0-9]\.(?:com|net|org)\b/i
/** The North American format; part numbers are grouped differently. */
const PHONE = /(?<![\w.-])(?:\+?1[-. ]?)?(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\w-])/

/** A quick check that rules out nearly every description in a tenth of the time. */
const PHONE_END = /\d{3}[-. ]\d{4}/

/** Finds what the seller should know about a typed description. */
export function findInDescription(typed: string): DescriptionFinding[] {
  const words = plainDescription(typed)
  const found: DescriptionFinding[] = []
  if (words !== typed) found.push('html')
  if (words.includes('.') && LINK.test(words)) found.push('link')
  if (PHONE_END.test(words) && PHONE.test(words)) found.push('phone')
  return found
}

/** Notes next to the field in a form. */
export const findingNotes: Record<DescriptionFinding, string> = {
  html: 'HTML tags are removed when you save. The words stay.',
  link: 'Links stay as plain text; buyers can’t click them.',
  phone: 'Everyone can see this phone number, even if your phone is hidden.',
  damage: 'The damage code 000 says there is no damage, but the description mentions some.',
}

const MAX_NUMBERS = 5

type FoundRows = { rows: number; first: readonly number[] }

/** A message about rows of a file, with the first row numbers. */
export const findingSentence = (finding: DescriptionFinding, found: FoundRows): string =>
  `${rowsWith(found)} ${inWords[finding]}`

/** "Row 7 has", "Rows 3 and 7 have". */
export function rowsWith({ rows, first }: FoundRows): string {
  const some = first.slice(0, MAX_NUMBERS).map((row) => row.toLocaleString('en-US'))
  const last = some.at(-1)
  if (rows > some.length) return `${rows.toLocaleString('en-US')} rows (${some.join(', ')}, …) have`
  return rows === 1 ? `Row ${last} has` : `Rows ${some.slice(0, -1).join(', ')} and ${last} have`
}

const inWords: Record<DescriptionFinding, string> = {
  html: 'HTML in the description. The tags are removed; the words stay.',
  link: 'a link in the description. It stays as plain text that buyers can’t click.',
  phone:
    'a phone number in the description. It stays, and everyone can see it, even if your phone is hidden.',
  damage: 'damage in the description, but 000 as damage code. Correct one of them; buyers see both.',
}
