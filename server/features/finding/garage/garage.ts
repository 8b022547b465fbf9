import { sql } from 'kysely'
import type { Garage, GarageChanges } from '#contract/account/garage.ts'
import { MAX_SAVED, MAX_VEHICLES } from '#contract/pages/garage-limits.ts'
import { isPublic } from '#server/features/market/for-sale/for-sale.ts'
import type { Db } from '#server/platform/database/database.ts'

/* A buyer's vehicles and saved parts. Stores listing ids only; the cards come from the public search. */

export async function readGarage(db: Db, userId: string): Promise<Garage> {
  const [vehicles, parts] = [await listVehicles(db, userId), await listSavedParts(db, userId)]
  return {
    vehicles: vehicles.map(({ usedAt, ...vehicle }) => ({ ...vehicle, usedAt: usedAt.toISOString() })),
    parts: parts.map(({ id, savedAt }) => ({ id, savedAt: savedAt.toISOString() })),
  }
}

type StoredVehicle = Omit<Garage['vehicles'][number], 'usedAt'> & { usedAt: Date }

/** A model that is being merged into another counts as that one. */
async function listVehicles(db: Db, userId: string): Promise<StoredVehicle[]> {
  const { rows } = await sql<StoredVehicle>`
    select v.year, f.id as "manuId", f.name as make, t.id as "modelId", t.name as model, max(v.used_at) as "usedAt"
    from garage_vehicle v
    join car_model m on m.id = v.car_model_id
    join car_model t on t.id = coalesce(m.merged_into, m.id)
    join manufacturer f on f.id = t.manufacturer_id
    where v.user_id = ${userId}
    group by v.year, f.id, t.id order by max(v.used_at) desc, t.id, v.year
  `.execute(db)
  return rows
}

async function listSavedParts(db: Db, userId: string): Promise<{ id: string; savedAt: Date }[]> {
  const { rows } = await sql<{ id: string; savedAt: Date }>`
    select listing_id as id, saved_at as "savedAt" from saved_part
    where user_id = ${userId} order by saved_at desc, listing_id
  `.execute(db)
  return rows
}

/** Applies changes that are newer than the stored state. Ignores unknown models and parts that are not public. */
export function changeGarage(
  db: Db,
  userId: string,
  { changes, now }: { readonly changes: GarageChanges; readonly now: Date },
): Promise<Garage> {
  const at = ({ agoMs }: { agoMs: number }) => new Date(now.getTime() - agoMs)
  const [vehicles, parts] = [
    changes.vehicles.map((each) => ({ ...each, at: at(each) })),
    changes.parts.map((each) => ({ ...each, at: at(each) })),
  ]
  return db.transaction().execute(async (trx) => {
    // Serializes a person's devices, so that their changes neither deadlock nor exceed the limits together.
    await sql`select from app_user where id = ${userId} for no key update`.execute(trx)
    await addVehicles(
      trx,
      userId,
      vehicles.filter(({ removed }) => !removed),
    )
    await removeVehicles(
      trx,
      userId,
      vehicles.filter(({ removed }) => removed),
    )
    await addParts(
      trx,
      userId,
      parts.filter(({ removed }) => !removed),
    )
    await removeParts(
      trx,
      userId,
      parts.filter(({ removed }) => removed),
    )
    return readGarage(trx, userId)
  })
}

type VehicleChange = { readonly modelId: string; readonly year: number; readonly at: Date }

const vehicleRows = (changes: readonly VehicleChange[]) => sql`
  unnest(${changes.map(({ modelId }) => modelId)}::uuid[], ${changes.map(({ year }) => year)}::smallint[],
         ${changes.map(({ at }) => at)}::timestamptz[]) as c(model_id, year, at)`

async function addVehicles(trx: Db, userId: string, changes: readonly VehicleChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into garage_vehicle as v (user_id, car_model_id, year, used_at)
    select ${userId}::uuid, coalesce(m.merged_into, m.id), c.year, max(c.at)
    from ${vehicleRows(changes)} join car_model m on m.id = c.model_id
    group by 2, 3
    on conflict (user_id, car_model_id, year) do update set used_at = greatest(v.used_at, excluded.used_at)
  `.execute(trx)
  await sql`
    delete from garage_vehicle where user_id = ${userId} and (car_model_id, year) not in (
      select car_model_id, year from garage_vehicle where user_id = ${userId}
      order by used_at desc, car_model_id, year limit ${MAX_VEHICLES}
    )
  `.execute(trx)
}

async function removeVehicles(trx: Db, userId: string, changes: readonly VehicleChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    delete from garage_vehicle v using ${vehicleRows(changes)}, car_model m
    where v.user_id = ${userId} and m.id = v.car_model_id and c.model_id in (m.id, m.merged_into)
      and v.year = c.year and v.used_at <= c.at
  `.execute(trx)
}

type PartChange = { readonly id: string; readonly at: Date }

const partRows = (changes: readonly PartChange[]) => sql`
  unnest(${changes.map(({ id }) => id)}::uuid[], ${changes.map(({ at }) => at)}::timestamptz[]) as c(id, at)`

async function addParts(trx: Db, userId: string, changes: readonly PartChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into saved_part as s (user_id, listing_id, saved_at)
    select ${userId}::uuid, l.id, max(c.at)
    from ${partRows(changes)} join listing l on l.id = c.id and ${isPublic}
    group by l.id
    on conflict (user_id, listing_id) do update set saved_at = greatest(s.saved_at, excluded.saved_at)
  `.execute(trx)
  await sql`
    delete from saved_part where user_id = ${userId} and listing_id not in (
      select listing_id from saved_part where user_id = ${userId} order by saved_at desc, listing_id limit ${MAX_SAVED}
    )
  `.execute(trx)
}

async function removeParts(trx: Db, userId: string, changes: readonly PartChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    delete from saved_part s using ${partRows(changes)}
    where s.user_id = ${userId} and s.listing_id = c.id and s.saved_at <= c.at
  `.execute(trx)
}

/** Run before merged models are deleted: replaces them in garages by the models they were merged into. */
export async function moveVehicles(trx: Db, modelIds: readonly string[]): Promise<void> {
  await sql`
    insert into garage_vehicle (user_id, car_model_id, year, used_at)
    select v.user_id, m.merged_into, v.year, max(v.used_at)
    from garage_vehicle v join car_model m on m.id = v.car_model_id
    where m.id = any(${[...modelIds]}::uuid[]) and m.merged_into is not null
    group by 1, 2, 3
    on conflict do nothing
  `.execute(trx)
}
