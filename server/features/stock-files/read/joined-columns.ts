import { pricesInOrder } from '#contract/column-questions/money-columns.ts'
import { findColumn } from '#contract/csv/csv-header.ts'
import { headerName, matchHeader } from '#contract/csv/field-headers.ts'
import { inFull } from '#contract/csv/header-legend.ts'
import {
  furtherPictureColumns,
  type ImportField,
  type ImportMapping,
  splitsOf,
} from '#contract/csv/import-fields.ts'
import { withFurtherPictures } from '#contract/csv/picture-addresses.ts'
import { foldText } from '#contract/trade-language/names.ts'
import { withDriverOnRight } from '#contract/trade-language/places.ts'
import { readPricedUnit, settleUnit } from '#contract/trade-language/set-prices.ts'
import { isOfBuildDates, yearOfDate } from '#contract/trade-language/years.ts'
import { unitOfName } from '#contract/vehicle/mile-units.ts'
import { sideOf, withPosition } from '#server/features/finding/vocabulary/built-in.ts'
import { type FoundIssue, issueOf, type ReadValue, shownValue } from './field-text.ts'
import { plainCell } from './row-shape.ts'

/* Fields that a file has in more than one column: first and last years, miles and kilometers, a sale price, further pictures, the side; and a price that says what it is for. */

/** A row's value for a field, from the field's own cell and the other columns' cells. */
export type JoinCells = (own: string, cells: readonly string[]) => string

type FileColumns = {
  readonly header: readonly string[]
  readonly mapping: ImportMapping
  readonly mapped: ReadonlySet<number>
  /** The field's own column; -1 if it has none. */
  readonly at: number
}

/** How a field's cells are joined; undefined for a field that is in one column. */
export function joinedCells(field: ImportField, file: FileColumns): JoinCells | undefined {
  if (field === 'partprice') return salePrice(file)
  if (field === 'imageUrl') return furtherPictures(file)
  if (field === 'partyear') return yearOfBuild(file) ?? lastYear(file)
  return field === 'partmiles' ? otherDistance(file) : undefined
}

function salePrice({ header, at }: FileColumns): JoinCells | undefined {
  const columns = pricesInOrder(header, at)
  return (
    columns &&
    ((own, cells) => {
      const filled = columns.map((column) => (cells[column] ?? '').trim()).filter((cell) => cell !== '')
      return plainCell(filled.find((cell) => /[1-9]/.test(cell)) ?? filled[0] ?? own)
    })
  )
}

function furtherPictures({ header, mapping }: FileColumns): JoinCells | undefined {
  const further = furtherPictureColumns(header, mapping).map((name) => header.indexOf(name))
  if (further.length === 0) return undefined
  return (own, cells) =>
    withFurtherPictures(
      own,
      further.map((column) => cells[column] ?? ''),
    )
}

