import { type ImportField, importFieldLabels, vehicleImportFields } from '#contract/csv/import-fields.ts'
import { isNoValue } from '#contract/text/no-value.ts'
import { interpret } from '#contract/trade-language/interpret.ts'
import { nameKey, wordsOf } from '#contract/trade-language/names.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { MIN_PART_CERTAINTY } from './type-verdicts.ts'

/*
 * Rows of tires, wheels and other parts of universal categories: they need no vehicle, and a make or model unknown
 * for vehicles is the part's own.
 */

type Fields = Partial<Record<ImportField, string>>
type Column = { readonly at: number; readonly column: string }

const FACT =
  /^(?:(?:tire|wheel|rim|tyre)?(?:sizes?|diameters?|widths?|aspectratio|offset)|(?:bolt|lug)(?:pattern|circle|s)?|pcd|(?:wheel)?backspac(?:e|ing)|(?:center|hub)bore|load(?:index|range|rating)?|speed(?:index|rating|symbol)?|(?:tire)?tread(?:depth|left|life)?|dot(?:code)?|season|finish|et)$/

/** Whether a column has facts of tires or wheels, by its name: "Tire Size", "Bolt Pattern", "Load Index". */
export const isTireColumn = (header: string): boolean => FACT.test(wordsOf(header).join(''))

// A yard has a few hundred names in a million rows.
const NAMES_REMEMBERED = 5_000

/** Reads the rows of one file. */
export class UniversalRows {
  readonly #vocabulary: Vocabulary
  readonly #facts: readonly Column[]
  readonly #known = new Map<string, boolean>()

  /** `unmapped`: the columns that no field has. */
  constructor(vocabulary: Vocabulary, unmapped: readonly Column[]) {
    this.#vocabulary = vocabulary
    this.#facts = unmapped.filter(({ column }) => isTireColumn(column))
  }

  /** Whether a part is of a universal category by its name and the yard's word for it; if unsure which, by all it may be. */
  isUniversal({ partname = '', partcategory = '' }: Fields): boolean {
    const key = `${partname}\n${partcategory}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const { universal } = this.#vocabulary
    if (partname === '') return false
    const { verdict } = interpret(partname, this.#vocabulary, 'name', { hint: partcategory }).read
    const is =
      verdict.kind === 'known'
        ? verdict.certainty >= MIN_PART_CERTAINTY && universal.has(verdict.id)
        : verdict.candidates.length > 0 && verdict.candidates.every(({ id }) => universal.has(id))
    if (this.#known.size >= NAMES_REMEMBERED) this.#known.clear()
    this.#known.set(key, is)
    return is
  }

  /**
   * For a universal part, drops the issues about a missing vehicle and puts the row's other facts before its
   * description, one per line, where buyers and searches find them: facts from columns of their own, and the make and
   * model of the part itself, such as a tire's brand.
   */
  settle(
    row: { readonly cells: readonly string[]; readonly fields: Fields; readonly issues: Issue[] },
    columnOf: (field: ImportField) => string | undefined,
  ): void {
    const { cells, fields, issues } = row
    const lacks = issues.some(isAboutVehicle)
    if (fields.listingid || !(lacks || this.#facts.length > 0 || this.#isBrand(fields))) return
    if (!this.isUniversal(fields)) return
    const facts = this.#facts.map(({ at, column }) => ({ column, text: (cells[at] ?? '').trim() }))
    // A wheel is of the car that its VIN names; a tire is of none.
    const kept = issues.filter(({ code }) => code === 'INVALID_VIN' && !isTire(fields))
    issues.splice(0, issues.length, ...issues.filter((issue) => !isAboutVehicle(issue)), ...kept)
    for (const field of vehicleImportFields) if (fields[field] === '') delete fields[field]
    const own = this.#ownNames(fields)
    const said = [
      ...own.map((field) => ({
        column: columnOf(field) ?? importFieldLabels[field],
        text: fields[field] ?? '',
      })),
      ...facts,
    ].filter(({ text }) => text !== '' && !isNoValue(text))
    for (const field of own) delete fields[field]
    if (said.length === 0) return
    const lines = said.map(({ column, text }) => `${column}: ${text}`)
    fields.partdescription = [...lines, fields.partdescription ?? []].flat().join('\n')
  }

  /** A make and a model that no vehicle has: "Michelin", "Defender"; Opel makes cars that our catalog lacks. */
  #isBrand({ partmanu = '', partmodel = '' }: Fields): boolean {
    const { makes } = this.#vocabulary
    if (partmanu === '' || makes.isElsewhere(partmanu) || makes.match(partmanu).kind !== 'new') return false
    return partmodel === '' || this.#vocabulary.models.makersOf(nameKey(partmodel)).length === 0
  }

  /** Neither is a vehicle's without a make that we know. */
  #ownNames(fields: Fields): readonly ('partmanu' | 'partmodel')[] {
    return fields.partmanu && !this.#isBrand(fields) ? [] : ['partmanu', 'partmodel']
  }
}

const isTire = ({ partname = '', partcategory = '' }: Fields): boolean =>
  /\bt[iy]res?\b/i.test(`${partname} ${partcategory}`)

type Issue = { readonly code: string; readonly message: string }

/** The required fields that a row lacks. */
export const missingMessage = (field: ImportField): string => `${importFieldLabels[field]} is required`

const aboutVehicle = new Set([...vehicleImportFields].map(missingMessage))
const isAboutVehicle = ({ code, message }: Issue): boolean =>
  code === 'INVALID_VIN' || (code === 'REQUIRED' && aboutVehicle.has(message))
