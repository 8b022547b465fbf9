import { type RawBuilder, sql } from 'kysely'
import type { SearchWordKind, WrittenWord } from '#contract/search/search-words.ts'
import { type AuditActor, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { likePart } from '#server/platform/database/quoted-text.ts'
import { AppError } from '#server/platform/errors.ts'
import { deleteEmptySearch } from './empty-searches.ts'
import { addTradeWord, removeTradeWord, type TradeWord } from './trade-words.ts'

/* Administrators' calls for trade words and for searches without results, which show missing words. */

type WordFilter = { q: string; kind: SearchWordKind | ''; page: number; perPage: number }

export async function findTradeWords(
  db: Db,
  filter: WordFilter,
): Promise<{ items: TradeWord[]; total: number }> {
  const { q, kind, page, perPage } = filter
  const text = likePart(q.trim())
  const matches: RawBuilder<unknown> = sql`
    (word ilike ${text} or means ilike ${text}) and (${kind} = '' or kind = ${kind})`
  const [{ rows: items }, counted] = await Promise.all([
    sql<TradeWord>`
      select id, word, kind, means, created_at as "createdAt" from trade_word where ${matches}
      order by word_key limit ${perPage} offset ${(page - 1) * perPage}
    `.execute(db),
    sql<{ total: number }>`select count(*)::int as total from trade_word where ${matches}`.execute(db),
  ])
  return { items, total: onlyRow(counted.rows).total }
}

/** What was written, and the id of the change, which can be undone. */
type WrittenChange = { word: TradeWord; change: string }

/** Adds a word and removes it from the searches without results. @throws AppError as `addTradeWord` */
export async function addWord(
  trx: Db,
  { emptySearch, ...written }: WrittenWord & { emptySearch?: string | undefined },
  by: AuditActor,
): Promise<WrittenChange> {
  const word = await addTradeWord(trx, written)
  if (emptySearch !== undefined) await deleteEmptySearch(trx, emptySearch)
  const change = await writeAudit(trx, {
    action: 'search-word-added',
    target: word.id,
    detail: { ...written },
    ...by,
  })
  return { word, change }
}

/** Replaces the row: its new id shows every process that the words have changed. */
export async function changeWord(
  trx: Db,
  id: string,
  written: WrittenWord,
  by: AuditActor,
): Promise<WrittenChange> {
  const before = await removeTradeWord(trx, id)
  const word = await addTradeWord(trx, written)
  const from = { fromId: id, fromWord: before.word, fromKind: before.kind, fromMeans: before.means }
  const detail = { ...written, from: `${before.word}: ${before.means}`, ...from }
  const change = await writeAudit(trx, { action: 'search-word-changed', target: word.id, detail, ...by })
  return { word, change }
}

/** Returns the id of the change. */
export async function removeWord(trx: Db, id: string, by: AuditActor): Promise<string> {
  const { word, kind, means } = await removeTradeWord(trx, id)
  return writeAudit(trx, { action: 'search-word-removed', target: id, detail: { word, kind, means }, ...by })
}

/** @throws AppError NOT_FOUND */
export async function dismissEmptySearch(trx: Db, words: string, by: AuditActor): Promise<void> {
  if (!(await deleteEmptySearch(trx, words))) {
    throw new AppError('NOT_FOUND', 'This search is no longer in the list.')
  }
  await writeAudit(trx, { action: 'empty-search-dismissed', target: words, ...by })
}
