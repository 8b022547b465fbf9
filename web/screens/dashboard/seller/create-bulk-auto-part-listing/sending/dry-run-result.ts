import type { ColumnAssumption, ColumnQuestion } from '#contract/column-questions/questions.ts'
import { importField, importFieldLabels } from '#contract/csv/import-fields.ts'
import type { ExampleListing, WantedDefault } from '#contract/import-check.ts'
import type { DryRunPlan, DryRunReply, ExpectedGoLive, ImportQuestion, RowIssue } from '#contract/imports.ts'
import { type DescriptionFinding, descriptionFindings, findingSentence } from '#contract/text/description.ts'
import { rowsInWords } from '#web/components/imports/import-words.ts'

/** Given by the spec. */
export const SHOWN_ISSUES = 50
/** A limit for files with very many columns; normal files have far fewer. */
const MAX_KINDS = 500

export type Changes = NonNullable<DryRunReply['preview']['whole']>

export type IssueKind = {
  column: string
  code: string
  /** The message of the first one. */
  message: string
  /** Not all have the same message. */
  varies?: boolean
  /** The rows that have it. */
  count: number
}

export type DryRunResult = {
  chunks: number
  total: number
  /** Rows with problems, remarks among them. */
  errors: number
  /** Rows that are left out and need no fixing: totals, remarks and parts that are out of stock. */
  remarks: number
  /** For the whole file; comes with the last chunk. */
  changes: Changes | undefined
  plan: DryRunPlan | undefined
  /** The questions to answer before the waiting rows go live. */
  questions: ImportQuestion[]
  /** Names whose parts an earlier answer leaves out. */
  leftOut: ImportQuestion[]
  /** The questions that block an import. */
  columnQuestions: ColumnQuestion[]
  /** Assumptions from earlier answers. */
  remembered: ColumnAssumption[]
  /** Finished listings, to be looked at before they are live. */
  examples: ExampleListing[]
  /** Fields that neither the file nor any default has. */
  wants: WantedDefault[]
  goesLive: ExpectedGoLive | undefined
  /** Rows whose listing id is empty and that equal a part listed by hand. */
  repeats: number
  warnings: string[]
  /** The first issues of the file, by row. */
  issues: RowIssue[]
  issueCount: number
  /** Most frequent first. */
  kinds: IssueKind[]
  failing: FailingRows
}

/** A chunk's position. Adding `rowShift` turns its row numbers into spreadsheet row numbers. */
export type CheckedChunk = { index: number; rowShift: number }

/** Such a row has one issue. */
const isRemark = (code: string): boolean => code === 'NOT_A_PART' || code === 'OUT_OF_STOCK'

/** Combines a dry run's replies, in any order. Only a few issues stay in memory. */
export function dryRunCollector() {
  const sums = { chunks: 0, total: 0, errors: 0 }
  let whole: DryRunReply['preview'] | undefined
  let first: RowIssue[] = []
  let issueCount = 0
  const warnings = new Set<string>()
  const byDefault = new Map<string, number>()
  const filled = new Map<string, number>()
  const descriptions = new Map<DescriptionFinding, FoundRows>()
  const kinds = kindsCollector()
  const failing = failingRowsCollector()

  return {
    add({ index, rowShift }: CheckedChunk, { preview, warnings: chunkWarnings }: DryRunReply): void {
      const { total, errors } = preview
      sums.chunks++
      sums.total += total
      sums.errors += errors
      if (preview.whole) whole ??= preview
      for (const warning of chunkWarnings) warnings.add(warning)
      addCounts(byDefault, preview.defaults)
      addCounts(filled, preview.filled)
      for (const { finding, rows: of, first: numbers } of preview.descriptions ?? []) {
        const placed = numbers.map((row) => row + rowShift)
        descriptions.set(finding, withRows(descriptions.get(finding), { rows: of, first: placed }))
      }
      const rows = preview.rows.flatMap(({ issues }) => {
        const placed = issues.map((issue) => ({ ...issue, row: issue.row + rowShift }))
        return placed[0] ? [{ row: placed[0].row, issues: placed }] : []
      })
      if (rows.length === 0) return
      const issues = rows.flatMap((row) => row.issues)
      issueCount += issues.length
      for (const row of rows) kinds.add(row.issues)
      first = [...first, ...issues].toSorted((one, other) => one.row - other.row).slice(0, SHOWN_ISSUES)
      failing.add(index, rows)
    },
    result(): DryRunResult {
      return {
        ...sums,
        remarks: kinds.remarks(),
        changes: whole?.whole,
        plan: whole?.plan,
        questions: (whole?.questions ?? []).flatMap((one) => ('typed' in one ? [one] : [])),
        leftOut: whole?.leftOut ?? [],
        columnQuestions: (whole?.questions ?? []).flatMap((one) => ('typed' in one ? [] : [one])),
        remembered: whole?.remembered ?? [],
        examples: whole?.examples ?? [],
        wants: whole?.wants ?? [],
        goesLive: whole?.goesLive,
        repeats: whole?.repeats ?? 0,
        warnings: [
          ...filledWarning(filled, sums.total - sums.errors),
          ...defaultsWarning(byDefault, sums.total - sums.errors),
          ...descriptionWarnings(descriptions),
          ...warnings,
        ],
        issues: first,
        issueCount,
        kinds: kinds.mostFirst(),
        failing: failing.rows(),
      }
    },
  }
}