const plainName = (name: string) =>
  foldText(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const YEAR_WORD = '(?:(?:model|mdl|vehicle|veh) )?(?:years?|yrs?|ano|anno|annee|baujahr|jahr|bj)'
const LAST_WORD = '(?:to|thru|through|until|till|end|ending|last|max|stop|2|hasta|final|fin|fine|bis|a)'
/** "Yr To", "Year End", "Last Year", "Thru Yr" */
const LAST_YEAR = new RegExp(`^(?:${YEAR_WORD} ?${LAST_WORD}|${LAST_WORD} ?${YEAR_WORD})$`)
/** Directly after the year, without a word for a field. */
const BESIDE_YEAR = /^(?:to|thru|through|until|end|hasta|bis)$/
const ONE_YEAR = /^['’]?(?:\d\d|(?:19|20)\d\d)(?:\.0+)?$/
const OPEN_END = /^(?:up|on|present|current|now|newer|\+)$/i

/** A day or month that a car was built in or first registered. */
function yearOfBuild({ header, at }: FileColumns): JoinCells | undefined {
  return at !== -1 && isOfBuildDates(header[at] ?? '') ? (own) => yearOfDate(own) ?? own : undefined
}

function lastYear({ header, mapping, mapped, at: own }: FileColumns): JoinCells | undefined {
  const ofSplit = splitsOf(mapping).find(({ as }) => as === 'years')
  const at = ofSplit ? findColumn(header, ofSplit.from) : own
  if (at === -1) return undefined
  const lastAt = header.findIndex((name, other) => {
    if (other === at || mapped.has(other)) return false
    const plain = plainName(name)
    return LAST_YEAR.test(plain) || (other === at + 1 && BESIDE_YEAR.test(plain))
  })
  if (lastAt === -1) return undefined
  return (first, cells) => {
    const last = plainCell(cells[lastAt] ?? '')
    if (last === first || !ONE_YEAR.test(first)) return first
    return ONE_YEAR.test(last) || OPEN_END.test(last) ? `${first}-${last.replace('+', 'up')}` : first
  }
}

/** Another column of distances, in miles or kilometers by its name, for rows without one in the field's own column. */
function otherDistance({ header, mapped, at }: FileColumns): JoinCells | undefined {
  if (at === -1) return undefined
  const otherAt = header.findIndex(
    (name, other) =>
      other !== at && !mapped.has(other) && (matchHeader('partmiles', headerName(name))?.score ?? 0) >= NAMED,
  )
  const unit = otherAt === -1 ? undefined : unitOfName(header[otherAt] ?? '')
  if (otherAt === -1 || unit?.startsWith('thousand')) return undefined
  return (own, cells) => {
    const other = own === '' ? plainCell(cells[otherAt] ?? '') : ''
    return /\d$/.test(other) ? `${other} ${unit === 'kilometers' ? 'km' : 'mi'}` : own || other
  }
}

/** A column whose whole name means miles; a part of a name may be about anything. */
const NAMED = 0.6

type PricedRow = {
  readonly cells: readonly string[]
  readonly fields: Partial<Record<ImportField, string>>
  readonly issues: FoundIssue[]
}

const LETTERS = /[a-z]{2}/i

/** “$150 pair” is the price of two: a count of parts becomes one of pairs, and buyers read it where the name doesn't say it. */
export function settleUnitOfPrice(
  { at, column }: { at: number; column: string } = { at: -1, column: '' },
  { cells, fields, issues }: PricedRow,
): void {
  const cell = at === -1 || !fields.partname ? '' : plainCell(cells[at] ?? '')
  const unit = LETTERS.test(cell) ? readPricedUnit(cell)?.unit : undefined
  if (!unit) return
  const { partname: name = '', partquantity: quantity, partdescription = '' } = fields
  const found = settleUnit(unit, { name, quantity, isOfOneSide: sideOf(name) !== undefined })
  if (typeof found === 'string') {
    issues.push(issueOf(column, cell, { code: 'INVALID_PRICE', message: found }))
    return
  }
  if (found.said) fields.partdescription = `${found.said}\n${partdescription}`.trim()
  if (found.quantity) fields.partquantity = found.quantity
}

type SideColumns = {
  readonly checkOf: ReadonlyMap<
    ImportField,
    { readonly column: string; readonly reading: { readonly read: ReadValue } }
  >
  /** An unmapped column of fronts and rears beside that of sides. */
  readonly ends: { readonly at: number; readonly column: string } | undefined
  readonly corners: readonly string[]
  readonly isDriverOnRight: boolean
}

/**
 * The side from a sides column is added to the name, behind the end from a column of ends. `partside` records what was added,
 * because earlier imports lack it.
 */
export function addSide(columns: SideColumns, row: PricedRow): void {
  const { checkOf, ends, corners, isDriverOnRight } = columns
  const { cells, fields, issues } = row
  if (isDriverOnRight) nameSides(fields)
  const { partside = '', partname } = fields
  delete fields.partside
  if (!partname) return
  const { column = 'partside' } = checkOf.get('partside') ?? {}
  const said = [
    { column: ends?.column ?? '', text: ends ? plainCell(cells[ends.at] ?? '') : '' },
    { column, text: inFull(partside, column) },
  ].filter(({ text }) => text !== '')
  let named: string = partname
  const added: string[] = []
  for (const place of said) {
    const found = withPosition(named, place.text, place.column, corners)
    if (found === 'contradiction') {
      const message = `The name says “${shownValue(partname)}” and ${place.column} says “${shownValue(place.text)}”. Correct the one that is wrong`
      issues.push(issueOf(place.column, place.text, { code: 'CONTRADICTING_SIDE', message }))
    } else if (found) {
      named = found.name
      added.push(found.added)
    }
  }
  if (added.length === 0) return
  const name = checkOf.get('partname')
  const read = name?.reading.read(named)
  if (typeof read === 'object') issues.push(issueOf(name?.column ?? 'partname', named, read))
  else Object.assign(fields, { partname: named, partside: added.join(' ') })
}

/** The driver's side, where that is the right one. */
function nameSides(fields: PricedRow['fields']): void {
  const { partname, partside } = fields
  if (partname) fields.partname = withDriverOnRight(partname, 'name')
  if (partside) fields.partside = withDriverOnRight(partside, 'cell')
}
