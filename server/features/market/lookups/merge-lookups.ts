import { sql } from 'kysely'
import { followMerges } from '#server/features/finding/addresses/addresses.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, isWriteConflict } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import {
  auditActor,
  beginLookupChange,
  changeSource,
  dropOwnNameAlias,
  insertLookupChange,
  type LookupActor,
  type LookupRow,
  lockLookups,
  lookupNotFound,
  relabelListingsQueue,
  setAlias,
} from './lookup-changes.ts'
import { type LookupKind, nounOf, pageKindOf } from './lookup-kind.ts'

export type Merge = { from: string; into: string }

/** Hides a lookup in favor of another, along with lookups merged into it earlier. */
async function setMergedInto(trx: Db, kind: LookupKind, { from, into }: Merge): Promise<void> {
  await sql`
    update ${sql.table(kind)} set merged_into = ${into} where id = ${from} or merged_into = ${from}
  `.execute(trx)
}

/** Fills in facts that only the merged lookup has. */
async function takeOverFacts(trx: Db, kind: LookupKind, { from, into }: Merge): Promise<void> {
  const more = {
    // Parts without a vehicle move along.
    category: sql`, group_id = coalesce(t.group_id, f.group_id), universal = t.universal or f.universal`,
    manufacturer: sql``,
    car_model: sql`,
      model_years = t.model_years + f.model_years,
      body_styles = array(select distinct style from unnest(t.body_styles || f.body_styles) as style order by style)`,
  }[kind]
  await sql`
    update ${sql.table(kind)} t set confirmed = t.confirmed or f.confirmed ${more}
    from ${sql.table(kind)} f where t.id = ${into} and f.id = ${from}
  `.execute(trx)
}

async function takeOverAliases(trx: Db, kind: LookupKind, { from, into }: Merge): Promise<void> {
  const owner = sql.ref(`${kind}_id`)
  await sql`
    update ${sql.table(`${kind}_alias`)} set ${owner} = ${into} where ${owner} = ${from}
  `.execute(trx)
}

/** Moves the models of one category to another. */
export async function takeOverModelsOfCategory(
  trx: Db,
  { from, into, changeSetId }: Merge & { changeSetId: string },
): Promise<void> {
  await sql`
    with moved as (
      update car_model set category_id = ${into} where category_id = ${from} returning id
    )
    insert into lookup_change (change_set_id, kind, lookup_id, changes)
    select ${changeSetId}, 'car_model', id, jsonb_build_object('category_id', jsonb_build_array(${from}::text, ${into}::text))
    from moved
  `.execute(trx)
}

/**
 * Moves the models of one manufacturer to another. Models that the other already has, by name or alias, are merged into
 * those and stay hidden until their listings have moved.
 */
export async function takeOverModels(
  trx: Db,
  { from, into, changeSetId }: Merge & { changeSetId: string },
): Promise<void> {
  await sql`
    with pair as (
      select m.id, coalesce(same.id, other.car_model_id) as twin
      from car_model m
      left join car_model same
        on same.manufacturer_id = ${into} and same.name_key = m.name_key and same.merged_into is null
      left join car_model_alias other on other.manufacturer_id = ${into} and other.alias_key = m.name_key
      where m.manufacturer_id = ${from} and m.merged_into is null
    ), merged as (
      update car_model m set merged_into = twin from pair
      where twin is not null and (m.id = pair.id or m.merged_into = pair.id)
      returning m.id, twin
    )
    insert into lookup_change (change_set_id, kind, lookup_id, changes)
    select ${changeSetId}, 'car_model', id, jsonb_build_object('merged_into', jsonb_build_array(null, twin)) from merged
  `.execute(trx)
  await sql`
    update car_model t
    set confirmed = t.confirmed or f.confirmed, model_years = t.model_years + f.years
    from (select merged_into, range_agg(model_years) as years, bool_or(confirmed) as confirmed
          from car_model where manufacturer_id = ${from} and merged_into is not null group by merged_into) f
    where t.id = f.merged_into
  `.execute(trx)
  await sql`
    with moved as (
      update car_model set manufacturer_id = ${into}
      where manufacturer_id = ${from} and merged_into is null returning id
    )
    insert into lookup_change (change_set_id, kind, lookup_id, changes)
    select ${changeSetId}, 'car_model', id,
           jsonb_build_object('manufacturer_id', jsonb_build_array(${from}::text, ${into}::text))
    from moved
  `.execute(trx)
  // A name takes precedence over an alias, so an alias that is a model's name at the target is useless.
  await sql`
    insert into car_model_alias (manufacturer_id, alias_key, alias, car_model_id)
    select ${into}, a.alias_key, a.alias, coalesce(m.merged_into, m.id)
    from car_model_alias a join car_model m on m.id = a.car_model_id
    where a.manufacturer_id = ${from} and not exists (
      select from car_model n
      where n.manufacturer_id = ${into} and n.name_key = a.alias_key and n.merged_into is null)
    on conflict do nothing
  `.execute(trx)
  await sql`delete from car_model_alias where manufacturer_id = ${from}`.execute(trx)
}

