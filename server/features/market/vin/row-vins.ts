import type { ImportField, vinFields } from '#contract/csv/import-fields.ts'
import { readYearSpan } from '#contract/listing/year-span.ts'
import { nameKey } from '#contract/trade-language/names.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { plainVin, VIN_LENGTH } from '#contract/vehicle/vin-rules.ts'
import type { ReadVin, VinFields } from './vehicles.ts'

/* Compares the VINs in a file's rows with their other cells. */

type RowFields = Partial<Record<ImportField, string>>

/** What a row's VIN shows: another year or make than its cells, or a typo in the VIN. */
export const vinFindings = ['vin year', 'vin make', 'vin typo'] as const
export type VinFinding = (typeof vinFindings)[number]

/** The columns of the VIN and of the id that makes a row an edit of one listing, whose empty cells mean no change. */
export type RowVins = { readonly at: number; readonly idAt: number; readonly read: ReadVin }

export function rowVins(
  columns: ReadonlyMap<ImportField, number>,
  read: ReadVin | undefined,
): RowVins | undefined {
  const at = columns.get('vin')
  return read && at !== undefined ? { at, idAt: columns.get('listingid') ?? -1, read } : undefined
}

/** Characters that a typist drops or doubles; cars before 1981 have at most 13. */
const MISCOUNTED = 2

/** The car of a row's VIN; undefined for a row that names a listing, whose empty cells mean no change. */
export function carOfRow({ at, idAt, read }: RowVins, cellAt: (at: number) => string): VinFields | undefined {
  const vin = plainVin(cellAt(at))
  const isNearly = Math.abs(vin.length - VIN_LENGTH) <= MISCOUNTED && /\d{3}/.test(vin)
  return !isNearly || cellAt(idAt) !== '' ? undefined : read(vin)
}

/** The text, or the VIN's value if it is empty. */
export const textOrCar = (car: VinFields | undefined, field: ImportField, text: string): string =>
  text || (car?.[field as (typeof vinFields)[number]] ?? '')

/** A year outside of the row's, or another make. Models have too many names to compare. */
export function compareVin(
  fields: RowFields,
  car: VinFields | undefined,
  vocabulary: Vocabulary | undefined,
): VinFinding[] {
  if (!car) return []
  if (car.isMistyped) return ['vin typo']
  const found: VinFinding[] = []
  const span = readYearSpan(fields.partyear ?? '')
  const year = Number(car.partyear ?? Number.NaN)
  if (span && (year < span.from || year > span.to)) found.push('vin year')
  const makeKey = (make = '') => nameKey(vocabulary?.makes.find(nameKey(make))?.name ?? make)
  if (car.partmanu !== undefined && makeKey(fields.partmanu) !== makeKey(car.partmanu)) found.push('vin make')
  return found
}
