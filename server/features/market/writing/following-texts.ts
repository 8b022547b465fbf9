import { yearSpanText } from '#contract/listing/year-span.ts'
import { type RecordFields, textsFollowing } from './part-text.ts'

const writtenColumns = [
  'name',
  'year_from',
  'year_to',
  'manufacturer_name',
  'model_name',
  'trim_name',
  'part_number',
  'miles',
  'damage',
  'grade',
  'price_cents',
] as const satisfies readonly (keyof Described)[]

/** Columns of a listing. */
export type Described = {
  readonly name: string
  readonly year_from?: number | null | undefined
  readonly year_to?: number | null | undefined
  readonly manufacturer_name: string
  readonly model_name: string
  readonly trim_name?: string | null | undefined
  readonly part_number?: string | null | undefined
  readonly miles?: number | null | undefined
  readonly damage?: string | null | undefined
  readonly grade?: string | null | undefined
  readonly price_cents: number
  readonly heading?: string | null | undefined
  readonly description?: string | undefined
}

/** A listing's facts and texts under their API names. */
export const writtenFields = (listing: Described): RecordFields => ({
  partname: listing.name,
  partyear: yearSpanText({ from: listing.year_from ?? null, to: listing.year_to ?? null }),
  partmanuname: listing.manufacturer_name,
  partmodel: listing.model_name,
  parttrim: listing.trim_name,
  partnum: listing.part_number,
  partmiles: listing.miles,
  partdamage: listing.damage,
  partgrade: listing.grade,
  partprice: listing.price_cents,
  h1: listing.heading,
  partdescription: listing.description,
})

/**
 * The heading and description of a listing whose facts these columns change but not the texts (`textsFollowing`). `prose`: what
 * models wrote of its description (`findScriptProse`).
 */
export function followingTexts(
  before: Described,
  columns: Partial<Described>,
  following: { isRename?: boolean; prose?: ReadonlySet<string> | undefined } = {},
): { heading?: string | null; description?: string } {
  const changes = writtenColumns.some(
    (column) => columns[column] !== undefined && columns[column] !== before[column],
  )
  if (!changes) return {}
  const after = { ...before, ...definedOf(columns) }
  const { h1, partdescription } = textsFollowing(writtenFields(before), writtenFields(after), following)
  return {
    ...(h1 !== undefined && { heading: h1 || null }),
    ...(partdescription !== undefined && { description: partdescription }),
  }
}

const definedOf = (columns: Partial<Described>) =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Partial<Described>
