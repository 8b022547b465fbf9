import { momentWords } from '#web/components/time-words.ts'

/** Values of a listing's history as people read them; what is said of a field depends on the field. */
type Words = (value: unknown) => string

const dollars: Words = (value) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(Number(value))

const moment: Words = (value) => momentWords(String(value))

const ofField: Record<string, Words> = {
  partprice: dollars,
  endedAt: moment,
  deletedAt: moment,
  // The history knows a picture by its content only.
  image: () => 'a picture',
  endedReason: (value) => String(value).replaceAll('-', ' '),
}

/** "$129.95"; undefined where there was nothing. */
export function valueInWords(field: string, value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  const words = ofField[field]
  if (words) return words(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** "edit listing" begins a line as "Edit listing". */
export const asBeginning = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
