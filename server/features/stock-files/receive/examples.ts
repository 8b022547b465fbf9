import { createHash } from 'node:crypto'
import { type ImportField, type ImportMapping, splitFields, splitsOf } from '#contract/csv/import-fields.ts'
import type { ExampleListing } from '#contract/import-check.ts'
import { readYearSpan } from '#contract/listing/year-span.ts'
import { sideOf } from '#server/features/finding/vocabulary/built-in.ts'
import { listingTitle } from '#server/features/market/listings/titles.ts'
import type { RowFields } from '#server/features/stock-files/read/check-row.ts'

/*
 * Five sample listings of a file, so that a person sees a misread column before anything is live. Each chunk keeps a
 * few; the final ones are chosen when all chunks are in.
 */

type Example = Omit<ExampleListing, 'why' | 'columns'>

/** The quality of an example, to choose among several chunks. */
type Ranked = { readonly example: Example; readonly rank: number }

export type ChunkExamples = {
  readonly dearest: Ranked | null
  readonly cheapest: Ranked | null
  readonly corrected: Ranked | null
  /** The lowest by lot, so that each row of the file is as likely. */
  readonly drawn: readonly Ranked[]
  /** Rows by category, and an example of the most frequent one. */
  readonly categories: readonly (readonly [name: string, rows: number])[]
  readonly common: Example | null
}

const SHOWN = 5
// Yards have some hundred categories; the most frequent one of the file is among the first of most chunks.
const MOST_CATEGORIES = 300
const CATEGORIES_KEPT = 40

/** Numbers that look random, the same for the same file and key. */
const lotOf = (seed: number, row: number): number => {
  let lot = Math.imul(seed ^ row, 0x9e3779b1)
  lot = Math.imul(lot ^ (lot >>> 15), 0x85ebca6b)
  lot = Math.imul(lot ^ (lot >>> 13), 0xc2b2ae35)
  return (lot ^ (lot >>> 16)) >>> 0
}

export type ExampleCounter = {
  /** A good row with its resolved names. `corrected`: names or values of it are not as typed. */
  add(row: number, fields: RowFields, corrected: boolean): void
  found(): ChunkExamples
}

export function exampleCounter(key: string, chunkIndex: number): ExampleCounter {
  const seed = createHash('sha256').update(`${key}\n${chunkIndex}`).digest().readUInt32LE()
  const categories = new Map<string, { rows: number }>()
  let mostRows = 0
  let common: Example | null = null
  let commonName = ''
  let dearest: Ranked | null = null
  let cheapest: Ranked | null = null
  let corrected: Ranked | null = null
  const drawn: Ranked[] = []
  const addCategory = (row: number, fields: RowFields) => {
    const { partcategory = '' } = fields
    let known = categories.get(partcategory)
    if (!known) {
      if (categories.size >= MOST_CATEGORIES) return
      known = { rows: 0 }
      categories.set(partcategory, known)
    }
    known.rows += 1
    if (partcategory === '' || known.rows <= mostRows) return
    mostRows = known.rows
    if (partcategory === commonName) return
    commonName = partcategory
    common = exampleOf(row, fields)
  }
  const addDrawn = (row: number, fields: RowFields) => {
    const rank = lotOf(seed, row)
    if (drawn.length === SHOWN && rank >= (drawn.at(-1)?.rank ?? 0)) return
    drawn.push({ rank, example: exampleOf(row, fields) })
    drawn.sort((a, b) => a.rank - b.rank)
    drawn.splice(SHOWN)
  }
  return {
    add(row, fields, isCorrected) {
      // For a price list, whose parts are already listed.
      if (fields.partname === undefined) return
      const price = Number(fields.partprice ?? Number.NaN)
      if (price > (dearest?.rank ?? -1)) dearest = { rank: price, example: exampleOf(row, fields) }
      if (price < (cheapest?.rank ?? Number.POSITIVE_INFINITY)) {
        cheapest = { rank: price, example: exampleOf(row, fields) }
      }
      if (isCorrected) corrected ??= { rank: 0, example: exampleOf(row, fields) }
      addCategory(row, fields)
      addDrawn(row, fields)
    },
    found: () => ({
      ...{ dearest, cheapest, corrected, drawn, common },
      categories: [...categories]
        .map(([name, { rows }]): [string, number] => [name, rows])
        .sort((a, b) => b[1] - a[1])
        .slice(0, CATEGORIES_KEPT),
    }),
  }
}

