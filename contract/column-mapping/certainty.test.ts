import { describe, expect, test } from 'vitest'
import type { ImportField } from '#contract/csv/import-fields.ts'
import { fieldsOf, type LabeledFile, labeledFiles } from '#tests/support/column-corpus.ts'
import { catalogueDictionary } from '#tests/support/yard-stock.ts'
import { MIN_CERTAINTY, suggestColumns } from './suggest-columns.ts'

/*
 * How often a proposed column is right, measured over files whose columns are labeled. The rules were tuned on one half of
 * the layouts; the other half shows what they are worth. `--reporter=verbose` prints the tables.
 */

const FEWEST_LAYOUTS = 25
const FEWEST_FILES = 200
const FEWEST_PROPOSALS = 100
/** The least share of sure proposals that must be right. */
const RIGHT = 0.99
/** The least share of right proposals that must be sure. */
const REACH = 0.85

const dictionary = catalogueDictionary()

type Proposal = {
  field: ImportField
  isRight: boolean
  confidence: number
  file: LabeledFile
  column: string
}

function proposalsFor(file: LabeledFile): Proposal[] {
  const found = suggestColumns(file.header, file.rows, dictionary)
  return Object.entries(found).map(([field, { header, confidence }]) => ({
    field: field as ImportField,
    isRight: file.labels[file.header.indexOf(header)] === field,
    confidence,
    file,
    column: header,
  }))
}

const halves = (['tuned', 'held out'] as const).map((half) => {
  const files = labeledFiles(half)
  return { half, files, proposals: files.flatMap(proposalsFor) }
})

const isSure = ({ confidence }: Proposal) => confidence >= MIN_CERTAINTY
const count = <T>(list: readonly T[], test: (one: T) => boolean) => list.filter(test).length

function certaintyOf(proposals: readonly Proposal[]) {
  const sure = proposals.filter(isSure)
  const right = proposals.filter(({ isRight }) => isRight)
  return {
    proposed: proposals.length,
    right: right.length,
    sure: sure.length,
    /** Of the sure ones. */
    precision: sure.length === 0 ? 1 : count(sure, ({ isRight }) => isRight) / sure.length,
    /** Of the right ones. */
    reach: right.length === 0 ? 1 : count(right, isSure) / right.length,
  }
}

const percent = (share: number) => `${(100 * share).toFixed(1)}%`.padStart(6)

function tableOf(proposals: readonly Proposal[]): string {
  const fields = [...new Set(proposals.map(({ field }) => field))].toSorted()
  const line = (name: string, of: readonly Proposal[]) => {
    const { proposed, right, sure, precision, reach } = certaintyOf(of)
    const counts = [proposed, right, sure].map((number) => String(number).padStart(6)).join('')
    return `${name.padEnd(16)}${counts}  ${percent(precision)}  ${percent(reach)}`
  }
  return [
    'field           proposed right  sure  right of sure  sure of right',
    ...fields.map((field) =>
      line(
        field,
        proposals.filter((one) => one.field === field),
      ),
    ),
    line('all', proposals),
  ].join('\n')
}

const nameOf = ({ field, column, file: { layout, wear } }: Proposal) =>
  `${field} = ${column}, ${layout} ${wear}`

test('there are files enough, and proposals enough of each field that they have', () => {
  const files = halves.flatMap((half) => half.files)
  expect(files.length).toBeGreaterThanOrEqual(FEWEST_FILES)
  for (const half of halves) {
    expect(new Set(half.files.map(({ layout }) => layout)).size).toBeGreaterThanOrEqual(FEWEST_LAYOUTS)
  }
  const proposals = halves.flatMap((half) => half.proposals)
  const few = [...new Set(files.flatMap(fieldsOf))].filter(
    (field) => count(proposals, (one) => one.field === field) < FEWEST_PROPOSALS,
  )
  expect(few).toEqual([])
})

describe.each(halves)('the $half half', ({ files, proposals }) => {
  test('sure proposals are right, and most right ones are sure', async ({ annotate }) => {
    await annotate(tableOf(proposals))
    for (const of of [proposals, proposals.filter(({ field }) => field === 'partprice')]) {
      const { precision, reach } = certaintyOf(of)
      expect(precision).toBeGreaterThanOrEqual(RIGHT)
      expect(reach).toBeGreaterThanOrEqual(REACH)
    }
  })

  test('of each field most right proposals are sure', () => {
    const fields = [...new Set(proposals.filter(({ isRight }) => isRight).map(({ field }) => field))]
    const unsure = fields.filter(
      (field) => certaintyOf(proposals.filter((one) => one.field === field)).reach < REACH,
    )
    expect(unsure).toEqual([])
  })

  test('no field is proposed wrongly again and again', () => {
    const fields = [...new Set(proposals.filter(isSure).map(({ field }) => field))]
    const bad = fields.filter(
      (field) => certaintyOf(proposals.filter((one) => one.field === field)).precision < 0.95,
    )
    expect(bad).toEqual([])
  })

  test('no cost, core, list price, other currency or code is surely the price', () => {
    const wrong = proposals.filter((one) => one.field === 'partprice' && !one.isRight && isSure(one))
    expect(wrong.map(nameOf)).toEqual([])
  })

  test('a file that names its price gets it, or a question', () => {
    const named = files.filter(
      (file) => file.wear !== 'without names' && fieldsOf(file).includes('partprice'),
    )
    const right = proposals.filter(
      ({ field, isRight, file }) => field === 'partprice' && isRight && named.includes(file),
    )
    expect(right.length / named.length).toBeGreaterThanOrEqual(0.95)
  })
})
