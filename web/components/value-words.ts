import { formatPrice } from '#web/site/card/listing-words.ts'
import { momentWords } from './time-words.ts'

/* Values of a listing's fields in words. */

type Words = (value: unknown) => string

const dollars: Words = (value) => formatPrice(Number(value), 'USD')

const moment: Words = (value) => momentWords(String(value))

const ofField: Record<string, Words> = {
  partprice: dollars,
  endedAt: moment,
  deletedAt: moment,
  // The history has only a picture's content hash.
  image: () => 'a picture',
  endedReason: (value) => String(value).replaceAll('-', ' '),
}

/** "$129.95", or undefined for an empty value. */
export function valueInWords(field: string, value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  const words = ofField[field]
  if (words) return words(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