type LookupMerge = { kind: LookupKind; id: string; into: string; by: LookupActor }

/**
 * Merges one lookup into another: hides it and moves its names, models and page address to the other. A job, whose id
 * is returned, moves its listings and then deletes its row.
 * @throws AppError NOT_FOUND, VALIDATION_FAILED (invalid target), CONFLICT
 */
export async function mergeLookups(db: Db, merge: LookupMerge): Promise<string> {
  try {
    return await withChangeSet(db, changeSource(merge, 'merge'), (trx, changeSetId) =>
      mergeUnder(trx, merge, changeSetId),
    )
  } catch (error) {
    if (!isWriteConflict(error)) throw error
    const sentence = 'An import just added one of these two names. Please try again.'
    throw new AppError('CONFLICT', sentence, { cause: error })
  }
}

async function mergeUnder(trx: Db, merge: LookupMerge, changeSetId: string): Promise<string> {
  const { kind, id: from, into, by } = merge
  await beginLookupChange(trx)
  const [gone, kept] = await lockBoth(trx, merge)
  await takeOverFacts(trx, kind, { from, into })
  await setMergedInto(trx, kind, { from, into })
  await takeOverAliases(trx, kind, { from, into })
  await setAlias(trx, kind, { id: into, name: gone.name, manufacturerId: kept.manufacturerId })
  await dropOwnNameAlias(trx, kind, into)
  if (kind === 'manufacturer') await takeOverModels(trx, { from, into, changeSetId })
  if (kind === 'category') await takeOverModelsOfCategory(trx, { from, into, changeSetId })
  await followMerges(trx, pageKindOf(kind), [{ from, into }])
  await insertLookupChange(trx, { changeSetId, kind, lookupId: from, changes: { merged_into: [null, into] } })
  if (gone.confirmed && !kept.confirmed) {
    const changes = { confirmed: [false, true] as [boolean, boolean] }
    await insertLookupChange(trx, { changeSetId, kind, lookupId: into, changes })
  }
  const detail = { kind, from: gone.name, to: kept.name, into }
  await writeAudit(trx, { action: 'lookup-merged', target: from, detail, ...auditActor(by) })
  return enqueueJob(trx, {
    queue: relabelListingsQueue,
    payload: { kind, id: from },
    ...(by.actorUserId !== undefined && { createdBy: by.actorUserId }),
  })
}

async function lockBoth(trx: Db, { kind, id, into }: LookupMerge): Promise<[LookupRow, LookupRow]> {
  const noun = nounOf(kind)
  const locked = await lockLookups(trx, kind, [id, into])
  const gone = locked.get(id)
  const kept = locked.get(into)
  if (!gone || gone.mergedInto) throw lookupNotFound(kind)
  if (id === into) throw wrongTarget(`A ${noun} cannot be merged into itself. Choose another one.`)
  if (!kept || kept.mergedInto) throw wrongTarget(`There is no such ${noun}. Choose one from the list.`)
  if (gone.manufacturerId !== kept.manufacturerId) {
    throw wrongTarget(
      'The two models belong to different manufacturers. Choose a model of the same one, or merge the manufacturers.',
    )
  }
  return [gone, kept]
}

const wrongTarget = (sentence: string) =>
  new AppError('VALIDATION_FAILED', sentence, { fields: { into: sentence } })
