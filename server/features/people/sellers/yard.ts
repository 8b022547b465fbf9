import { type RawBuilder, sql } from 'kysely'
import type { OwnYard, Yard } from '#contract/pages/yard.ts'
import {
  nameOfDay,
  type PolicyKind,
  policyKinds,
  timesInWords,
  weekdays,
} from '#contract/pages/yard-words.ts'
import { plainDescription } from '#contract/text/description.ts'
import { findZip } from '#server/features/market/listings/search-row/places.ts'
import { findProfanity } from '#server/features/market/writing/profanity.ts'
import { reviewNamesAt } from '#server/features/people/yard-names/name-reviews.ts'
import { type AuditActor, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/* A seller's yard profile: edited by the seller, shown on the yard's page (`public-seller.ts`). */

/** The stored form: `policy` has only the texts that the seller wrote. */
type StoredYard = Omit<OwnYard, 'policy'> & { policy: Partial<Record<PolicyKind, string>> }

/** Uses the same index as the public page. */
const has = (kind: RawBuilder<unknown>) => sql`
  exists (select from listing where seller_id = s.id and deleted_at is null and ${kind} and status = 'ACTIVE')`

export async function readYard(db: Db, sellerId: string): Promise<OwnYard> {
  const { rows } = await sql<StoredYard>`
    select coalesce(place.street, '') as street, coalesce(place.city, '') as city, coalesce(place.state, '') as state,
           coalesce(place.zip, '') as zip, coalesce(s.phone, '') as phone, s.time_zone as "timeZone", s.hours, s.policy,
           s.slug,
           ${has(sql`ended_at is null`)} or ${has(sql`ended_at is not null`)} as "hasPage"
    from seller s
    left join lateral (select * from seller_location where seller_id = s.id order by id limit 1) place on true
    where s.id = ${sellerId}
  `.execute(db)
  const stored = onlyRow(rows)
  const { shipping = '', returns = '', warranty = '' } = stored.policy
  return { ...stored, policy: { shipping, returns, warranty } }
}

/**
 * Replaces the yard profile.
 * @throws AppError VALIDATION_FAILED on the field for inappropriate language or a ZIP code that does not exist
 */
export async function changeYard(
  db: Db,
  sellerId: string,
  { yard: typed, by }: { yard: Yard; by: AuditActor },
): Promise<OwnYard> {
  const yard = { ...typed, policy: mapPolicy(typed.policy, plainDescription) }
  refuseProfanity(yard)
  return db.transaction().execute(async (trx) => {
    // Serializes two windows, so that each log entry has the values it replaced.
    await sql`select from seller where id = ${sellerId} for no key update`.execute(trx)
    if (yard.zip !== '') await findZip(trx, yard.zip)
    const before = await readYard(trx, sellerId)
    const hours = yard.hours && weekdays.some((day) => yard.hours?.[day]) ? yard.hours : null
    const policy = Object.fromEntries(Object.entries(yard.policy).filter(([, text]) => text !== ''))
    await sql`
      update seller set phone = ${yard.phone || null}, hours = ${hours && JSON.stringify(hours)}::jsonb,
                        policy = ${JSON.stringify(policy)}::jsonb, time_zone = ${yard.timeZone}
      where id = ${sellerId}
    `.execute(trx)
    await writeLocation(trx, sellerId, yard)
    await reviewNamesAt(trx, sellerId, yard)
    const after = await readYard(trx, sellerId)
    const detail = changesBetween(before, after)
    if (Object.keys(detail).length > 0) {
      await writeAudit(trx, { action: YARD_CHANGED, target: sellerId, detail, ...by })
    }
    return after
  })
}

/** Audit log action. */
export const YARD_CHANGED = 'yard-changed'

/** A new address clears the measured location; the ZIP code's is used from then on. */
async function writeLocation(trx: Db, sellerId: string, { street, city, state, zip }: Yard): Promise<void> {
  if ([street, city, state, zip].every((text) => text === '')) {
    await sql`delete from seller_location where seller_id = ${sellerId}`.execute(trx)
    return
  }
  const { rows } = await sql`
    update seller_location l
    set street = ${street || null}, city = ${city}, state = ${state}, zip = ${zip || null},
        latitude = case when same.place then latitude end, longitude = case when same.place then longitude end
    from (select id, (city, state, coalesce(zip, '')) = (${city}, ${state}, ${zip}) as place from seller_location
          where seller_id = ${sellerId} order by id limit 1) same
    where l.id = same.id returning l.id
  `.execute(trx)
  if (rows.length > 0) return
  await sql`
    insert into seller_location (seller_id, name, street, city, state, zip)
    values (${sellerId}, 'Yard', ${street || null}, ${city}, ${state}, ${zip || null})
  `.execute(trx)
}

const mapPolicy = (policy: Yard['policy'], change: (text: string) => string): Yard['policy'] => ({
  shipping: change(policy.shipping),
  returns: change(policy.returns),
  warranty: change(policy.warranty),
})

/** The same rule as for listings. */
function refuseProfanity({ street, city, policy }: Yard): void {
  const ofPolicy = policyKinds.map((kind) => [`policy.${kind}`, policy[kind]] as const)
  const problems = [['street', street] as const, ['city', city] as const, ...ofPolicy].flatMap(
    ([field, text]) => {
      const word = findProfanity(text)
      return word === undefined ? [] : [[field, `Please remove inappropriate language (${word}).`] as const]
    },
  )
  const [first] = problems
  if (first) throw new AppError('VALIDATION_FAILED', first[1], { fields: Object.fromEntries(problems) })
}

/** The changed fields, each as "before → after". */
function changesBetween(before: Yard, after: Yard): Record<string, string> {
  const [were, are] = [inWords(before), inWords(after)]
  return Object.fromEntries(
    Object.entries(are).flatMap(([name, value]) =>
      were[name] === value ? [] : [[name, `${were[name] || '(none)'} → ${value || '(none)'}`]],
    ),
  )
}

function inWords({ street, city, state, zip, phone, timeZone, hours, policy }: Yard): Record<string, string> {
  const days = weekdays.map((day) => `${nameOfDay(day)} ${timesInWords(hours?.[day] ?? null)}`)
  return {
    street,
    city,
    state,
    zip,
    phone,
    timeZone,
    hours: hours ? days.join(', ') : '',
    ...policy,
  }
}
