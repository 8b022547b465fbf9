import { randomUUID } from 'node:crypto'
import { importFields } from '#contract/csv/import-fields.ts'
import type { DryRunReply, ImportMode, ImportQuestion, StagedReply } from '#contract/imports.ts'
import { lookupKinds } from '#contract/lookups.ts'
import { partOfStock } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/decide/part-of-stock.ts'
import {
  type ColumnChoice,
  firstChoice,
  mappingOf,
  missingFields,
  namesUniversalParts,
  unclearMoney,
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
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-order.ts'
import { columnAnswer, type Known, meaningOf, type Yard } from './answers-by-truth.ts'
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

const staging = { sellerSlug: 'yard', datasetHint: 'ecomm', timestamp: '2026-11-30' }
const MOST_ROUNDS = 6

type Shape = {
  mapping: Record<string, unknown>
  defaults: Record<string, string>
  mode?: ImportMode
}

/** Imports a file and returns what was asked on the way. */
export async function importDay(client: YardClient, yard: Yard, day: number): Promise<Day> {
  const found: Day = { asked: [], refused: new Map(), mapping: {}, notes: [], answers: {}, confirmed: [] }
  const file = await opened(yard.file)
  if (typeof file === 'string') return { ...found, deadEnd: file }
  found.notes = file.notes
  const shape = (await client.call<Shape>('POST', '/pro/bulk/shape', { header: file.headers })) as Shape
  const { choice, lacking } = await chooseColumns(client, { file, shape, yard }, found)
  found.mapping = choice.mapping
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
  const known = { header: file.headers, rows: await cellsOf(file), yard }
  return (await untilAnswered(client, { order, known }, found)) ?? (await run(client, order, found))
}

/** The file as the page reads it, or why it can't be read. */
async function opened(file: File): Promise<ImportFile | string> {
  try {
    return await readImportFile(file, {})
  } catch (error) {
    if (error instanceof FileProblem) return error.message
    throw error
  }
}

type Choosing = { file: ImportFile; shape: Shape; yard: Yard }

/** The columns that are remembered or suggested, with every split that is offered. */
async function chooseColumns(client: YardClient, { file, shape, yard }: Choosing, found: Day) {
  const { dictionary, templates, vocabulary, categories } = await client.proposers()
  const isKnown = Object.keys(shape.mapping ?? {}).length > 0
  const mapping = mappingOf(shape.mapping ?? {}) as Record<string, string>
  let choice: ColumnChoice = firstChoice({
    ...file,
    dictionary,
    templates,
    remembered: isKnown ? { id: null, mapping } : undefined,
  })
  const year = new Date().getFullYear()
  const offers = splitOffers({ ...file, vocabulary, year, mapping: choice.mapping })
  for (const { split } of offers.filter(({ isOn }) => !isOn)) {
    if (!isKnown) found.asked.push(`split “${split.from}” as ${split.as}?`)
    choice = withSplit(choice, split)
  }
  for (const { header } of unclearMoney(file, choice.mapping))
    found.asked.push(`decimal mark of “${header}”?`)
  const needsVehicle = !namesUniversalParts(file, choice.mapping, categories)
  return { choice, lacking: missingFields(choice.mapping, yard.defaults, { needsVehicle }) }
}

async function cellsOf(file: ImportFile): Promise<string[][]> {
  const rows: string[][] = []
  for await (const batch of fileRecords(file)) rows.push(...batch.map(({ cells }) => cells))
  return rows
}

type Checked = { order: RunOrder; known: Known }

/** Checks the file until nothing more is asked; the day if that is a dead end. */
async function untilAnswered(
  client: YardClient,
  { order, known }: Checked,
  found: Day,
): Promise<Day | undefined> {
  const seen = new Set<string>()
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const checked = await client.send<DryRunReply>({ ...order, answers: found.answers }, newKey())
    if (isRefusal(checked)) return { ...found, deadEnd: `${checked.code}: ${checked.error}` }
    const { preview } = checked
    found.refused = refusedIn(preview)
    if (preview.plan) found.plan = preview.plan
    const questions = (preview.questions ?? []).filter(({ id }) => !seen.has(id))
    for (const { id } of questions) seen.add(id)
    if ((await answerAll(client, { questions, known }, found)) === 0) return undefined
  }
  return undefined
}

type Question = NonNullable<DryRunReply['preview']['questions']>[number]

/** Returns how many it could answer. */
async function answerAll(
  client: YardClient,
  { questions, known }: { questions: readonly Question[]; known: Known },
  found: Day,
): Promise<number> {
  const ofColumns = questions.filter((question) => 'sentence' in question)
  for (const question of ofColumns) {
    found.asked.push(question.sentence)
    found.answers = { ...found.answers, [question.id]: columnAnswer(question, known) }
  }
  let answered = ofColumns.length
  const names = questions.filter((question) => 'typed' in question)
  for (const kind of lookupKinds) {
    const ofKind = names.filter((name) => name.kind === kind)
    answered += await answerNames(client, ofKind, { kind, known, found })
  }
  return answered
}

type Naming = { kind: ImportQuestion['kind']; known: Known; found: Day }

/** Answers what the names of a kind mean, which is one question of the page; returns how many the yard knew. */
async function answerNames(
  client: YardClient,
  questions: readonly ImportQuestion[],
  { kind, known, found }: Naming,
): Promise<number> {
  if (questions.length === 0) return 0
  const answers: NameAnswer[] = []
  const words: string[] = []
  for (const question of questions) {
    const { typed, about } = question
    const lookupId = await meaningOf(client, question, known)
    words.push(`“${typed}”${about && ` (${about})`}${lookupId === undefined ? ' UNANSWERED' : ''}`)
    if (lookupId !== undefined) answers.push({ kind, typed, about, lookupId })
  }
  found.asked.push(`${kind}: ${words.join(', ')}?`)
  if (answers.length > 0) await client.call('POST', '/pro/names', { answers })
  return answers.length
}

type NameAnswer = Pick<ImportQuestion, 'kind' | 'typed' | 'about'> & { lookupId: string | null }

const LONGEST_WORDS = 200

function refusedIn({ rows }: DryRunReply['preview']): Map<string, number> {
  const refused = new Map<string, number>()
  for (const { issues } of rows) {
    const words = issues.map(({ column, message, value }) => `${column}: ${message} (${value})`).join('; ')
    const short = words.slice(0, LONGEST_WORDS)
    refused.set(short, (refused.get(short) ?? 0) + 1)
  }
  return refused
}

const newKey = () => `bulk_${randomUUID()}`

async function run(client: YardClient, order: RunOrder, found: Day): Promise<Day> {
  const staged = await client.send<StagedReply>({ ...order, dryRun: false, answers: found.answers }, newKey())
  if (isRefusal(staged)) return { ...found, deadEnd: `${staged.code}: ${staged.error}` }
  const record = await client.untilLive(staged.importId)
  return { ...found, confirmed: record.confirmed, state: record.error ?? record.state }
}
