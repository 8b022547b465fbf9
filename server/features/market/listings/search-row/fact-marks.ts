import type { Listing } from '#contract/listings.ts'
import type { Place, Side } from '#contract/trade-language/places.ts'
import { endOf, sideOf } from '#server/features/finding/vocabulary/built-in.ts'
import { quotedLexeme } from '#server/platform/database/quoted-text.ts'

/*
 * What buyers filter by as marks in a listing's search document, so that the one index of the words answers every filter,
 * and a prepared search stays the same statement. No typed word can contain the `=`. What a part fits: `fitment-marks.ts`. The mark of a picture is written by
 * the database (`picture_mark`), since most pictures come later than their listings.
 */

/** Conditions of a search besides its words; undefined means any. */
export type Facts = {
  year?: number | undefined
  side?: Side | undefined
  grades?: readonly string[] | undefined
  shipping?: readonly Listing['shippingKind'][] | undefined
  hasPicture?: boolean | undefined
}

/** The columns that marks are made of. */
export type MarkedColumns = {
  id: string
  name: string
  grade?: string | null
  shipping_kind?: string | undefined
  car_model_id?: string | null | undefined
  manufacturer_name?: string | undefined
  /** For a listing that is written together with its pictures. */
  has_picture?: boolean | undefined
}

/** A share of all listings, the same ones every time: facets of many matches are counted in it (`facets.ts`). */
export const sampleShares = [8, 64, 512] as const
export type SampleShare = (typeof sampleShares)[number]

const mark = (fact: string) => `=${fact}`
const sampleMark = (share: SampleShare) => mark(`${share}th`)

/** The marks of a listing. */
export function marksOf({
  id,
  name,
  grade,
  shipping_kind,
  car_model_id,
  manufacturer_name,
  has_picture,
}: MarkedColumns): string[] {
  // The end of a UUIDv7 is random.
  const ticket = Number.parseInt(id.slice(-4), 16)
  return [
    grade?.trim().toLowerCase(),
    shipping_kind ?? 'quote',
    ...placesOf(name),
    car_model_id ? undefined : 'unlisted',
    manufacturer_name === '' ? 'universal' : undefined,
    has_picture ? 'picture' : undefined,
    ...sampleShares.map((share) => (ticket % share === 0 ? `${share}th` : undefined)),
  ].flatMap((fact) => (fact ? mark(fact) : []))
}

/** A model year, as opposed to any number in the text. */
export const yearMark = (year: number): string => `@${year}`

/** Of a listing whose model is no lookup. */
export const unlistedMark = mark('unlisted')

/** Of a part of a universal category that names no vehicle. */
export const universalMark = mark('universal')

/** The side and the end in a name, if it has one of each. */
export const placesOf = (name: string): Place[] =>
  [sideOf(name), endOf(name)].filter((place) => place !== undefined)

export const placeMark = (place: Place): string => mark(place)

/** The text of a tsquery that finds listings with these words (`toQuery`) and facts; '' finds everything. */
export function withFacts(words: string, facts: Facts, sample?: SampleShare): string {
  const { year, side, grades, shipping, hasPicture } = facts
  const anyOf = (some: readonly string[] | undefined) => some?.map((one) => mark(one.toLowerCase())) ?? []
  const conditions = [
    year === undefined ? [] : [yearMark(year)],
    side ? [mark(side)] : [],
    anyOf(grades),
    anyOf(shipping),
    hasPicture ? [mark('picture')] : [],
    sample === undefined ? [] : [sampleMark(sample)],
  ].flatMap((marks) => (marks.length > 0 ? `(${marks.map(quotedLexeme).join(' | ')})` : []))
  return [...(words === '' ? [] : [words]), ...conditions].join(' & ')
}
