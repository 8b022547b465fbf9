import { type RawBuilder, sql } from 'kysely'
import type { adminPeopleEndpoints, Person } from '#contract/admin/people.ts'
import type { Input } from '#contract/endpoint.ts'
import { settleGoneSellers } from '#server/features/market/for-sale/gone-sellers.ts'
import { liveListingsIfEnabled } from '#server/features/market/for-sale/tally.ts'
import { endSubscriptionQueue } from '#server/features/money/billing/endings.ts'
import { changeGrant } from '#server/features/money/billing/plans.ts'
import { isClosing } from '#server/features/people/accounts/closure.ts'
import { voidAllLinks } from '#server/features/people/accounts/email/address-links.ts'
import { deleteSessionsOf, SESSION_IDLE_MS } from '#server/features/people/accounts/sessions.ts'
import { endTokens } from '#server/features/people/api-tokens/api-tokens.ts'
import { deleteTicketsOf } from '#server/features/people/factors/tickets.ts'
import { type AuditActor, writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { likePart } from '#server/platform/database/quoted-text.ts'
import { AppError } from '#server/platform/errors.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'

type Access = { role: number; disabled: boolean }

/**
 * Whether an administrator may change someone's access. `locked` contains the person and every administrator who can
 * sign in.
 * @throws AppError NOT_ALLOWED if the actor is no longer an administrator, CONFLICT with the reason
 */
function requireAllowed(
  locked: readonly PersonState[],
  { actorId, personId, after }: { actorId: string; personId: string; after: Access },
): void {
  const admins = locked.filter(({ role, disabled }) => role === 1 && !disabled)
  if (!admins.some(({ id }) => id === actorId)) {
    throw new AppError('NOT_ALLOWED', 'You are no longer an administrator.')
  }
  if (after.disabled && actorId === personId) {
    throw new AppError('CONFLICT', 'You cannot disable your own account. Ask another administrator to do it.')
  }
  const others = admins.filter(({ id }) => id !== personId)
  const staysAdmin = after.role === 1 && !after.disabled
  if (staysAdmin || others.length > 0) return
  throw new AppError(
    'CONFLICT',
    'This is the last administrator who can sign in. Make someone else an administrator first.',
  )
}

/** `q` is part of the person's name, email or yard name. */
type PeopleFilter = Omit<Input<typeof adminPeopleEndpoints.listPeople>['query'], 'page' | 'perPage'>

/** Joins a person's seller; if there are several, the one they own. */
const theirSeller = sql`join lateral (
  select seller.* from seller_member m join seller on seller.id = m.seller_id
  where m.user_id = u.id order by m.role = 'owner' desc, seller.id limit 1
) s on true`

function matching({ q = '', role, tier, state }: PeopleFilter): RawBuilder<unknown> {
  const words = likePart(q.trim())
  const conditions = [
    q.trim() !== '' && sql`(u.name ilike ${words} or u.email::text ilike ${words} or s.name ilike ${words})`,
    role && sql`u.role = ${role === 'admin' ? 1 : 0}`,
    tier && sql`s.tier = ${tier}`,
    state && (state === 'active' ? sql`u.disabled_at is null` : sql`u.disabled_at is not null`),
  ].filter((condition) => typeof condition === 'object')
  // Only these two filters need the seller, which costs a lookup of each person's membership.
  const seller = q.trim() !== '' || tier ? theirSeller : sql``
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
  return sql`from app_user u ${seller} ${where}`
}

export type PeoplePage = { page: number; perPage: number; now: Date }

/** Newest first. */
export function listPeople(
  db: Db,
  filter: PeopleFilter,
  { page, perPage, now }: PeoplePage,
): Promise<Person[]> {
  const chosen = sql`
    select u.id ${matching(filter)} order by u.id desc limit ${perPage} offset ${(page - 1) * perPage}
  `
  return readPeople(db, chosen, now)
}

export async function countPeople(db: Db, filter: PeopleFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total ${matching(filter)}`.execute(db)
  return rows[0]?.total ?? 0
}

export async function findPerson(db: Db, id: string, now: Date): Promise<Person | undefined> {
  const [person] = await readPeople(db, sql`select ${id}::uuid as id`, now)
  return person
}

type Row = Omit<Person, 'createdAt' | 'lastSeenAt' | 'disabledAt'> & {
  createdAt: Date
  lastSeenAt: Date | null
  disabledAt: Date | null
}

async function readPeople(db: Db, chosen: RawBuilder<unknown>, now: Date): Promise<Person[]> {
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS)
  const { rows } = await sql<Row>`
    select u.id, u.name, u.email::text as email, u.role, u.disabled_at as "disabledAt",
           u.created_at as "createdAt", greatest(u.last_seen_at, seen.at) as "lastSeenAt", seen.sessions,
           s.id as "sellerId", s.name as "sellerName", s.tier as "sellerTier",
           s.subscription_status as "subscriptionStatus", s.connect_status as "connectStatus",
           s.pro_granted_at is not null as "proGranted", s.trusted, s.review_imports as "reviewImports", s.certified,
           ${liveListingsIfEnabled(sql.ref('s.id'))} as "activeListings",
           not exists (
             select from seller_member m join app_user o on o.id = m.user_id
             where m.seller_id = s.id and o.id <> u.id and o.disabled_at is null
               and not exists (select from account_closure c where c.user_id = o.id and c.reopened_at is null)
           ) as "sellsAlone", s.plan_problem as "planProblem",
           s.subscription_id is not null and s.subscription_status in ('ACTIVE', 'PAST_DUE', 'PENDING')
             as "isCharged"
    from (${chosen}) chosen
    join app_user u using (id)
    ${theirSeller}
    cross join lateral (
      -- A process of the release before writes only sessions.
      select max(last_seen_at) as at,
             count(*) filter (where expires_at > ${now} and last_seen_at > ${idleSince}) as sessions
      from session where user_id = u.id
    ) seen
    order by u.id desc
  `.execute(db)
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    disabledAt: row.disabledAt?.toISOString() ?? null,
  }))
}

type PersonState = Access & { id: string; isErased: boolean }

/**
 * Locks a person and all administrators who can sign in, by id, so that of two who revoke each other's role at once,
 * the second sees the first's change.
 */
async function lockWithAdmins(trx: Db, id: string): Promise<PersonState[]> {
  await sql`
    select from app_user where id = ${id} or (role = 1 and disabled_at is null) order by id for update
  `.execute(trx)
  // A second read, after waiting for the locks; excludes administrators whose account is closing.
  const { rows } = await sql<PersonState>`
    select id, role, disabled_at is not null as disabled,
           exists (select from account_closure c where c.user_id = u.id and c.erased_at is not null) as "isErased"
    from app_user u
    where id = ${id} or (role = 1 and disabled_at is null and not ${isClosing})
  `.execute(trx)
  return rows
}

type SellerState = {
  id: string
  proGranted: boolean
  trusted: boolean
  reviewImports: boolean
  certified: boolean
}

async function lockSellerOf(trx: Db, userId: string): Promise<SellerState | undefined> {
  const { rows } = await sql<SellerState>`
    select id, pro_granted_at is not null as "proGranted", trusted, review_imports as "reviewImports", certified
    from seller
    where id = (select s.id from app_user u ${theirSeller} where u.id = ${userId})
    for update
  `.execute(trx)
  return rows[0]
}

type PersonChange = Input<typeof adminPeopleEndpoints.changePerson>['body'] & {
  personId: string
  by: AuditActor
}

/** `canReadPlans`: whether payments are on. */
type Deps = { now: Date; canReadPlans: boolean }

/**
 * Changes a person's access in one transaction and logs each change with its values before and after. A person who is
 * disabled or becomes an administrator is signed out everywhere, because a token that was good enough for a seller's
 * phone must not silently become an administrator's. Their subscription ends, too.
 * @throws AppError CONFLICT, NOT_ALLOWED (see `requireAllowed`)
 */
export async function changePerson(db: Db, change: PersonChange, deps: Deps): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (change.role !== undefined || change.disabled !== undefined) await changeAccess(trx, change, deps)
    const { proGranted, trusted, reviewImports, certified } = change
    if ([proGranted, trusted, reviewImports, certified].some((each) => each !== undefined)) {
      await changeSeller(trx, change, deps)
    }
  })
}

async function changeAccess(trx: Db, change: PersonChange, { now, canReadPlans }: Deps): Promise<void> {
  const { personId, by } = change
  const locked = await lockWithAdmins(trx, personId)
  const before = locked.find(({ id }) => id === personId)
  if (!before) return
  if (before.isErased) {
    throw new AppError('CONFLICT', 'Its owner closed this account, and it was erased. It cannot be restored.')
  }
  const after = { role: change.role ?? before.role, disabled: change.disabled ?? before.disabled }
  requireAllowed(locked, { actorId: by.actorUserId, personId, after })
  if (after.role !== before.role) {
    await sql`update app_user set role = ${after.role} where id = ${personId}`.execute(trx)
    const detail = { from: before.role, to: after.role }
    await writeAudit(trx, { action: 'role-changed', target: personId, detail, ...by })
  }
  if (after.disabled !== before.disabled) {
    const at = after.disabled ? now : null
    await sql`update app_user set disabled_at = ${at} where id = ${personId}`.execute(trx)
    const action = after.disabled ? 'account-disabled' : 'account-enabled'
    const detail = { from: before.disabled, to: after.disabled }
    await writeAudit(trx, { action, target: personId, detail, ...by })
    // Enabling must not bring back what an intruder may hold.
    if (after.disabled) {
      await endTokens(trx, personId)
      await voidAllLinks(trx, personId, now)
      await deleteTicketsOf(trx, personId)
    }
    await settleGoneSellers(trx, personId)
  }
  if (!isShutOut(before, after)) return
  await deleteSessionsOf(trx, personId)
  if (canReadPlans) await endPlans(trx, change, after)
}

/** A disabled person cannot use what they pay for, and administrators are not charged. */
async function endPlans(trx: Db, change: PersonChange, { disabled }: Access): Promise<void> {
  const { personId: userId, subscription: when = 'period-end', by } = change
  // A seller with another person who can sign in keeps its plan.
  const { rows } = await sql<{ sellerId: string }>`
    select s.id as "sellerId" from seller_member m join seller s on s.id = m.seller_id
    where m.user_id = ${userId} and s.stripe_customer_id is not null and not exists (
      select from seller_member other join app_user u on u.id = other.user_id
      where other.seller_id = s.id and u.id <> ${userId} and u.role = 0 and u.disabled_at is null
    )
  `.execute(trx)
  const reason = disabled ? 'disabled' : 'administrator'
  for (const { sellerId } of rows) {
    await enqueueJob(trx, { queue: endSubscriptionQueue, payload: { sellerId, userId, when, reason } })
    const detail = { when, reason, person: userId }
    await writeAudit(trx, { action: 'subscription-end-asked', target: sellerId, detail, ...by })
  }
}

const isShutOut = (before: Access, after: Access): boolean =>
  (after.disabled && !before.disabled) || after.role > before.role

async function changeSeller(trx: Db, change: PersonChange, { canReadPlans }: Deps): Promise<void> {
  const { personId, by, proGranted } = change
  const before = await lockSellerOf(trx, personId)
  if (!before) return
  const sellerId = before.id
  if (proGranted !== undefined && proGranted !== before.proGranted) {
    await changeGrant(trx, { sellerId, granted: proGranted, canRead: canReadPlans, by })
  }
  const after = importsAfter(before, change)
  if (after.trusted !== before.trusted) {
    await sql`update seller set trusted = ${after.trusted} where id = ${sellerId}`.execute(trx)
    const detail = { from: before.trusted, to: after.trusted, person: personId }
    await writeAudit(trx, { action: 'trust-changed', target: sellerId, detail, ...by })
  }
  const { certified = before.certified } = change
  if (certified !== before.certified) {
    await sql`update seller set certified = ${certified} where id = ${sellerId}`.execute(trx)
    const detail = { from: before.certified, to: certified, person: personId }
    await writeAudit(trx, { action: 'certification-changed', target: sellerId, detail, ...by })
  }
  if (after.reviewImports !== before.reviewImports) {
    await sql`update seller set review_imports = ${after.reviewImports} where id = ${sellerId}`.execute(trx)
    const detail = { from: before.reviewImports, to: after.reviewImports, person: personId }
    await writeAudit(trx, { action: 'import-review-changed', target: sellerId, detail, ...by })
  }
}

/** A seller cannot be both trusted and under review; turning one on turns the other off. */
function importsAfter(
  before: SellerState,
  { trusted = before.trusted, reviewImports = before.reviewImports }: PersonChange,
): Pick<SellerState, 'trusted' | 'reviewImports'> {
  if (trusted && reviewImports) {
    return before.trusted ? { trusted: false, reviewImports } : { trusted, reviewImports: false }
  }
  return { trusted, reviewImports }
}

/** Ends all sessions and API tokens of another person. */
export async function signOutPerson(
  db: Db,
  { personId, by }: { personId: string; by: AuditActor },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const apiTokens = (await endTokens(trx, personId)).length
    const sessions = await deleteSessionsOf(trx, personId)
    const detail = { sessions, apiTokens }
    await writeAudit(trx, { action: 'person-signed-out', target: personId, detail, ...by })
  })
}