function exampleOf(row: number, fields: RowFields): Example {
  const {
    partname = '',
    partmanu = '',
    partmodel = '',
    partyear = '',
    partcity = '',
    partstate = '',
  } = fields
  const years = readYearSpan(partyear)
  return {
    row,
    title: years
      ? listingTitle({
          yearFrom: years.from,
          yearTo: years.to,
          manufacturerName: partmanu,
          modelName: partmodel,
          name: partname,
        })
      : [partmanu, partmodel, partname].filter(Boolean).join(' '),
    price: fields.partprice === undefined ? null : Number(fields.partprice),
    side: sideOf(partname) ?? '',
    miles: fields.partmiles === undefined ? null : Number(fields.partmiles),
    grade: fields.partgrade ?? '',
    category: fields.partcategory ?? '',
    place: [partcity, partstate].filter(Boolean).join(', '),
    partnum: fields.partnum ?? '',
  }
}

/** The examples of a file from those of its chunks, in order; numbers of rows count from the file's beginning. */
export class FileExamples {
  readonly #categories = new Map<string, number>()
  #common: Example[] = []
  #dearest: Ranked[] = []
  #cheapest: Ranked[] = []
  #corrected: Ranked[] = []
  #drawn: Ranked[] = []

  add(chunk: ChunkExamples, linesBefore: number): void {
    const moved = (example: Example): Example => ({ ...example, row: example.row + linesBefore })
    const ranked = (list: readonly (Ranked | null)[]) =>
      list.flatMap((one) => (one ? [{ rank: one.rank, example: moved(one.example) }] : []))
    for (const [name, rows] of chunk.categories) {
      this.#categories.set(name, (this.#categories.get(name) ?? 0) + rows)
    }
    const { common } = chunk
    if (common && !this.#common.some(({ category }) => category === common.category)) {
      this.#common.push(moved(common))
    }
    this.#dearest = best([...this.#dearest, ...ranked([chunk.dearest])], (a, b) => b - a, 1)
    this.#cheapest = best([...this.#cheapest, ...ranked([chunk.cheapest])], (a, b) => a - b, 1)
    this.#corrected = best([...this.#corrected, ...ranked([chunk.corrected])], () => 0, 1)
    this.#drawn = best([...this.#drawn, ...ranked(chunk.drawn)], (a, b) => a - b, SHOWN)
  }

  /** Up to five different rows, each with the columns that its values came from. */
  listings(columns: ExampleListing['columns']): ExampleListing[] {
    const common = this.#common.toSorted(
      (a, b) => (this.#categories.get(b.category) ?? 0) - (this.#categories.get(a.category) ?? 0),
    )[0]
    const of = (why: ExampleListing['why'], list: readonly Ranked[]) =>
      list.map(({ example }) => ({ why, ...example, columns }))
    const found = [
      ...of('dearest', this.#dearest),
      ...of('cheapest', this.#cheapest),
      ...(common ? of('common', [{ rank: 0, example: common }]) : []),
      ...of('corrected', this.#corrected),
      ...of('drawn', this.#drawn),
    ]
    const rows = new Set<number>()
    return found.filter(({ row }) => !rows.has(row) && rows.add(row)).slice(0, SHOWN)
  }
}

const best = (list: readonly Ranked[], order: (a: number, b: number) => number, most: number): Ranked[] =>
  list.toSorted((a, b) => order(a.rank, b.rank)).slice(0, most)

/** What each value of an example is read from, best first. */
const sources: Readonly<Record<string, readonly ImportField[]>> = {
  title: ['partname'],
  price: ['partprice'],
  side: ['partside', 'partname'],
  miles: ['partmiles'],
  grade: ['partgrade', 'damagecode', 'partmiles'],
  category: ['partcategory', 'partname'],
  place: ['partcity', 'partstate'],
  partnum: ['partnum'],
}

/** The header by the name of a value; a value that comes from no column has none. */
export function exampleColumns(mapping: ImportMapping): ExampleListing['columns'] {
  const columnOf = (field: ImportField) =>
    mapping[field] ?? splitsOf(mapping).find(({ as }) => splitFields[as].includes(field))?.from
  return Object.fromEntries(
    Object.entries(sources).flatMap(([value, fields]) => {
      const column = fields.map(columnOf).find((name) => name !== undefined)
      return column === undefined ? [] : [[value, column]]
    }),
  )
}