/** Counts rows, not problems: a column without make, model and year counts once per row. */
function kindsCollector() {
  const kinds = new Map<string, IssueKind>()

  function addNew(name: string, { column, code, message }: RowIssue): void {
    if (kinds.size < MAX_KINDS) kinds.set(name, { column, code, message, count: 1 })
  }
  return {
    /** The problems of one row. */
    add(issues: readonly RowIssue[]): void {
      const ofRow = new Set<string>()
      for (const issue of issues) {
        const name = `${issue.column}\n${issue.code}`
        const kind = kinds.get(name)
        if (kind && !ofRow.has(name)) kind.count++
        if (kind && kind.message !== issue.message) kind.varies = true
        if (!kind) addNew(name, issue)
        ofRow.add(name)
      }
    },
    remarks: (): number =>
      [...kinds.values()].reduce((sum, { code, count }) => sum + (isRemark(code) ? count : 0), 0),
    mostFirst: (): IssueKind[] => [...kinds.values()].toSorted((one, other) => other.count - one.count),
  }
}

type FieldCounts = ReadonlyMap<string, number>

function addCounts(
  counts: Map<string, number>,
  more: readonly { field: string; rows: number }[] | undefined = [],
): void {
  for (const { field, rows } of more) counts.set(field, (counts.get(field) ?? 0) + rows)
}

/** Where a part is and who sells it must not come from a default unseen. */
const defaultsWarning = (byDefault: FieldCounts, good: number): string[] =>
  byDefault.size === 0
    ? []
    : [
        `Filled from your defaults: ${countsInWords(byDefault, good)}. Check that they are right for these parts.`,
      ]

const filledWarning = (filled: FieldCounts, good: number): string[] =>
  filled.size === 0
    ? []
    : [`Filled from the model: ${countsInWords(filled, good)}. Only one make has these models.`]

const countsInWords = (counts: FieldCounts, good: number): string =>
  [...counts]
    .map(([name, rows]) => {
      const field = importField(name)
      const label = field === undefined ? name : importFieldLabels[field]
      return `${label} in ${rows === good ? 'all rows' : rowsInWords(rows)}`
    })
    .join(', ')

type FoundRows = { rows: number; first: readonly number[] }

// More than the sentence lists, because chunks arrive in any order.
const MAX_NUMBERS = 20

const withRows = (before: FoundRows | undefined, { rows, first }: FoundRows): FoundRows => ({
  rows: rows + (before?.rows ?? 0),
  first: [...(before?.first ?? []), ...first].toSorted((one, other) => one - other).slice(0, MAX_NUMBERS),
})

const descriptionWarnings = (found: ReadonlyMap<DescriptionFinding, FoundRows>): string[] =>
  descriptionFindings.flatMap((finding) => {
    const rows = found.get(finding)
    return rows ? findingSentence(finding, rows) : []
  })

export type FailingRow = { row: number; issues: RowIssue[] }

/** All failing rows in file order. Their issues are stored outside script memory. */
export type FailingRows = {
  numbers: Uint32Array
  /** The rows at indexes `from` (inclusive) to `to` (exclusive) of `numbers`. */
  read: (from: number, to: number) => Promise<FailingRow[]>
}

type Chunk = { numbers: Uint32Array; issues: Blob }

/** Uses blobs, which are outside script memory, because a file can have a million failing rows. */
export function failingRowsCollector() {
  const chunks = new Map<number, Chunk>()
  return {
    /** The failing rows of one chunk, in the order of the file. */
    add(index: number, rows: readonly FailingRow[]): void {
      chunks.set(index, {
        numbers: Uint32Array.from(rows, ({ row }) => row),
        issues: new Blob([JSON.stringify(rows.map(({ issues }) => issues))]),
      })
    },
    rows(): FailingRows {
      const inOrder = [...chunks].toSorted(([one], [other]) => one - other).map(([, chunk]) => chunk)
      return { numbers: joined(inOrder), read: (from, to) => readRows(inOrder, from, to) }
    },
  }
}

function joined(chunks: readonly Chunk[]): Uint32Array {
  const all = new Uint32Array(chunks.reduce((sum, { numbers }) => sum + numbers.length, 0))
  let at = 0
  for (const { numbers } of chunks) {
    all.set(numbers, at)
    at += numbers.length
  }
  return all
}

async function readRows(chunks: readonly Chunk[], from: number, to: number): Promise<FailingRow[]> {
  const found: FailingRow[] = []
  let begin = 0
  for (const { numbers, issues } of chunks) {
    if (begin >= to) break
    const end = begin + numbers.length
    if (end > from) {
      const all = JSON.parse(await issues.text()) as RowIssue[][]
      for (let at = Math.max(from, begin); at < Math.min(to, end); at++) {
        found.push({ row: numbers[at - begin] ?? 0, issues: all[at - begin] ?? [] })
      }
    }
    begin = end
  }
  return found
}

/** A chunk's maximum, so that few chunks are parsed twice. */
const ROWS_PER_READ = 5_000

/** Iterates with only a few rows in memory. */
export async function* eachFailingRow({ numbers, read }: FailingRows): AsyncGenerator<FailingRow, undefined> {
  for (let from = 0; from < numbers.length; from += ROWS_PER_READ)
    yield* await read(from, from + ROWS_PER_READ)
}
