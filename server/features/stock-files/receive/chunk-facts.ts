import { sql } from 'kysely'
import { type ColumnFacts, joinFacts } from '#contract/column-questions/column-facts.ts'
import {
  answeredMapping,
  answersToKeep,
  assumptions,
  namedPrice,
  openQuestions,
} from '#contract/column-questions/open-questions.ts'
import {
  type ColumnAnswer,
  type ColumnAssumption,
  type ColumnQuestion,
  combineAnswers,
  fittingAnswers,
  readAnswers,
} from '#contract/column-questions/questions.ts'
import { type ImportMapping, isMapped, isPriceList } from '#contract/csv/import-fields.ts'
import { type WantedDefault, wantedDefaults } from '#contract/import-check.ts'
import type { ListingDefaults } from '#contract/listing/listing-defaults.ts'
import { saleStates } from '#server/features/finding/vocabulary/sale-states.ts'
import type { RowFields } from '#server/features/stock-files/read/check-row.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type ChunkExamples, exampleColumns, FileExamples } from './examples.ts'
import { findRememberedAnswers, rememberReading, rememberShape, type ShapeKey } from './file-shapes.ts'
import { type ImportTerms, wrongField } from './import-order.ts'
import { nameAnswers, type ReceivingImport } from './receiving-import.ts'

/* Facts about the columns of a whole file, once all of its chunks are in. */

/** The facts from one chunk, kept until then. */
export type ChunkFacts = {
  readonly columns: ColumnFacts
  /** In a dry run. */
  readonly examples?: ChunkExamples | undefined
  /** Fields worth asking for that at least one row has. */
  readonly has?: readonly WantedDefault[] | undefined
}

/** Which of the fields worth asking for a row has. */
export function addPresentFields(has: Set<WantedDefault>, fields: RowFields): void {
  if (has.size === wantedDefaults.length) return
  for (const field of wantedDefaults) if (fields[field] !== undefined) has.add(field)
}

/**
 * The answers to read a file with: those sent, and those for earlier files with the same columns.
 * @throws AppError VALIDATION_FAILED, naming the answer that does not apply to this file
 */
export async function answersOf(
  db: Db,
  { answers: sent, asks }: Pick<ImportTerms, 'answers' | 'asks'>,
  key: ShapeKey,
): Promise<ColumnAnswer[]> {
  const read = readAnswers(sent, key.header)
  if (!Array.isArray(read)) throw wrongField('answers', read.sentence)
  if (!asks) return read
  const remembered = await findRememberedAnswers(db, key)
  // The files of a template may have other columns.
  return combineAnswers(read, fittingAnswers(remembered, key.header))
}

/** A complete import, with the facts of the chunk that arrived last. */
export type CompleteFile = {
  readonly receiving: ReceivingImport
  readonly header: readonly string[]
  /** As sent, for this file. */
  readonly mapping: ImportMapping
  readonly answers: readonly ColumnAnswer[]
  readonly terms: Pick<ImportTerms, 'suggested' | 'templateId' | 'asks' | 'readAs'>
  readonly milesAs: string | undefined
  readonly currencyColumn: string | undefined
  readonly amounts: string | undefined
  readonly last: { readonly chunkIndex: number; readonly lines: number; readonly facts: ChunkFacts }
}

// Each has a few kilobytes.
const FACTS_AT_ONCE = 200

/** The facts from the finished chunks in file order, each with the number of lines before it. */
async function* listChunkFacts(
  db: Db,
  importId: string,
): AsyncGenerator<{ facts: ChunkFacts; chunkIndex: number; linesBefore: number }> {
  for (let after = -1; ; ) {
    const { rows } = await sql<{ facts: ChunkFacts; chunkIndex: number; linesBefore: number }>`
      select chunk_index as "chunkIndex", facts, "linesBefore"
      from (
        select chunk_index, facts,
               (sum(coalesce(lines, 0)) over (order by chunk_index) - coalesce(lines, 0))::integer as "linesBefore"
        from import_chunk where import_id = ${importId}
      ) chunk
      where chunk_index > ${after} and facts is not null
      order by chunk_index limit ${FACTS_AT_ONCE}
    `.execute(db)
    yield* rows
    const through = rows.at(-1)?.chunkIndex
    if (through === undefined) return
    after = through
  }
}

type WholeFacts = { columns: ColumnFacts; examples: FileExamples; has: ReadonlySet<WantedDefault> }

