import { type DecimalDecision, decimalEvidence } from '#contract/yard-file/decimals.ts'
import { brokenRowsNotes, repeatsNotes } from '#contract/yard-file/detect-reading.ts'
import type { FileRow, ImportFile } from './import-file.ts'
import type { Passed } from './row-numbering.ts'

/** What only the whole file tells: how much it is, what its amounts mean, which of its lines are broken. */
export type Survey = Pick<ImportFile, 'records' | 'characters' | 'densest' | 'decimals' | 'undecided'> & {
  notes: string[]
}

/** A chunk has a multiple of so many rows. */
const BLOCK_ROWS = 100
/** A table of amounts is no list of parts; looking at all of them would take longer than reading. */
const MOST_COLUMNS = 8
const SHOWN_ROWS = 5

/** Collects it, row by row; the first rows tell which columns may be amounts. */
export function fileSurvey(headers: readonly string[], samples: readonly string[][]) {
  const amounts = amountColumns(headers, samples).map((column) => ({ column, evidence: decimalEvidence() }))
  const found = { records: 0, characters: 0, densest: 0 }
  const broken: number[] = []
  let brokenCount = 0
  let block = 0

  return {
    add(row: FileRow): void {
      const { length } = row.text
      if (found.records % BLOCK_ROWS === 0) block = 0
      found.records++
      found.characters += length
      block += length
      if (block > found.densest) found.densest = block
      if (row.problem !== undefined) {
        brokenCount++
        if (broken.length < SHOWN_ROWS) broken.push(row.row)
        return
      }
      if (amounts.length === 0) return
      const { cells } = row
      for (const { column, evidence } of amounts) evidence.add(cells[column] ?? '')
    },
    finish(passed: Passed): Survey {
      const decided = amounts.map(({ column, evidence }): [string, DecimalDecision] => [
        headers[column] ?? '',
        evidence.decide(),
      ])
      return {
        ...found,
        decimals: Object.fromEntries(decided),
        undecided: decided.flatMap(([header, decision]) => (decision === 'undecided' ? [header] : [])),
        notes: [...repeatsNotes(passed.repeats), ...brokenRowsNotes(brokenCount, broken), ...passed.notes],
      }
    },
  }
}

/** Digits with marks, and at most a currency around them: "$1,299.00", "85", "1.299,00 €". */
const AMOUNT = /^\D{0,4}\d[\d.,' \u00a0]*\D{0,4}$/
const MONEY_HEADER = /price|cost|amount|ship|freight|retail|preis|versand|prix|precio/i

function amountColumns(headers: readonly string[], samples: readonly string[][]): number[] {
  const columns = headers.map((_, column) => column)
  const named = columns.filter((column) => MONEY_HEADER.test(headers[column] ?? ''))
  const alike = columns.filter((column) => !named.includes(column) && hasAmounts(samples, column))
  return [...named, ...alike].slice(0, MOST_COLUMNS)
}

/** Of columns whose name tells nothing only those with marks count; a column of whole numbers has no decimals. */
function hasAmounts(samples: readonly string[][], column: number): boolean {
  const values = samples.flatMap((row) => row[column]?.trim() || [])
  const amounts = values.filter((value) => AMOUNT.test(value))
  return amounts.length * 2 > values.length && amounts.some((value) => /\d[.,]\d/.test(value))
}
