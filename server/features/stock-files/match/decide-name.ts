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
import { createProvisionalNames } from '#server/features/lookups/new-names.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

export type NameDecision = {
  readonly kind: LookupKind
  readonly typed: string
  /** Of a model. */
  readonly manufacturerId: string | null
  /** What it means; null makes a new one of it. */
  readonly lookupId: string | null
  readonly by: LookupChange['by']
}

type Decided = { id: string; name: string }

/**
 * Remembers what a name means: from now on every file that has it means that lookup. A name that goes by another lookup's
 * already is refused; an alias may be given to another.
 * @throws AppError VALIDATION_FAILED, CONFLICT
 */
export function decideName(db: Db, decision: NameDecision): Promise<Decided> {
  const { kind, typed, by } = decision
  const source = { actorKind: 'user' as const, actorUserId: by.actorUserId, requestId: by.requestId }
  return withChangeSet(db, { ...source, reason: `decide ${nounOf(kind)}` }, async (trx, changeSetId) => {
    await beginLookupChange(trx)
    await requireManufacturer(trx, decision)
    await refuseNameOfAnother(trx, decision)
    const decided =
      decision.lookupId === null
        ? await makeLookup(trx, changeSetId, decision)
        : await makeAlias(trx, changeSetId, { ...decision, lookupId: decision.lookupId })
    await deleteQuestion(trx, decision)
    const detail = { kind, typed, name: decided.name, isNew: decision.lookupId === null }
    await writeAudit(trx, { action: 'name-decided', target: decided.id, detail, ...by })
    return decided
  })
}

async function requireManufacturer(trx: Db, { kind, manufacturerId }: NameDecision): Promise<void> {
  if (kind !== 'car_model') return
  const manufacturer =
    manufacturerId && (await lockLookups(trx, 'manufacturer', [manufacturerId])).get(manufacturerId)
  if (!manufacturer || manufacturer.mergedInto) {
    throw wrongField('manufacturerId', 'There is no such manufacturer. Choose one from the list.')
  }
}

async function refuseNameOfAnother(trx: Db, decision: NameDecision): Promise<void> {
  const { kind, typed: name, lookupId } = decision
  const manufacturerId = kind === 'car_model' ? decision.manufacturerId : null
  const exceptId = lookupId ?? undefined
  const holder = await findNameHolder(trx, { kind, name, manufacturerId, ...(exceptId && { exceptId }) })
  if (!holder || (holder.isAlias && lookupId !== null)) return
  const sentence = holder.isAlias
    ? `“${name}” is another name of the ${nounOf(kind)} “${holder.name}”.`
    : `There is a ${nounOf(kind)} named “${holder.name}”. Merge the two instead.`
  throw new AppError('CONFLICT', sentence, { fields: { typed: sentence } })
}

async function makeAlias(
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

async function makeLookup(
  trx: Db,
  changeSetId: string,
  { kind, typed, manufacturerId }: NameDecision,
): Promise<Decided> {
  const manufacturer =
    kind === 'car_model' && manufacturerId
      ? (await lockLookups(trx, 'manufacturer', [manufacturerId])).get(manufacturerId)
      : undefined
  const found = await createProvisionalNames(trx, changeSetId, {
    categories: kind === 'category' ? [typed] : [],
    manufacturers: kind === 'manufacturer' ? [typed] : [],
    models: manufacturer ? [{ manufacturer: manufacturer.name, model: typed }] : [],
  })
  const made = { category: found.categories, manufacturer: found.manufacturers, car_model: found.models }[
    kind
  ]
  const lookup = made.find(({ spelling }) => spelling === typed)
  if (!lookup) throw new Error(`a ${nounOf(kind)} that was made is not there`)
  if (!manufacturer || manufacturer.confirmed) await setConfirmed(trx, kind, lookup.id)
  return { id: lookup.id, name: lookup.name }
}

const wrongField = (field: string, sentence: string) =>
  new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
