/**
 * The vehicles that a part fits besides the one it came from, as sellers write them: `2008-2012 Honda Accord; 2009-2014
 * Acura TSX (trim: Sport, without A/C)`. This text is stored, exported and edited; parsing and printing it gives the
 * same text.
 */
import { readYearSpan, yearSpanText } from './year-span.ts'

/** One vehicle, with its first and last model year. */
export type FitmentRow = {
  readonly from: number
  readonly to: number
  /** Make and model, as written. */
  readonly vehicle: string
  readonly note?: string
} & { readonly [Name in FitmentQualifier]?: string }

/**
 * Qualifiers that limit a row to some cars of a model: `name: value` in the parentheses, in this order, before the
 * note.
 */
const fitmentQualifiers = ['trim', 'engine', 'body', 'position'] as const
type FitmentQualifier = (typeof fitmentQualifiers)[number]

/** A part that fits more is universal, and nobody can read such a list. */
export const MAX_FITMENT_ROWS = 200
const LONGEST_ROW = 200
export const FIRST_FITMENT_YEAR = 1900

/** An error message that names the row and what to do. */
type Refused = { readonly problem: string }

const PIECE = /^(\d{4}(?:\s*[-–]\s*\d{4})?)\s+([^()]*?)\s*(?:\(([^()]*)\))?$/

/** Rows are separated by semicolons or line breaks. Equal rows count once. */
export function readFitment(text: string): { readonly rows: readonly FitmentRow[] } | Refused {
  const pieces = text.split(/[;\r\n]+/).flatMap((piece) => plain(piece) || [])
  if (pieces.length > MAX_FITMENT_ROWS) {
    return { problem: `Fitment can have at most ${MAX_FITMENT_ROWS} vehicles; this has ${pieces.length}` }
  }
  const rows = new Map<string, FitmentRow>()
  for (const [at, piece] of pieces.entries()) {
    const row = readRow(piece)
    if (typeof row === 'string') return { problem: `Fitment ${at + 1}, “${shortened(piece)}”: ${row}` }
    rows.set(printRow(row), row)
  }
  return { rows: [...rows.values()] }
}

/** Parses a row; returns a string if it is invalid. */
function readRow(piece: string): FitmentRow | string {
  if (piece.length > LONGEST_ROW) return `use at most ${LONGEST_ROW} characters`
  if (!/^\d/.test(piece)) return 'begin with the year or years, such as 2008-2012 Honda Accord'
  const [, years, vehicle = '', details = ''] = PIECE.exec(piece) ?? []
  if (years === undefined) {
    return /[()]/.test(piece)
      ? 'put the details in one pair of parentheses at the end'
      : 'write the years as 2008 or 2008-2012'
  }
  const span = readYearSpan(years.replaceAll(/\s/g, ''))
  if (!span) return 'the first year is after the last'
  if (span.from < FIRST_FITMENT_YEAR || span.to > LAST_YEAR)
    return `use years from ${FIRST_FITMENT_YEAR} to ${LAST_YEAR}`
  // A leading dash would be read as one between years.
  if (!/^[\p{L}\p{N}]\S*\s+\S/u.test(vehicle)) return 'name the make and the model, such as Honda Accord'
  const read = readDetails(details)
  return typeof read === 'string' ? read : { ...span, vehicle, ...read }
}

// No model year is sold further ahead; a fixed year would make stored rows unreadable.
const LAST_YEAR = 2099

type Details = Pick<FitmentRow, FitmentQualifier | 'note'>

function readDetails(text: string): Details | string {
  const details: Partial<Record<keyof Details, string>> = {}
  const notes: string[] = []
  for (const part of text.split(',').flatMap((each) => plain(each) || [])) {
    const [, name, value = ''] = QUALIFIER.exec(part) ?? []
    const qualifier = name?.toLowerCase() as FitmentQualifier | undefined
    if (!qualifier) notes.push(part)
    else if (value === '') return `say which ${qualifier}`
    else if (details[qualifier] !== undefined) return `name one ${qualifier}; add a row for another`
    else details[qualifier] = value
  }
  return inPrintedOrder({ ...details, ...(notes.length > 0 && { note: notes.join(', ') }) })
}

const QUALIFIER = new RegExp(`^(${fitmentQualifiers.join('|')})\\s*:\\s*(.*)$`, 'i')

const inPrintedOrder = (details: Details): Details =>
  Object.fromEntries(
    [...fitmentQualifiers, 'note' as const].flatMap((name) =>
      details[name] === undefined ? [] : [[name, details[name]]],
    ),
  )

const plain = (text: string) => text.trim().replaceAll(/\s+/g, ' ')

const MAX_SHOWN = 60
const shortened = (piece: string) => (piece.length > MAX_SHOWN ? `${piece.slice(0, MAX_SHOWN - 1)}…` : piece)

export const printFitment = (rows: readonly FitmentRow[]): string => rows.map(printRow).join('; ')

function printRow(row: FitmentRow): string {
  const details = detailsOf(row)
  return `${yearSpanText(row)} ${row.vehicle}${details === '' ? '' : ` (${details})`}`
}

/** "trim: Sport, without A/C"; '' if the row applies to every such car. */
export const detailsOf = (row: FitmentRow): string =>
  [
    ...fitmentQualifiers.flatMap((name) => (row[name] === undefined ? [] : `${name}: ${row[name]}`)),
    ...(row.note === undefined ? [] : [row.note]),
  ].join(', ')

/** The stored form of a valid text; any other text is unchanged. */
export function plainFitment(text: string): string {
  const read = readFitment(text)
  return 'rows' in read ? printFitment(read.rows) : text
}

/** Makes another program's words safe within a row: removes the separators of rows and details. */
export const fitmentWords = (text: string): string => plain(text.replaceAll(/[;(),\r\n]+/g, ' '))
