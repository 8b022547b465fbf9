import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { type ImportField, importFields } from '#contract/csv/import-fields.ts'
import type { JsonValue } from '#db/schema.gen.ts'

/*
 * Which part a row is: its key (stock number, or the values that identify it) and the hash of its content. Rows of later
 * files with the same key are the same part.
 */

type Fields = Readonly<Record<string, JsonValue>>

/** Increment when the same row would get a different key or hash than before. */
export const NORMALIZER = 1

/** What identifies a part without a stock number, as first imported. */
const identifying: readonly ImportField[] = ['partnum', 'partyear', 'partmanu', 'partmodel', 'partname']

// The listing's id identifies the part and is not part of its content, and a side is in the name.
const contentFields = importFields.filter((field) => field !== 'listingid' && field !== 'partside')

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
 * The name of a row without the side from a sides column, as earlier imports had it; undefined without such a column.
 */
function nameWithoutSide({ partname, partside }: Fields): string | undefined {
  const end = ` ${plain(partside)}`
  const name = plain(partname)
  return end.length > 1 && name.endsWith(end) ? name.slice(0, -end.length) : undefined
}

function withoutSide(fields: Fields): Fields | undefined {
  const partname = nameWithoutSide(fields)
  return partname === undefined ? undefined : { ...fields, partname }
}

/**
 * The key that a row would have in a less detailed file: without its stock number, or if it has none, without the
 * side that a sides column added to its name. Undefined if it has neither.
 */
export function partKey(fields: Fields): string | undefined {
  const less = normalized(fields.stocknum) === '' ? withoutSide(fields) : fields
  return less && keyOfValues(less)
}

const LISTING_ID = /^[0-9a-f]{32}$/

/** The id of the listing that a row names, in hex, or undefined. */
export function namedListing(fields: Fields): string | undefined {
  const key = normalized(fields.listingid).replaceAll('-', '')
  return LISTING_ID.test(key) ? key : undefined
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

/** The bytes of a row's digest: four each for part number, category and name. */
export const DIGEST_BYTES = 12
const PART = DIGEST_BYTES / 3
/** With four more for the name without the side from a column. */
export const SIDED_DIGEST_BYTES = DIGEST_BYTES + PART
const NO_NUMBER = '00'.repeat(PART)
const NO_WORDS = hash('sha256', '').slice(0, 2 * PART)

/* Each of these is also in SQL, as `LISTING_DIGEST`; a test compares the two. */

const digestOf = (text: string) => hash('sha256', text).slice(0, 2 * PART)
const spaced = (value: JsonValue | undefined) => plain(value).replaceAll(/\s+/g, ' ').trim().toLowerCase()

// A yard has a few hundred of each, in a million rows.
const MAX_REMEMBERED = 5_000
const remembered = new Map<string, string>()

function digestOfWords(text: string): string {
  const known = remembered.get(text)
  if (known !== undefined) return known
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  const digest = digestOf(text)
  remembered.set(text, digest)
  return digest
}

/**
 * What tells parts with one stock number apart: part number (case, spaces, dashes and dots aside), category word and name.
 * Hex; see `DIGEST_BYTES`.
 */
function rowDigest(fields: Fields): string {
  const { partnum, partcategory, partname } = fields
  const unsided = nameWithoutSide(fields)
  const number = plain(partnum)
    .replaceAll(/[\s.-]+/g, '')
    .toUpperCase()
  return (
    (number === '' ? NO_NUMBER : digestOf(number)) +
    digestOfWords(spaced(partcategory)) +
    digestOfWords(spaced(partname)) +
    (unsided === undefined ? '' : digestOfWords(spaced(unsided)))
  )
}

/** `rowDigest` of a row with a stock number; without one, its key contains the same information. */
export const digestUnderNumber = (fields: Fields): string | undefined =>
  normalized(fields.stocknum) === '' ? undefined : rowDigest(fields)

/**
 * Whether a row that cannot be used may be the part under its stock number: they share the part number, the category or
 * the name, or the row has no name. Takes their digests; an unknown one may be any.
 */
export function mayBeSamePart(row: RawBuilder<unknown>, part: RawBuilder<unknown>): RawBuilder<boolean> {
  const share = (from: number, unlessIts: string) =>
    sql`(substr(${row}, ${from}, 4) = substr(${part}, ${from}, 4) and substr(${row}, ${from}, 4) <> decode(${unlessIts}, 'hex'))`
  return sql<boolean>`(${row} is null or ${part} is null or substr(${row}, 9, 4) = decode(${NO_WORDS}, 'hex')
    or ${share(1, NO_NUMBER)} or ${share(5, NO_WORDS)} or substr(${part}, 9, 4) in (substr(${row}, 9, 4), substr(${row}, 13, 4)))`
}

/** `rowDigest` of a listing l with its category c, for listings that came from no row. */
export const LISTING_DIGEST = sql`(
  case when l.part_number ~ '[^[:space:].-]'
    then substr(sha256(convert_to(upper(regexp_replace(l.part_number, '[[:space:].-]+', '', 'g') collate pg_c_utf8), 'UTF8')), 1, 4)
    else '\\x00000000'::bytea end
  || substr(sha256(convert_to(lower(btrim(regexp_replace(coalesce(c.name, ''), '[[:space:]]+', ' ', 'g')) collate pg_c_utf8), 'UTF8')), 1, 4)
  || substr(sha256(convert_to(lower(btrim(regexp_replace(l.name, '[[:space:]]+', ' ', 'g')) collate pg_c_utf8), 'UTF8')), 1, 4))`

/** `sourceKey` of a listing l as exported, without its stock number; a test compares the two. */
export const LISTING_KEY = sql`substr(sha256(convert_to(concat_ws(E'\\n', 'part',
  lower(coalesce(l.part_number, '') collate pg_c_utf8), concat_ws('-', l.year_from, nullif(l.year_to, l.year_from)),
  lower(l.manufacturer_name collate pg_c_utf8), lower(l.model_name collate pg_c_utf8), lower(l.name collate pg_c_utf8)
), 'UTF8')), 1, 16)`

/** A row's key and content, as keys and hashes in hex. */
export type RowIdentity = {
  readonly key: string
  readonly hash: string
  /** `rowDigest`; undefined without a stock number, since the key then includes it. */
  readonly digest: string | undefined
  /** The same with less of it (see `partKey`). */
  readonly part: { readonly key: string; readonly hash: string } | undefined
}

/** For a row that names no listing. Its keys come from `first`, its values as first imported. */
export function identityOf(fields: Fields, first: Fields = fields): RowIdentity {
  const { all, besidesNumber } = hashInputs(fields)
  const part = partKey(first)
  const hasNumber = normalized(first.stocknum) !== ''
  const less = hasNumber ? besidesNumber : hashInputs(withoutSide(fields) ?? fields).all
  return {
    key: sourceKey(first),
    hash: hashOf(all),
    digest: digestUnderNumber(first),
    part: part === undefined ? undefined : { key: part, hash: hashOf(less) },
  }
}

/** Spaces, dashes, other marks and characters that show nothing. */
const MARKS =
  ' \t\u00a0\u2009\u202f\u3000\u00ad\u200b\u200c\u200d\u2060\ufeff-\u2010\u2011\u2012\u2013\u2014_./#'

/** A stock number without marks and the zeros that spreadsheets drop in front of it. */
export const plainNumber = (text: RawBuilder<unknown>) => sql`
  ltrim(translate(lower(case when octet_length(${text}) = char_length(${text}) then ${text}
    else normalize(${text}, NFKC) end), ${MARKS}, ''), '0')`
