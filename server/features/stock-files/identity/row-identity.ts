import { hash } from 'node:crypto'
import { type ImportField, importFields } from '#contract/csv/import-fields.ts'
import type { JsonValue } from '#db/schema.gen.ts'

/*
 * Which part a row is: its key (stock number, or the values that identify it) and the hash of its content. Rows of later
 * files with the same key are the same part.
 */

type Fields = Readonly<Record<string, JsonValue>>

/** Increment when the same row would get a different key or hash than before. */
export const NORMALISER = 1

/** What identifies a part without a stock number, as first imported. */
const identifying: readonly ImportField[] = ['partnum', 'partyear', 'partmanu', 'partmodel', 'partname']

// The listing's id identifies the part and is not part of its content.
const contentFields = importFields.filter((field) => field !== 'listingid')

const plain = (value: JsonValue | undefined) => (value === undefined || value === null ? '' : String(value))
// Differences in case and surrounding spaces are typing, not another part.
const normalized = (value: JsonValue | undefined) => plain(value).trim().toLowerCase()

const hashOf = (text: string): string => hash('sha256', text).slice(0, 32)

/**
 * Which of its seller's parts a row is: by its stock number, or else by number, year, make, model and name. Hex of 16
 * bytes. Computed once, from the values as first imported, so that renaming a make does not duplicate a yard's stock.
 */
export function sourceKey(fields: Fields): string {
  const stock = normalized(fields.stocknum)
  return stock ? hashOf(`stock\n${stock}`) : keyOfValues(fields)
}

const keyOfValues = (fields: Fields) =>
  hashOf(`part\n${identifying.map((field) => normalized(fields[field])).join('\n')}`)

/**
 * The key a row would have without its stock number, stored for files that come without one; undefined if it has no stock
 * number, since `sourceKey` is that key then.
 */
export const partKey = (fields: Fields): string | undefined =>
  normalized(fields.stocknum) === '' ? undefined : keyOfValues(fields)

const LISTING_KEY = /^[0-9a-f]{32}$/

/** The id of the listing that a row names, in hex, or undefined. */
export function namedListing(fields: Fields): string | undefined {
  const key = normalized(fields.listingid).replaceAll('-', '')
  return LISTING_KEY.test(key) ? key : undefined
}

/** `sourceKey`, or the listing's id if the row names one; the two never collide. */
export const rowKey = (fields: Fields): string => namedListing(fields) ?? sourceKey(fields)

/**
 * A hash of a row's content in all target fields, surrounding spaces aside. Hex of 16 bytes. An empty field counts as
 * absent, so that a new field changes no hashes.
 */
export const contentHash = (fields: Fields): string => hashOf(hashInputs(fields).all)

/** The hashed text of a row, with and without its stock number. */
function hashInputs(fields: Fields): { all: string; besidesNumber: string } {
  let all = ''
  let besidesNumber = ''
  for (const field of contentFields) {
    const value = plain(fields[field]).trim()
    if (value === '') continue
    const entry = `${field}\0${value}\0`
    all += entry
    if (field !== 'stocknum') besidesNumber += entry
  }
  return { all, besidesNumber }
}

/** A row's key and content, as keys and hashes in hex. */
export type RowIdentity = {
  readonly key: string
  readonly hash: string
  /** The same without its stock number; undefined if it has none. */
  readonly part: { readonly key: string; readonly hash: string } | undefined
}

/** For a row that names no listing. Its keys come from the values `first` imported. */
export function identityOf(fields: Fields, first: Fields = fields): RowIdentity {
  const { all, besidesNumber } = hashInputs(fields)
  const part = partKey(first)
  return {
    key: sourceKey(first),
    hash: hashOf(all),
    part: part === undefined ? undefined : { key: part, hash: hashOf(besidesNumber) },
  }
}