/** Joins the facts of all chunks in the order of the file, one by one. */
async function joinChunks(trx: Db, { receiving, last }: CompleteFile): Promise<WholeFacts> {
  const examples = new FileExamples()
  const has = new Set<WantedDefault>()
  let columns: ColumnFacts | undefined
  const add = (facts: ChunkFacts, linesBefore: number) => {
    columns = columns ? joinFacts(columns, facts.columns) : facts.columns
    if (facts.examples) examples.add(facts.examples, linesBefore)
    for (const field of facts.has ?? []) has.add(field)
  }
  let before = 0
  let isLastIn = false
  for await (const { facts, chunkIndex, linesBefore } of listChunkFacts(trx, receiving.id)) {
    if (!isLastIn && chunkIndex > last.chunkIndex) {
      add(last.facts, linesBefore)
      isLastIn = true
    }
    before = linesBefore + (isLastIn ? last.lines : 0)
    add(facts, before)
  }
  if (!isLastIn) add(last.facts, await countLinesBefore(trx, receiving.id, last.chunkIndex))
  return { columns: columns ?? last.facts.columns, examples, has }
}

async function countLinesBefore(trx: Db, importId: string, chunkIndex: number): Promise<number> {
  const { rows } = await sql<{ lines: number }>`
    select coalesce(sum(lines), 0)::integer as lines from import_chunk
    where import_id = ${importId} and chunk_index < ${chunkIndex}
  `.execute(trx)
  return rows[0]?.lines ?? 0
}

const askedFile = (
  { header, mapping, answers, terms, milesAs, currencyColumn, amounts }: CompleteFile,
  facts: ColumnFacts,
) => ({
  ...{ header, mapping, answers, milesAs, currencyColumn, amounts, facts },
  suggested: new Set(terms.suggested),
  saleStates,
})

/** The questions that keep a complete import from being staged; if there are none, how it was read is remembered. */
export async function askOrRememberReading(trx: Db, file: CompleteFile): Promise<ColumnQuestion[]> {
  if (!file.terms.asks) return []
  const { columns } = await joinChunks(trx, file)
  const asked = askedFile(file, columns)
  const questions = openQuestions(asked)
  if (questions.length > 0) return questions
  const { receiving, header, terms } = file
  const kept = answersToKeep(asked)
  if (kept.length > 0) await nameAnswers(trx, receiving.id, kept)
  await rememberShape(
    trx,
    { sellerId: receiving.sellerId, header, templateId: terms.templateId },
    {
      mapping: answeredMapping(file.mapping, file.answers),
      defaults: receiving.defaults,
      mode: receiving.mode,
      answers: [...kept, ...namedPrice(asked)].map(({ remembered: _, ...answer }) => answer),
    },
  )
  if (terms.readAs) await rememberReading(trx, receiving.sellerId, terms.readAs)
  return []
}

/** The part of a dry run's reply about the columns of the whole file. */
export async function checkColumns(trx: Db, file: CompleteFile) {
  const { columns, examples, has } = await joinChunks(trx, file)
  const { receiving, answers } = file
  return {
    questions: file.terms.asks ? openQuestions(askedFile(file, columns)) : [],
    remembered: assumptions(answers.filter(({ remembered }) => remembered)),
    examples: examples.listings(exampleColumns(answeredMapping(file.mapping, answers))),
    wants: await missingDefaults(trx, receiving, has),
  }
}

const defaultNames = {
  partcity: 'city',
  dealerphone: 'dealerPhone',
  dealername: 'dealerName',
} as const satisfies Record<WantedDefault, keyof ListingDefaults>

/** Fields that neither the file's rows, its defaults nor the seller's listing defaults have. */
async function missingDefaults(
  trx: Db,
  { sellerId, defaults, mapping }: ReceivingImport,
  has: ReadonlySet<WantedDefault>,
): Promise<WantedDefault[]> {
  // The file changes parts that already have these fields.
  if (isPriceList(mapping, defaults) || isMapped(mapping, 'listingid')) return []
  const { rows } = await sql<{ listingDefaults: ListingDefaults }>`
    select listing_defaults as "listingDefaults" from seller where id = ${sellerId}
  `.execute(trx)
  const own = rows[0]?.listingDefaults
  const isThere = (field: WantedDefault) =>
    has.has(field) || Boolean(defaults[field]?.trim() || own?.[defaultNames[field]]?.trim())
  return wantedDefaults.filter((field) => !isThere(field))
}

/** How an import's columns were read by its answers, for its page and receipt. */
export const shownAnswers = (answers: readonly ColumnAnswer[] | null): ColumnAssumption[] =>
  assumptions(answers ?? [])
