import { type RawBuilder, sql } from 'kysely'
import type { SearchWordKind, WordChange } from '#contract/search/search-words.ts'
import { type AuditActor, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { addTradeWord, removeTradeWord } from './trade-words.ts'

/* Administrators' changes of words from the audit log, and how to undo them. */

type Meaning = { word: string; kind: SearchWordKind; means: string }

type Change = {
  id: string
  at: Date
  by: string | null
  what: WordChange['what']
  /** The row that the change made, or that it removed. */
  rowId: string
  detail: Meaning & {
    fromId?: string
    fromWord?: string
    fromKind?: SearchWordKind
    fromMeans?: string
  }
  canUndo: boolean
}

/** Whether the result of entry `e` still stands and the entry contains the previous state. */
const canUndo: RawBuilder<boolean> = sql<boolean>`
  case e.action
    when 'search-word-added' then exists (select from trade_word where id::text = e.target)
    when 'search-word-changed'
      then e.detail ? 'fromKind' and exists (select from trade_word where id::text = e.target)
    when 'search-word-removed'
      then not exists (select from trade_word where word_key = name_key(e.detail ->> 'word'))
           and not exists (select from audit_entry u where u.action = 'search-word-undone' and u.at >= e.at
                           and u.detail ->> 'change' = e.id::text)
    else false
  end`

/** As long as a change is easy to judge; the audit log keeps them longer. */
const changes = sql`
  audit_entry e where e.action in ('search-word-added', 'search-word-changed', 'search-word-removed', 'search-word-undone')
  and e.at > now() - interval '30 days'`

const columns = sql`
  e.id, e.at, replace(e.action, 'search-word-', '') as what, e.target as "rowId", e.detail,
  (select name from app_user where id = e.actor_user_id) as by, ${canUndo} as "canUndo"`

export async function listChanges(
  db: Db,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ items: WordChange[]; total: number }> {
  const [{ rows }, counted] = await Promise.all([
    sql<Change>`
      select ${columns} from ${changes} order by e.at desc, e.id desc limit ${perPage} offset ${(page - 1) * perPage}
    `.execute(db),
    sql<{ total: number }>`select count(*)::int as total from ${changes}`.execute(db),
  ])
  return { items: rows.map(present), total: onlyRow(counted.rows).total }
}

function present({ id, at, by, what, detail, canUndo }: Change): WordChange {
  const { word, kind, means } = detail
  const before = beforeOf(detail)
  return { id, at: at.toISOString(), by, what, word, kind, means, ...(before && { before }), canUndo }
}

function beforeOf({ fromWord, fromKind, fromMeans }: Change['detail']): Meaning | undefined {
  if (fromWord === undefined || fromKind === undefined) return undefined
  return { word: fromWord, kind: fromKind, means: fromMeans ?? '' }
}

/** @throws AppError NOT_FOUND, CONFLICT if the word was changed since; and as `addTradeWord` */
export async function undoChange(trx: Db, id: string, by: AuditActor): Promise<void> {
  const { rows } = await sql<Change>`select ${columns} from ${changes} and e.id = ${id}`.execute(trx)
  const [change] = rows
  if (!change) throw new AppError('NOT_FOUND', 'This change is no longer in the list.')
  const { what, rowId, detail } = change
  const before = beforeOf(detail)
  if (!change.canUndo) {
    throw new AppError('CONFLICT', `“${detail.word}” has been changed since. Edit it in the list.`)
  }
  if (what !== 'removed') await removeTradeWord(trx, rowId)
  if (what === 'removed') await restore(trx, detail, rowId)
  if (what === 'changed' && before) await restore(trx, before, detail.fromId)
  const { word, kind, means } = before ?? detail
  const noted = { word, kind, means, change: id, undid: what }
  await writeAudit(trx, { action: 'search-word-undone', target: rowId, detail: noted, ...by })
}

/** Its new row is as built in as its former one. */
async function restore(trx: Db, meaning: Meaning, formerId: string | undefined): Promise<void> {
  const { id } = await addTradeWord(trx, meaning)
  await sql`update built_in_word set row_id = ${id} where row_id = ${formerId ?? null}::uuid`.execute(trx)
}
