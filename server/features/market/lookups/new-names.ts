import { sql } from 'kysely'
import { plainName } from '#contract/trade-language/names.ts'
import { isForSaleAs } from '#server/features/market/for-sale/for-sale.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import type { Db } from '#server/platform/database/database.ts'
import { holdLookups, insertLookupChange } from './lookup-changes.ts'
import type { LookupKind } from './lookup-kind.ts'
import {
  type FoundNames,
  findModelSpellings,
  findSpellings,
  insertProvisionalModels,
  insertProvisionalNames,
  type MadeBy,
} from './lookup-names.ts'

/** Counts of a file's names that match no lookup. */
export type NewNameFigures = {
  /** Distinct names. */
  readonly newNames: number
  readonly rowsWithNewNames: number
  readonly rows: number
}

export const MAX_NEW_NAMES = 50
/** Percent of a file's rows. */
export const MAX_NEW_NAME_ROWS = 5
// Up to this many are always allowed: one misspelled make may be on every row of a small file, while a wrongly mapped
// column has many names.
const FEW_NEW_NAMES = 10

/** Whether a file has too many new names, or rows with one, to create them without a review. */
export function tooManyNew({ newNames, rowsWithNewNames, rows }: NewNameFigures): {
  names: boolean
  rows: boolean
} {
  return {
    names: newNames > MAX_NEW_NAMES,
    rows: newNames > FEW_NEW_NAMES && rowsWithNewNames * 100 > rows * MAX_NEW_NAME_ROWS,
  }
}

/** Names that match no lookup, as spelled in the file. */
export type UnknownNames = {
  readonly categories: readonly string[]
  readonly manufacturers: readonly string[]
  readonly models: readonly { readonly manufacturer: string; readonly model: string }[]
}

/** A yard whose word counts for a name: its email is confirmed, it is older than 30 days and has parts for sale. */
const hasSay = (sellerId: string) => sql`(
  exists (
    select from seller_member m join app_user u on u.id = m.user_id
    where m.seller_id = ${sellerId} and u.email_verified_at is not null and u.created_at < now() - interval '30 days')
  and exists (select from listing p where p.seller_id = ${sellerId} and ${isForSaleAs('p')}))`

/** A name that only another yard's file made; `isOpen` if this yard may choose it, which makes it everybody's. */
export type ForeignName = { kind: LookupKind; id: string; isOpen: boolean }

/** Those of the names that are another yard's alone. */
export async function listForeignNames(
  db: Db,
  sellerId: string,
  ids: readonly string[],
): Promise<ForeignName[]> {
  if (ids.length === 0) return []
  const ofKind = (kind: LookupKind) => sql`
    select ${kind}::text as kind, id from ${sql.table(kind)}
    where id = any(${[...ids]}::uuid[]) and not confirmed and made_by <> ${sellerId}`
  const { rows } = await sql<ForeignName>`
    select kind, id, ${hasSay(sellerId)} as "isOpen" from (
      ${ofKind('category')} union all ${ofKind('manufacturer')} union all ${ofKind('car_model')}
    ) made
  `.execute(db)
  return rows
}

/**
 * A person chose a name that another yard's file made: if the yard is established, its word makes the name everybody's. Two that
 * agree are no proof, but a stranger's own file can't make a name public (CONTRACT.md, third edition, "New names").
 */
export async function shareName(
  trx: Db,
  { kind, id, sellerId, userId }: { kind: LookupKind; id: string; sellerId: string; userId: string },
): Promise<void> {
  const { rows } = await sql<{ madeBy: string }>`
    select made_by as "madeBy" from ${sql.table(kind)} where id = ${id} and made_by <> ${sellerId}
      and ${hasSay(sellerId)}
    for update
  `.execute(trx)
  const [made] = rows
  if (!made) return
  const source = { actorKind: 'user' as const, actorUserId: userId, reason: 'chosen by a second yard' }
  await withChangeSet(trx, source, async (opened, changeSetId) => {
    await sql`update ${sql.table(kind)} set made_by = null where id = ${id}`.execute(opened)
    await insertLookupChange(opened, {
      changeSetId,
      kind,
      lookupId: id,
      changes: { madeBy: [made.madeBy, null] },
    })
  })
}

/** The names that a change set created and nobody confirmed since, models first: a manufacturer with models is in use. */
export async function listCreatedNames(
  db: Db,
  changeSetId: string,
): Promise<{ kind: LookupKind; id: string }[]> {
  const { rows } = await sql<{ kind: LookupKind; id: string }>`
    select kind, lookup_id as id from lookup_change c
    where change_set_id = ${changeSetId} and changes -> 'name' -> 0 = 'null'
      and not exists (select from lookup_change o where o.lookup_id = c.lookup_id and o.changes ? 'confirmed')
      and (exists (select from category l where l.id = c.lookup_id and l.merged_into is null)
        or exists (select from manufacturer l where l.id = c.lookup_id and l.merged_into is null)
        or exists (select from car_model l where l.id = c.lookup_id and l.merged_into is null))
    order by kind = 'car_model' desc, lookup_id
  `.execute(db)
  return rows
}

/**
 * Adds a file's new names, in the caller's transaction and change set. Those of an administrator are confirmed at once. Those
 * that a yard's file made are provisional: its listings use them, and the lists of names give them to that yard alone, until an administrator confirms or merges them or
 * a second yard chooses them. Concurrent calls create each name once and all get the same lookup.
 */
export async function createProvisionalNames(
  trx: Db,
  changeSetId: string,
  unknown: UnknownNames,
  by?: MadeBy,
): Promise<FoundNames> {
  const { categories, manufacturers } = unknown
  await holdLookups(trx)
  for (const [kind, names] of [
    ['category', categories],
    ['manufacturer', manufacturers],
  ] as const) {
    if (names.length > 0)
      await insertProvisionalNames(trx, kind, { changeSetId, names: names.map(plainName), by })
  }
  const makers = [...new Set(unknown.models.map(({ manufacturer }) => manufacturer).concat(manufacturers))]
  const found = {
    categories: categories.length > 0 ? await findSpellings(trx, 'category', categories) : [],
    manufacturers: makers.length > 0 ? await findSpellings(trx, 'manufacturer', makers) : [],
  }
  const idOf = new Map(found.manufacturers.map(({ spelling, id }) => [spelling, id]))
  const models = unknown.models.flatMap(({ manufacturer, model }) => {
    const manufacturerId = idOf.get(manufacturer)
    return manufacturerId ? [{ manufacturerId, model }] : []
  })
  if (models.length === 0) return { ...found, models: [] }
  const named = models.map(({ manufacturerId, model }) => ({ manufacturerId, model: plainName(model) }))
  await insertProvisionalModels(trx, { changeSetId, models: named, by })
  return { ...found, models: await findModelSpellings(trx, models) }
}
