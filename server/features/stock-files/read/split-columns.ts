import { findColumn } from '#contract/csv/csv-header.ts'
import {
  type ColumnSplit,
  type ImportField,
  type ImportMapping,
  splitFields,
  splitsOf,
} from '#contract/csv/import-fields.ts'
import { interpret } from '#contract/trade-language/interpret.ts'
import { openVocabulary, type Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { language } from '#server/features/finding/vocabulary/built-in.ts'
import { remembering } from '#server/platform/recent-values.ts'
import { shownValue, type ValueProblem } from './field-text.ts'

/* Columns that contain several fields: a vehicle, a title, or years as yards write them. */

/** For a file whose columns are split without a catalog: only years can be read. */
const NO_NAMES = openVocabulary({
  catalog: { categories: [], manufacturers: [], models: [] },
  words: [],
  language,
})

/** The values from a row's split columns. */
export type SplitRow = {
  readonly fields: Partial<Record<ImportField, string>>
  readonly problems: readonly SplitProblem[]
}
/** Why fields are missing. */
type SplitProblem = ValueProblem & {
  readonly column: string
  readonly text: string
  readonly fields: readonly ImportField[]
}

export type SplitColumns = {
  /** The column that each of these fields is split from. */
  readonly columns: ReadonlyMap<ImportField, string>
  readonly read: (cells: readonly string[]) => SplitRow
}

type SplitTerms = {
  header: readonly string[]
  mapping: ImportMapping
  /** The current year. */
  year: number
  vocabulary: Vocabulary | undefined
}

/** Undefined if the mapping splits no column. The columns must be in the file. */
export function splitColumns({ header, mapping, year, vocabulary }: SplitTerms): SplitColumns | undefined {
  const splits = splitsOf(mapping)
  if (splits.length === 0) return undefined
  const rules = { year, vocabulary: vocabulary ?? NO_NAMES }
  const readers = splits.map((split) => ({
    split,
    at: findColumn(header, split.from),
    read: remembering((text) => splitCell(split, text, rules), TEXTS_REMEMBERED),
  }))
  const makeAt = findColumn(header, mapping.partmanu ?? '')
  const modelAt = findColumn(header, mapping.partmodel ?? '')
  const cellAt = (cells: readonly string[], at: number) => (cells[at] ?? '').trim()
  // Beside a column of years, the years in a vehicle's name are those of its generation: "Sierra 1500 (1999 Up)".
  const ownYears = findColumn(header, mapping.partyear ?? '') !== -1
  const withoutYears = ({ as }: ColumnSplit, fields: SplitRow['fields']): SplitRow['fields'] => {
    if (as !== 'vehicle' || !ownYears) return fields
    const { partyear: _, ...others } = fields
    return others
  }
  return {
    columns: new Map(
      readers.flatMap(({ split, at }) =>
        splitFields[split.as].map((field): [ImportField, string] => [field, header[at] ?? split.from]),
      ),
    ),
    read(cells) {
      const fields: SplitRow['fields'] = {}
      const problems: SplitProblem[] = []
      for (const { split, at, read } of readers) {
        const text = (cells[at] ?? '').trim()
        if (text === '') continue
        const [make, model] = [cellAt(cells, makeAt), cellAt(cells, modelAt)]
        const found = withCar(read(text), { make, model }, (car) => read(`${car} ${text}`))
        // Years in a column of their own are more certain than those in a title.
        const own = withoutYears(split, found.fields)
        Object.assign(fields, split.as === 'years' ? own : { ...own, ...fields })
        if (found.problem === undefined) continue
        problems.push({
          code: 'UNSURE_SPLIT',
          message: found.problem,
          column: header[at] ?? split.from,
          text,
          fields: splitFields[split.as],
        })
      }
      return { fields, problems }
    },
  }
}

/**
 * A shop's title names the model alone where a column has the make: "2012 RX350 Headlamp" by Lexus. An item's
 * description may name only the year, with make and model in its path.
 */
function withCar(found: Split, { make, model }: Car, readWith: (car: string) => Split): Split {
  if (found.problem === undefined || found.fields.partmodel !== undefined || make === '') return found
  const cars = model === '' ? [make] : [make, `${make} ${model}`]
  return cars.map(readWith).find(({ problem }) => problem === undefined) ?? found
}

type Car = { readonly make: string; readonly model: string }

/** No vehicle or title is longer; patterns need not search more. */
const LONGEST_SPLIT = 500

type Split = { fields: SplitRow['fields']; problem?: string | undefined }

function splitCell(
  { as, from }: ColumnSplit,
  text: string,
  rules: { vocabulary: Vocabulary; year: number },
): Split {
  if (text.length > LONGEST_SPLIT) {
    return {
      fields: {},
      problem: `“${shownValue(text)}” is too long to be split (max ${LONGEST_SPLIT} characters)`,
    }
  }
  return interpret(text, rules.vocabulary, 'cell', { year: rules.year, of: as, header: from }).read
}

// A yard's vehicles repeat from row to row; titles do not, and must not fill the memory.
const TEXTS_REMEMBERED = 1_000
