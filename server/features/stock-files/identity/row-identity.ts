import { hash } from 'node:crypto'
import { type ImportField, importFields } from '#contract/csv/import-fields.ts'
import type { JsonValue } from '#db/schema.gen.ts'

type Fields = Readonly<Record<string, JsonValue>>

/** Grows when the same row would get another key or another hash than before. */
export const NORMALISER = 1

/** What identifies a part that has no stock number, as first sent. */
const identifying: readonly ImportField[] = ['partnum', 'partyear', 'partmanu', 'partmodel', 'partname']

// The listing's id says which part a row is, and nothing of it.
const saying = importFields.filter((field) => field !== 'listingid')

const plain = (value: JsonValue | undefined) => (value === undefined || value === null ? '' : String(value))
// Case and spaces at the ends are typing, not another part.
const alike = (value: JsonValue | undefined) => plain(value).trim().toLowerCase()

const hashOf = (text: string): string => hash('sha256', text).slice(0, 32)

/**
 * Which part of its seller a row is: its stock number where it has one, else number, year, make, model and name. Hex of
 * 16 bytes. Computed from the values as first sent and never again, so that renaming a make does not double a yard.
 */
export function sourceKey(fields: Fields): string {
  const stock = alike(fields.stocknum)
  return stock ? hashOf(`stock\n${stock}`) : keyOfValues(fields)
}

const keyOfValues = (fields: Fields) =>
  hashOf(`part\n${identifying.map((field) => alike(fields[field])).join('\n')}`)

/**
 * The key that a row would have without its stock number; undefined where it has none, since that is its key then. It is
 * kept beside the key of the number, for files that come without one.
 */
export const partKey = (fields: Fields): string | undefined =>
  alike(fields.stocknum) === '' ? undefined : keyOfValues(fields)

const LISTING_KEY = /^[0-9a-f]{32}$/

/** The listing that a row names by its id, in hex; undefined where it names none. */
export function namedListing(fields: Fields): string | undefined {
  const key = alike(fields.listingid).replaceAll('-', '')
  return LISTING_KEY.test(key) ? key : undefined
}

/** As `sourceKey`; of a row that names its listing it is that one's id, which no key of values equals. */
export const rowKey = (fields: Fields): string => namedListing(fields) ?? sourceKey(fields)

/**
 * What a row says in all target fields, however it is typed at the ends: equal hashes, equal parts. Hex of 16 bytes. An
 * empty field counts like an absent one, so that a field that is added to the list changes no hash.
 */
export const contentHash = (fields: Fields): string => hashOf(textsOf(fields).all)

/** What is hashed of a row, and the same besides its stock number. */
function textsOf(fields: Fields): { all: string; besidesNumber: string } {
  let all = ''
  let besidesNumber = ''
  for (const field of saying) {
    const value = plain(fields[field]).trim()
    if (value === '') continue
    const said = `${field}\0${value}\0`
    all += said
    if (field !== 'stocknum') besidesNumber += said
  }
  return { all, besidesNumber }
}

/** Which part a row is and what it says, by keys and hashes in hex. */
export type RowIdentity = {
  readonly key: string
  readonly hash: string
  /** What it is without its stock number; undefined where it has none. */
  readonly part: { readonly key: string; readonly hash: string } | undefined
}

/** Of a row that names no listing; which part it is, is what it was when it was `first` sent. */
export function identityOf(fields: Fields, first: Fields = fields): RowIdentity {
  const { all, besidesNumber } = textsOf(fields)
  const part = partKey(first)
  return {
    key: sourceKey(first),
    hash: hashOf(all),
    part: part === undefined ? undefined : { key: part, hash: hashOf(besidesNumber) },
  }
}
