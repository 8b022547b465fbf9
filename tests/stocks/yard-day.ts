import { randomUUID } from 'node:crypto'
import type { ColumnQuestion } from '#contract/column-questions/questions.ts'
import { type ImportField, importFields } from '#contract/csv/import-fields.ts'
import type { DryRunReply, ImportMode, ImportQuestion, StagedReply } from '#contract/imports.ts'
import { partOfStock } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/decide/part-of-stock.ts'
import {
  type ColumnChoice,
  firstChoice,
  mappingOf,
  missingFields,
  namesUniversalParts,
  openMoney,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/column-choice.ts'
import {
  splitOffers,
  withSplit,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/split-columns.ts'
import {
  FileProblem,
  fileRecords,
  type ImportFile,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { readImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/read-import-file.ts'
import type {
  Answers,
  RunOrder,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import { currencyOf, plain, type Rates, type TrueRow } from './truth.ts'
import { isRefusal, type YardClient } from './yard-client.ts'

/* A day at the wizard: drop the file, take what is suggested, answer what is asked as the truth says, run. */

export type Day = {
  /** What was asked, in words. */
  asked: string[]
  /** Why nothing could be imported. */
  deadEnd?: string
  /** Rows with errors in the check, as words with a count. */
  refused: Map<string, number>
  mapping: object
  notes: readonly string[]
  answers: Answers
  plan?: DryRunReply['preview']['plan']
  confirmed: string[]
  state?: string
}

/** What the yard knows of its file. */
export type Yard = {
  file: File
  truth: readonly TrueRow[]
  rates: Rates
  /** Whether the file is all of its stock. */
  mode: ImportMode
  defaults: Readonly<Partial<Record<ImportField, string>>>
}

const staging = { sellerSlug: 'yard', datasetHint: 'ecomm', timestamp: '2026-11-30' }
const MOST_ROUNDS = 6

type Shape = {
  mapping: Record<string, unknown>
  defaults: Record<string, string>
  mode?: ImportMode
}

/** Imports a file and returns what was asked on the way. */
export async function importDay(client: YardClient, yard: Yard, day: number): Promise<Day> {
  const found: Day = {
    asked: [],
    refused: new Map(),
    mapping: {},
    notes: [],
    answers: {},
    confirmed: [],
  }
  let file: ImportFile
  try {
    file = await readImportFile(yard.file, {})
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    return { ...found, deadEnd: error.message }
  }
  found.notes = file.notes
  const proposers = await client.proposers()
  const shape = (await client.call<Shape>('POST', '/pro/bulk/shape', { header: file.headers })) as Shape
  const isKnown = Object.keys(shape.mapping ?? {}).length > 0
  let choice: ColumnChoice = firstChoice({
    ...file,
    dictionary: proposers.dictionary,
    templates: proposers.templates,
    remembered: isKnown
      ? { id: null, mapping: mappingOf(shape.mapping) as Record<string, string> }
      : undefined,
  })
  const terms = { ...file, vocabulary: proposers.vocabulary, year: new Date().getFullYear() }
  for (const { split, isOn } of splitOffers({ ...terms, mapping: choice.mapping })) {
    if (isOn) continue
    if (!isKnown) found.asked.push(`split “${split.from}” as ${split.as}?`)
    choice = withSplit(choice, split)
  }
  found.mapping = choice.mapping
  for (const { header } of openMoney(file, choice.mapping)) found.asked.push(`decimal mark of “${header}”?`)
  const needsVehicle = !namesUniversalParts(file, choice.mapping, proposers.categories)
  const lacking = missingFields(choice.mapping, yard.defaults, { needsVehicle })
  const isPriceList = partOfStock({ file, mapping: choice.mapping }) !== undefined
  if (lacking.length > 0 && !isPriceList) {
    return { ...found, deadEnd: `No column for ${lacking.join(', ')} (of ${file.headers.join(' | ')})` }
  }
  if (day === 2 && shape.mode !== 'replace') found.asked.push('all of your stock, or additions?')
  const order: RunOrder = {
    file,
    mapping: choice.mapping,
    suggested: importFields.filter((field) => choice.reasons[field] !== undefined),
    defaults: { ...shape.defaults, ...yard.defaults },
    mode: day === 1 || isPriceList ? 'add' : yard.mode,
    dryRun: true,
    chunkSize: 500,
    concurrency: 1,
    edits: new Map(),
    staging,
  }
  return await checkAndRun(client, { yard, order, rows: await cellsOf(file) }, found)
}

type Rows = readonly (readonly string[])[]
type Checked = { yard: Yard; order: RunOrder; rows: Rows }

async function cellsOf(file: ImportFile): Promise<string[][]> {
  const rows: string[][] = []
  for await (const batch of fileRecords(file)) rows.push(...batch.map(({ cells }) => cells))
  return rows
}

async function checkAndRun(client: YardClient, { yard, order, rows }: Checked, found: Day): Promise<Day> {
  const known: Known = { header: order.file.headers, rows, yard }
  const byName = new Set<string>()
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const checked = await client.send<DryRunReply>(
      { ...order, answers: found.answers },
      `bulk_${randomUUID()}`,
    )
    if (isRefusal(checked)) return { ...found, deadEnd: `${checked.code}: ${checked.error}` }
    const { preview } = checked
    found.refused = new Map()
    for (const { issues } of preview.rows) {
      const words = issues.map(({ column, message, value }) => `${column}: ${message} (${value})`).join('; ')
      const short = words.slice(0, 200)
      found.refused.set(short, (found.refused.get(short) ?? 0) + 1)
    }
    if (preview.plan) found.plan = preview.plan
    const questions = preview.questions ?? []
    const columns = questions.filter((question): question is ColumnQuestion => 'sentence' in question)
    const names = questions.flatMap((one) => ('typed' in one && !byName.has(one.id) ? [one] : []))
    for (const question of columns) {
      found.asked.push(question.sentence)
      found.answers = { ...found.answers, [question.id]: answerTo(question, known) }
    }
    const answers = []
    for (const question of names) {
      byName.add(question.id)
      const lookupId = await meaningOf(client, question, known)
      found.asked.push(
        `${question.kind} “${question.typed}”${question.about && ` (${question.about})`}?${lookupId === undefined ? ' UNANSWERED' : ''}`,
      )
      const { kind, typed, about } = question
      if (lookupId !== undefined) answers.push({ kind, typed, about, lookupId })
    }
    if (answers.length > 0) await client.call('POST', '/pro/names', { answers })
    if (columns.length === 0 && answers.length === 0) break
  }
  const run = { ...order, dryRun: false, answers: found.answers }
  const staged = await client.send<StagedReply>(run, `bulk_${randomUUID()}`)
  if (isRefusal(staged)) return { ...found, deadEnd: `${staged.code}: ${staged.error}` }
  const record = await client.untilLive(staged.importId)
  found.confirmed = record.confirmed
  found.state = record.error ?? record.state
  return found
}

/* Answers as the truth implies them. */

type Known = { header: readonly string[]; rows: Rows; yard: Yard }

const MONEY = /\d[\d,]*(?:\.\d+)?/
const amountIn = (cell: string) => Number(MONEY.exec(cell)?.[0]?.replaceAll(',', '') ?? Number.NaN)

/** The truth of the row with these cells. */
function truthOf(cells: readonly string[], truth: readonly TrueRow[]): TrueRow | undefined {
  const texts = new Set(cells.map(plain).filter((text) => text !== ''))
  const typed = plain(`${cells[0] ?? ''}${cells[1] ?? ''}`)
  return truth.find(
    ({ key, num, stock, line }) =>
      [key, num, stock].some((one) => one && texts.has(plain(one))) ||
      (line !== undefined && plain(line).startsWith(typed)),
  )
}

function answerTo(question: ColumnQuestion, known: Known): string | string[] {
  const { header, rows, yard } = known
  const cellsIn = (column: string) => rows.map((cells) => cells[header.indexOf(column)] ?? '')
  switch (question.kind) {
    case 'price': {
      const prices = new Set(yard.truth.map(({ price }) => price))
      const hits = question.choices.map(({ id }) => {
        const column = id === 'yes' ? question.column : id
        return { id, hits: cellsIn(column).filter((cell) => prices.has(amountIn(cell))).length }
      })
      const best = hits.toSorted((a, b) => b.hits - a.hits)[0]
      return best && best.hits > 0 ? best.id : 'none'
    }
    case 'currency': {
      const currency = yard.truth.map(currencyOf).find((one) => one !== 'USD') ?? ''
      const rate = yard.rates[currency]
      return rate === undefined ? 'leave-out' : `rate:${rate}`
    }
    case 'units': {
      const ratios = rows.flatMap((cells) => {
        const miles = truthOf(cells, yard.truth)?.miles
        const cell = amountIn(cells[header.indexOf(question.column)] ?? '')
        return miles && cell > 0 ? [cell / miles] : []
      })
      const middle = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 1
      if (middle < 0.01) return 'thousands'
      return middle > 1.3 ? 'kilometers' : 'miles'
    }
    case 'state':
      return question.choices.flatMap(({ id }) => {
        const ofValue = rows.filter((cells) => (cells[header.indexOf(question.column)] ?? '').trim() === id)
        const live = ofValue.filter((cells) =>
          ['live', 'ask'].includes(truthOf(cells, yard.truth)?.exp ?? ''),
        )
        return live.length * 2 > ofValue.length ? [id] : []
      })
  }
}

/** What a name means by the rows that have it; undefined if the yard wouldn't know. */
async function meaningOf(
  client: YardClient,
  { kind, typed, about, example, mayBeNew, choices }: ImportQuestion,
  { rows, yard }: Known,
): Promise<string | null | undefined> {
  const has = (text: string) => (cells: readonly string[]) => {
    const all = plain(cells.join(' '))
    return text !== '' && text.split(/\s+/).every((word) => all.includes(plain(word)))
  }
  const rowsOfName = rows.filter(has(typed === '' ? about : typed))
  const [first] = [...rows.filter((cells) => has(typed)(cells) && has(example)(cells)), ...rowsOfName]
  const truths = [...(first ? [first] : []), ...rowsOfName].flatMap(
    (cells) => truthOf(cells, yard.truth) ?? [],
  )
  const truth = truths[0]
  if (!truth) return undefined
  if (kind === 'category') {
    const all = await client.get<{ id: string; name: string }[]>('/categories')
    const cats = (truth.cats ?? []).map(plain)
    return (
      choices.find(({ name }) => cats.includes(plain(name))) ??
      all.find(({ name }) => cats.includes(plain(name)))
    )?.id
  }
  const wanted = plain(kind === 'manufacturer' ? truth.make : truth.model)
  const choice = choices.find(({ name }) => plain(name) === wanted || plain(name).endsWith(wanted))
  if (choice) return choice.id
  return mayBeNew ? null : undefined
}
