import { sql } from 'kysely'
import { withChangeSet } from '#server/features/history/change-sets.ts'
import {
  beginLookupChange,
  findNameHolder,
  insertLookupChange,
  type LookupChange,
  lockLookups,
  setAlias,
  setConfirmed,
} from '#server/features/lookups/lookup-changes.ts'
import { type LookupKind, nounOf } from '#server/features/lookups/lookup-kind.ts'
import { deleteQuestion } from '#server/features/lookups/lookup-names.ts'
import { mergeLookups } from '#server/features/lookups/merge-lookups.ts'
import { createProvisionalNames } from '#server/features/lookups/new-names.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/* An administrator decides what an unsure name means: it becomes an alias of a lookup, or a new lookup. */

export type NameDecision = {
  readonly kind: LookupKind
  readonly typed: string
  /** For a model. */
  readonly manufacturerId: string | null
  /** The lookup it means; null creates one. */
  readonly lookupId: string | null
  readonly by: LookupChange['by']
}

type Decided = { id: string; name: string }

/**
 * From now on every file with this name means that lookup. Another lookup's name is refused; an alias can be moved to
 * another lookup.
 * @throws AppError VALIDATION_FAILED, CONFLICT
 */
export function decideName(db: Db, decision: NameDecision): Promise<Decided> {
  const { kind, typed, lookupId, by } = decision
  const source = { actorKind: 'user' as const, actorUserId: by.actorUserId, requestId: by.requestId }
  return withChangeSet(db, { ...source, reason: `decide ${nounOf(kind)}` }, async (trx, changeSetId) => {
    await beginLookupChange(trx)
    const manufacturer = await requireManufacturer(trx, decision)
    const merged = await mergeProvisional(trx, decision)
    if (!merged) await refuseNameOfAnother(trx, decision)
    const decided = merged ?? (await decide(trx, changeSetId, { ...decision, manufacturer }))
    await deleteQuestion(trx, decision)
    const detail = { kind, typed, name: decided.name, isNew: lookupId === null }
    await writeAudit(trx, { action: 'name-decided', target: decided.id, detail, ...by })
    return decided
  })
}

async function decide(
  trx: Db,
  changeSetId: string,
  decision: NameDecision & { manufacturer: Manufacturer | undefined },
): Promise<Decided> {
  const { kind, typed, manufacturer, lookupId } = decision
  if (lookupId === null) return createLookup(trx, changeSetId, { kind, typed, manufacturer })
  return addAlias(trx, changeSetId, { ...decision, lookupId })
}

/**
 * A promotion may have created the name in the meantime. Nobody has confirmed it, so it is merged into what it means: its
 * live listings follow.
 */
async function mergeProvisional(trx: Db, decision: NameDecision): Promise<Decided | undefined> {
  const { kind, typed, manufacturerId, lookupId: into, by } = decision
  if (into === null) return undefined
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(kind)}
    where name_key = name_key(${typed}) and not confirmed and merged_into is null and id <> ${into}
      ${kind === 'car_model' ? sql`and manufacturer_id = ${manufacturerId}` : sql``}
  `.execute(trx)
  const [found] = rows
  if (!found) return undefined
  await mergeLookups(trx, { kind, id: found.id, into, by })
  const kept = (await lockLookups(trx, kind, [into])).get(into)
  return { id: into, name: kept?.name ?? typed }
}

type Manufacturer = { readonly name: string; readonly confirmed: boolean }

/** The manufacturer of a model; undefined for other kinds. */
async function requireManufacturer(
  trx: Db,
  { kind, manufacturerId: id }: NameDecision,
): Promise<Manufacturer | undefined> {
  if (kind !== 'car_model') return undefined
  const manufacturer = id ? (await lockLookups(trx, 'manufacturer', [id])).get(id) : undefined
  if (manufacturer && !manufacturer.mergedInto) return manufacturer
  throw wrongField('manufacturerId', 'There is no such manufacturer. Choose one from the list.')
}

async function refuseNameOfAnother(trx: Db, decision: NameDecision): Promise<void> {
  const { kind, typed: name, lookupId } = decision
  const manufacturerId = kind === 'car_model' ? decision.manufacturerId : null
  const exceptId = lookupId ?? undefined
  const holder = await findNameHolder(trx, { kind, name, manufacturerId, ...(exceptId && { exceptId }) })
  if (!holder || (holder.isAlias && lookupId !== null)) return
  const sentence = holder.isAlias
    ? `“${name}” is another name of the ${nounOf(kind)} “${holder.name}”.`
    : `There is already a ${nounOf(kind)} named “${holder.name}”. Merge the two instead.`
  throw new AppError('CONFLICT', sentence, { fields: { typed: sentence } })
}

async function addAlias(
  trx: Db,
  changeSetId: string,
  { kind, typed, manufacturerId, lookupId: id }: NameDecision & { lookupId: string },
): Promise<Decided> {
  const lookup = (await lockLookups(trx, kind, [id])).get(id)
  if (!lookup || lookup.mergedInto || (kind === 'car_model' && lookup.manufacturerId !== manufacturerId)) {
    throw wrongField('lookupId', `There is no such ${nounOf(kind)}. Choose one from the list.`)
  }
  await setAlias(trx, kind, { id, name: typed, manufacturerId: lookup.manufacturerId })
  await insertLookupChange(trx, { changeSetId, kind, lookupId: id, changes: { alias: [null, typed] } })
  return { id, name: lookup.name }
}

async function createLookup(
  trx: Db,
  changeSetId: string,
  {
    kind,
    typed,
    manufacturer,
  }: Pick<NameDecision, 'kind' | 'typed'> & { manufacturer: Manufacturer | undefined },
): Promise<Decided> {
  const found = await createProvisionalNames(trx, changeSetId, {
    categories: kind === 'category' ? [typed] : [],
    manufacturers: kind === 'manufacturer' ? [typed] : [],
    models: manufacturer ? [{ manufacturer: manufacturer.name, model: typed }] : [],
  })
  const created = { category: found.categories, manufacturer: found.manufacturers, car_model: found.models }
  const lookup = created[kind].find(({ spelling }) => spelling === typed)
  if (!lookup) throw new Error(`the new ${nounOf(kind)} was not found`)
  if (!manufacturer || manufacturer.confirmed) await setConfirmed(trx, kind, lookup.id)
  return { id: lookup.id, name: lookup.name }
}

const wrongField = (field: string, sentence: string) =>
  new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
