import { type RawBuilder, sql } from 'kysely'
import type { SearchWordKind, WrittenWord } from '#contract/search/search-words.ts'
import { type AuditActor, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
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
  const text = `%${q.trim().replaceAll(/[\\%_]/g, '\\$&')}%`
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

/** Adds a word and removes it from the searches without results. @throws AppError as `addTradeWord` */
export async function addWord(
  trx: Db,
  { emptySearch, ...written }: WrittenWord & { emptySearch?: string | undefined },
  by: AuditActor,
): Promise<TradeWord> {
  const added = await addTradeWord(trx, written)
  if (emptySearch !== undefined) await deleteEmptySearch(trx, emptySearch)
  await writeAudit(trx, { action: 'search-word-added', target: added.id, detail: { ...written }, ...by })
  return added
}

/** Replaces the row: its new id shows every process that the words have changed. */
export async function changeWord(
  trx: Db,
  id: string,
  written: WrittenWord,
  by: AuditActor,
): Promise<TradeWord> {
  const before = await removeTradeWord(trx, id)
  const added = await addTradeWord(trx, written)
  const detail = { ...written, from: `${before.word}: ${before.means}` }
  await writeAudit(trx, { action: 'search-word-changed', target: added.id, detail, ...by })
  return added
}

export async function removeWord(trx: Db, id: string, by: AuditActor): Promise<void> {
  const { word, kind, means } = await removeTradeWord(trx, id)
  await writeAudit(trx, { action: 'search-word-removed', target: id, detail: { word, kind, means }, ...by })
}

/** @throws AppError NOT_FOUND */
export async function dismissEmptySearch(trx: Db, words: string, by: AuditActor): Promise<void> {
  if (!(await deleteEmptySearch(trx, words))) {
    throw new AppError('NOT_FOUND', 'This search is no longer in the list.')
  }
  await writeAudit(trx, { action: 'empty-search-dismissed', target: words, ...by })
}
