import { type Random, seededRandom } from '#server/platform/seeded-random.ts'
import { columnAt, writeLines, yardHeader, yardRows } from '#tests/support/yard-file.ts'

/*
 * The same rows twice: as a file should be, and as a yard's program writes them, with semicolons in Windows-1252 under two
 * lines of its own, decimal commas, "$1,299.00", "B+", "150k" and zips whose zeros a spreadsheet took.
 */

type Pair = { readonly standard: string[]; readonly messy: string[] }

const PRICE = columnAt('Retail')
const FREIGHT = columnAt('Freight')
const GRADE = columnAt('Cond')
const MILES = columnAt('Odometer')
const ZIP = columnAt('ZIP Code')
const NOTES = columnAt('Notes')

const LINES_ABOVE = ['Green Country Salvage – Bestand', 'Inventory export 11/20/2026', '']

const dollars = (value: number) => value.toLocaleString('en-US', { minimumFractionDigits: 2 })

/** Points and commas the other way round. */
const european = (text: string) => text.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'))

export function* messyPairs(count: number): Generator<Pair> {
  let at = 0
  for (const row of yardRows(count, 'bench')) {
    at += 1
    const price = Number(row[PRICE]) + (at % 7 === 0 ? 1_200 : 0)
    const freight = at % 10 === 0 ? 1_299 : 24.95
    const thousands = Math.max(1, Math.round(Number(row[MILES]) / 1_000))
    const zip = `0${2_100 + (at % 90)}`
    const notes = at % 3 === 0 ? `${row[NOTES]} Très bon état – testé.` : (row[NOTES] ?? '')
    const both = row.with(NOTES, notes)
    yield {
      standard: both
        .with(PRICE, price.toFixed(2))
        // What shipping costs is kept as it is written.
        .with(FREIGHT, `$${dollars(freight)}`)
        .with(MILES, `${thousands}000`)
        .with(ZIP, zip),
      messy: both
        .with(PRICE, european(dollars(price)))
        .with(FREIGHT, `$${dollars(freight)}`)
        .with(GRADE, row[GRADE] === '' ? '' : `${row[GRADE]}+`)
        .with(MILES, `${thousands}k`)
        .with(ZIP, zip.slice(1)),
    }
  }
}

/** Returns the file's length in bytes. */
export function writeMessyFile(path: string, count: number): Promise<number> {
  const lines = function* () {
    for (const line of LINES_ABOVE) yield `${line}\r\n`
    yield messyLine(yardHeader)
    for (const { messy } of messyPairs(count)) yield messyLine(messy)
  }
  return writeLines(path, lines(), windows1252)
}

function messyLine(cells: readonly string[]): string {
  const written = cells.map((cell) => (/[";\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
  return `${written.join(';')}\r\n`
}

/** The letters used here have the same number in both, but for the dash and the apostrophe. */
const windows1252 = (text: string) =>
  Buffer.from(text.replaceAll('–', '\u0096').replaceAll('’', '\u0092'), 'latin1')

// This share of the rows has a name that no lookup has; every segment contains some of them.
const SHARE = 0.25

const MAKES: Readonly<Record<string, readonly string[]>> = {
  Chevrolet: ['Chevy', 'CHEVROLET', 'Chevorlet', 'Chev.'],
  Toyota: ['TOYOTA', 'Toyta', 'toyota '],
  Volkswagen: ['VW', 'Volkswagon'],
  'Mercedes-Benz': ['Mercedes', 'MERCEDES BENZ'],
  Honda: ['HONDA', 'Hnda'],
}

/** The rows of a yard's file as people type them: other capitals, short names, letters in the wrong place. */
export function* messyRows(count: number, seed: string): Generator<string[]> {
  const random = seededRandom(`${seed} typed`)
  const [make, model, type] = [columnAt('Make'), columnAt('Model'), columnAt('Part Type')]
  for (const row of yardRows(count, seed)) {
    if (random.chance(SHARE)) {
      const spellings = MAKES[row[make] ?? '']
      const place = random.pick([make, model, type])
      if (place === make && spellings) row[place] = random.pick(spellings)
      else row[place] = mistyped(random, row[place] ?? '')
    }
    yield row
  }
}

function mistyped(random: Random, name: string): string {
  const how = random.whole(0, 9)
  if (how < 5) return name.toUpperCase()
  if (how < 8) return ` ${name.toLowerCase()}`
  if (name.length < 6) return `${name}.`
  const at = random.whole(1, name.length - 2)
  return `${name.slice(0, at)}${name.charAt(at + 1)}${name.charAt(at)}${name.slice(at + 2)}`
}
