import { nameReader } from '#contract/column-mapping/value-shapes.ts'
import { nameColumns } from '#contract/csv/csv-header.ts'
import { headerName, matchHeader } from '#contract/csv/field-headers.ts'

/*
 * QuickBooks keeps items below items: "Chevrolet:Silverado 1500:Q1001-02" is a part of a Silverado with the number Q1001-02.
 */

type Row = readonly string[]

const readNames = nameReader(undefined)
const MIN_SHARE = 0.6
const SAMPLED = 200
const ITEM =
  /^(?:item(?: ?(?:name|no\.?|number|code))?(?:\/number)?|(?:full |product |product\/service )?name|product\/service(?: name)?)$/i

const pathColumn = (header: Row): number => header.findIndex((name) => ITEM.test(name.trim()))

/** Whether the items of a list are such paths, and whether these have years. */
export function itemPathsIn(
  header: Row,
  rows: readonly Row[],
): 'item paths' | 'dated item paths' | undefined {
  const at = pathColumn(header)
  if (at === -1) return undefined
  const values = rows.slice(0, SAMPLED).flatMap((cells) => cells[at]?.trim() || [])
  const paths = values.flatMap((value) => pathOf(value) ?? [])
  if (paths.length === 0 || paths.length < MIN_SHARE * values.length) return undefined
  return paths.some(({ year }) => year !== '') ? 'dated item paths' : 'item paths'
}

type ItemPath = { make: string; model: string; number: string; year: string }

const YEARS = /^(?:(?:19|20)\d\d)(?:\s*-\s*(?:\d\d|(?:19|20)\d\d))?$/
/** "2008 Chevrolet" and "2008 Chevrolet Silverado 1500" */
const DATED = /^((?:19|20)\d\d(?:\s*-\s*(?:\d\d|(?:19|20)\d\d))?)\s+(.+)$/
const isMake = (text: string) => readNames(text).includes('make')

/** A step with the whole vehicle as its own steps. */
function stepsOf(cell: string): { year: string; steps: string[] } {
  let year = ''
  const steps = cell.split(':').flatMap((step) => {
    const text = step.trim()
    const [, dated = '', rest = text] = DATED.exec(text) ?? []
    year ||= YEARS.test(text) ? text : dated
    return YEARS.test(text) ? [] : [rest]
  })
  const [first = '', ...others] = steps
  const words = first.split(/\s+/)
  const length = isMake(first)
    ? words.length
    : [2, 1].find((count) => isMake(words.slice(0, count).join(' ')))
  if (length === undefined || length >= words.length) return { year, steps }
  return { year, steps: [words.slice(0, length).join(' '), words.slice(length).join(' '), ...others] }
}

function pathOf(cell: string): ItemPath | undefined {
  if (!cell.includes(':') || cell.length > 200) return undefined
  const { year, steps } = stepsOf(cell)
  const [make = '', ...rest] = steps
  if (rest.length === 0 || steps.includes('') || !isMake(make)) return undefined
  const last = rest.at(-1) ?? ''
  const isNumber = rest.length > 1 || (/\d/.test(last) && !readNames(last).includes('model'))
  return {
    make,
    model: (isNumber ? rest.slice(0, -1) : rest).join(' '),
    number: isNumber ? last : '',
    year,
  }
}

const NAMES_IT = 0.9
const isNamed = (header: Row, field: 'partmanu' | 'partmodel' | 'stocknum' | 'partyear') =>
  header.some((name) => (matchHeader(field, headerName(name))?.score ?? 0) > NAMES_IT)

const plain = [
  ['partmanu', 'Make', 'make'],
  ['partmodel', 'Model', 'model'],
  ['stocknum', 'Stock number', 'number'],
] as const
const dated = [...plain, ['partyear', 'Year', 'year']] as const
export const PATH_COLUMNS = { 'item paths': plain.length, 'dated item paths': dated.length } as const

type Folder = {
  readonly header: readonly string[]
  push(rows: readonly Row[]): string[][]
  finish(): string[][]
  notes(): string[]
}

/** An item that others are below has neither a description nor a price. */
const isGroup = (cells: Row, column: number): boolean =>
  cells.every((cell, at) => {
    const text = cell.trim()
    return at === column || (!/[1-9]/.test(text) && text.split(/\s+/).length < 4)
  })

/** Adds make, model, number and year as columns. Items that only group others are left out. */
export function itemPathFolder(header: Row, layout: keyof typeof PATH_COLUMNS): Folder {
  const added = layout === 'item paths' ? plain : dated
  const names = added.map(([field, name]) => (isNamed(header, field) ? `Item ${name.toLowerCase()}` : name))
  const column = pathColumn(header)
  let groups = 0
  const take = (cells: Row): string[] => {
    const filled = cells.filter((cell) => cell.trim() !== '').length
    if (filled === 0) return []
    const cell = cells[column]?.trim() ?? ''
    const path = pathOf(cell)
    if ((path || isMake(cell)) && isGroup(cells, column)) {
      groups += 1
      return []
    }
    const padding = Array.from({ length: Math.max(header.length - cells.length, 0) }, () => '')
    const values = added.map(([, , key]) => path?.[key] ?? '')
    return [...cells.slice(0, header.length), ...padding, ...values, ...cells.slice(header.length)]
  }
  return {
    header: nameColumns([...header, ...names]),
    push: (rows) => rows.map(take),
    finish: () => [],
    notes: () =>
      groups === 0 ? [] : [`${groups.toLocaleString('en-US')} items only group other items. We skip them.`],
  }
}
