import { sql } from 'kysely'
import { interpret } from '#contract/trade-language/interpret.ts'
import { lookupKey } from '#contract/trade-language/names.ts'
import { typeOfPart } from '#contract/trade-language/parts/part-names.ts'
import { openVocabulary } from '#contract/trade-language/vocabulary.ts'
import { loadVocabularySource } from '#server/features/finding/vocabulary/vocabulary.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { changeListings, diffColumns, lockListings } from '#server/features/market/listings/write-queries.ts'
import {
  beginLookupChange,
  findNameHolder,
  insertLookupChange,
  type LookupChange,
  lockLookups,
  setAlias,
  setConfirmed,
} from '#server/features/market/lookups/lookup-changes.ts'
import { type LookupKind, nounOf } from '#server/features/market/lookups/lookup-kind.ts'
import { deleteQuestion } from '#server/features/market/lookups/lookup-names.ts'
import { mergeLookups } from '#server/features/market/lookups/merge-lookups.ts'
import { createProvisionalNames } from '#server/features/market/lookups/new-names.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/*
 * An administrator decides what an unsure name means: it becomes an alias of a lookup, or a new lookup. A yard's word
 * for a category may mean a different one for each type of part; the decision is then for that type only.
 */

export type NameDecision = {
  readonly kind: LookupKind
  readonly typed: string
  /** For a category: the type of part; '' for every part with that name. */
  readonly about: string
  /** For a model. */
  readonly manufacturerId: string | null
  /** The lookup it means; null creates one. */
  readonly lookupId: string | null
  readonly by: LookupChange['by']
}

type DecidedLookup = { id: string; name: string }

/**
 * In every future file, this name means that lookup. Another lookup's name is refused; an alias can be moved to another
 * lookup.
 * @throws AppError VALIDATION_FAILED, CONFLICT
 */
export function decideName(db: Db, decision: NameDecision): Promise<DecidedLookup> {
  const { kind, typed, about, lookupId, by } = decision
  const source = { actorKind: 'user' as const, actorUserId: by.actorUserId, requestId: by.requestId }
  return withChangeSet(db, { ...source, reason: `decide ${nounOf(kind)}` }, async (trx, changeSetId) => {
    await beginLookupChange(trx)
    const isForPartType = kind === 'category' && about !== '' && lookupId !== null
    const decided = isForPartType
      ? await decideForPartType(trx, changeSetId, { ...decision, lookupId })
      : await decideForAll(trx, changeSetId, decision)
    // A new category is for every part with that name.
    await deleteQuestion(trx, { ...decision, about: isForPartType ? about : '' })
    const detail = {
      kind,
      typed,
      ...(isForPartType && { about }),
      name: decided.name,
      isNew: lookupId === null,
    }
    await writeAudit(trx, { action: 'name-decided', target: decided.id, detail, ...by })
    return decided
  })
}

async function decideForAll(trx: Db, changeSetId: string, decision: NameDecision): Promise<DecidedLookup> {
  const manufacturer = await requireManufacturer(trx, decision)
  const merged = await mergeProvisional(trx, decision)
  if (merged) return merged
  await refuseNameOfAnother(trx, decision)
  return decide(trx, changeSetId, { ...decision, manufacturer })
}

/** Saves it for future files, and applies it to live listings of that type of part at once. */
async function decideForPartType(
  trx: Db,
  changeSetId: string,
  decision: NameDecision & { lookupId: string },
): Promise<DecidedLookup> {
  const { typed, about, lookupId: id, by } = decision
  const category = (await lockLookups(trx, 'category', [id])).get(id)
  if (!category || category.mergedInto) {
    throw wrongField('lookupId', 'There is no such category. Choose one from the list.')
  }
  await sql`
    insert into category_decision (typed, about, category_id, decided_by)
    values (${typed}, ${about}, ${id}, ${by.actorUserId})
    on conflict on constraint category_decision_once
    do update set category_id = excluded.category_id, decided_by = excluded.decided_by, decided_at = now()
  `.execute(trx)
  await moveListings(trx, changeSetId, decision)
  return { id, name: category.name }
}

// Takes a few seconds.
const LISTINGS_AT_ONCE = 1_000

/** Moves the listings of that type of part out of the category that a promotion created for the word. */
async function moveListings(
  trx: Db,
  changeSetId: string,
  { typed, about, lookupId }: NameDecision & { lookupId: string },
): Promise<void> {
  const { rows: listed } = await sql<{ id: string; name: string; categoryId: string }>`
    select l.id, l.name, c.id as "categoryId" from category c join listing l on l.category_id = c.id
    where c.name_key = name_key(${typed}) and ${isOnlyPromoted('c')} and c.merged_into is null and c.id <> ${lookupId}
      and l.deleted_at is null
    order by l.id
  `.execute(trx)
  const [first] = listed
  if (!first) return
  const source = await loadVocabularySource(trx)
  // The state when the question was asked, before the word was a category.
  const categories = source.catalog.categories.filter(({ id }) => id !== first.categoryId)
  const vocabulary = openVocabulary({ ...source, catalog: { ...source.catalog, categories } })
  const askedAbout = (name: string) =>
    lookupKey(typeOfPart(interpret(name, vocabulary, 'name', { hint: typed }).read, name))
  const ids = listed.filter(({ name }) => askedAbout(name) === lookupKey(about)).map(({ id }) => id)
  for (let from = 0; from < ids.length; from += LISTINGS_AT_ONCE) {
    const listings = await lockListings(trx, ids.slice(from, from + LISTINGS_AT_ONCE))
    const changes = [...listings.values()].map((before) => ({
      before,
      columns: diffColumns(before, { category_id: lookupId }),
    }))
    await changeListings(trx, changes, changeSetId)
  }
}

/** Whether nobody decided about a lookup itself: a file made it, and an administrator at most promoted that file. */
const isOnlyPromoted = (lookup: string) => sql`(
  not ${sql.ref(`${lookup}.confirmed`)} or exists (
    select from lookup_change o join promotion p on p.change_set_id = o.change_set_id
    where o.lookup_id = ${sql.ref(`${lookup}.id`)} and o.changes -> 'name' -> 0 = 'null'
  ) and not exists (
    select from lookup_change o where o.lookup_id = ${sql.ref(`${lookup}.id`)} and o.changes ? 'confirmed'))`

async function decide(
  trx: Db,
  changeSetId: string,
  decision: NameDecision & { manufacturer: Manufacturer | undefined },
): Promise<DecidedLookup> {
  const { kind, typed, manufacturer, lookupId } = decision
  if (lookupId === null) return createLookup(trx, changeSetId, { kind, typed, manufacturer })
  return addAlias(trx, changeSetId, { ...decision, lookupId })
}

/** If a promotion created the name in the meantime, merges that lookup and its live listings into the lookup it means. */
async function mergeProvisional(trx: Db, decision: NameDecision): Promise<DecidedLookup | undefined> {
  const { kind, typed, manufacturerId, lookupId: into, by } = decision
  if (into === null) return undefined
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(kind)} l
    where name_key = name_key(${typed}) and ${isOnlyPromoted('l')} and merged_into is null and id <> ${into}
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
    : `“${holder.name}” already exists. Merge the two instead.`
  throw new AppError('CONFLICT', sentence, { fields: { typed: sentence } })
}

async function addAlias(
  trx: Db,
  changeSetId: string,
  { kind, typed, manufacturerId, lookupId: id }: NameDecision & { lookupId: string },
): Promise<DecidedLookup> {
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
): Promise<DecidedLookup> {
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
