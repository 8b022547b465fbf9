import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AGAIN_MS, OFFER_HOLD_MS, UNPAID_HOLDS } from '#contract/order/order-steps.ts'
import { mailboxOf } from '#server/features/talk/mail/mail.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { AppError, waitInWords } from '#server/platform/errors.ts'
import { networkOf } from '#server/platform/net/addresses.ts'

/*
 * A hold: pieces of a listing that only one buyer can have, until they are sold or released. Whoever takes or ends one locks the listing first, so that two buyers at once cannot get the same piece.
 */

/** Who asks: caps count by mailbox, browser and network. */
export type Asker = { email: string; device: string | undefined; ip: string }

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const hashesOf = ({ email, device, ip }: Asker) => ({
  mailbox: digest(mailboxOf(email)),
  device: device === undefined ? null : digest(device),
  network: digest(networkOf(ip)),
})

type Piece = { listingId: string; quantity: number }

type Locked = { sellerId: string; quantity: number; isOffered: boolean; isSoldOnline: boolean }

/** Locks a listing, and reads how many pieces it has and whether it is still offered. */
async function lockPart(trx: Db, listingId: string): Promise<Locked | undefined> {
  const { rows } = await sql<Locked>`
    select seller_id as "sellerId", quantity,
           status = 'ACTIVE' and ended_at is null and deleted_at is null as "isOffered",
           exists (select from seller s where s.id = seller_id and s.sells_online and s.can_transfer
                   and s.connect_status = 'VERIFIED') as "isSoldOnline"
    from listing where id = ${listingId} for no key update`.execute(trx)
  return rows[0]
}

/** Pieces of a listing that others have. */
export async function countHeld(db: Db, listingId: string): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select coalesce(sum(quantity), 0)::int as held from part_hold
    where listing_id = ${listingId} and ended_at is null`.execute(db)
  return rows[0]?.held ?? 0
}

const TAKEN = 'Another buyer has this part right now, or it was just sold'

/** With the places of taken parts among several, if there are several. */
export const partTaken = (places: readonly number[] = []) =>
  new AppError('PART_TAKEN', `${TAKEN}. We can tell you if it comes back.`, {
    ...(places.length > 0 && { fields: Object.fromEntries(places.map((at) => [`items.${at}`, TAKEN])) }),
  })

type NewHolds = {
  pieces: readonly Piece[]
  orderId: string
  asker: Asker | undefined
  until: Date | null
  now: Date
}

/**
 * Takes the holds of an order: of all of its parts, or of none. The same for one part and for several.
 * @throws AppError PART_TAKEN with the taken ones by their place among the pieces (`items.1`), HOLD_LIMIT
 */
export async function takeHolds(trx: Db, holds: NewHolds, kind: 'cart' | 'pending' = 'cart'): Promise<void> {
  const { orderId, asker, until, now } = holds
  const pieces = await lockFree(trx, holds.pieces)
  const hashes = asker && hashesOf(asker)
  if (hashes && kind === 'cart') await requireFewHolds(trx, { ...hashes, pieces, now })
  for (const { listingId, quantity, sellerId } of pieces) {
    await sql`
      insert into part_hold (listing_id, seller_id, order_id, quantity, kind, mailbox, device, network, expires_at, created_at)
      values (${listingId}, ${sellerId}, ${orderId}, ${quantity}, ${kind}, ${hashes?.mailbox ?? null},
              ${hashes?.device ?? null}, ${hashes?.network ?? null}, ${until}, ${now})`.execute(trx)
    await noteHold(trx, listingId)
  }
}

type FreePiece = Piece & { sellerId: string }

/** Locks the listings, all in one order, so that two orders of the same parts cannot wait for each other. */
async function lockFree(trx: Db, pieces: readonly Piece[]): Promise<FreePiece[]> {
  const free: FreePiece[] = []
  for (const piece of pieces.toSorted((a, b) => (a.listingId < b.listingId ? -1 : 1))) {
    const part = await lockPart(trx, piece.listingId)
    const held = part?.isOffered ? await countHeld(trx, piece.listingId) : 0
    if (part?.isOffered && held + piece.quantity <= part.quantity)
      free.push({ ...piece, sellerId: part.sellerId })
  }
  if (free.length < pieces.length) {
    const isFree = new Set(free.map(({ listingId }) => listingId))
    const taken = pieces.flatMap(({ listingId }, at) => (isFree.has(listingId) ? [] : [at]))
    throw partTaken(pieces.length > 1 ? taken : [])
  }
  return free
}

type Counted = { carts: number; parts: number; nearCarts: number; nearParts: number; lapsedAt: Date | null }
type Caps = ReturnType<typeof hashesOf> & { pieces: readonly Piece[]; now: Date }

/** Counts unpaid orders, and the parts in them: several parts of one order are one cart. */
async function requireFewHolds(trx: Db, { mailbox, device, network, pieces, now }: Caps): Promise<void> {
  // Of one mailbox or network, one at a time: two tabs at once see each other.
  for (const key of [mailbox, network]) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`hold:${key.toString('hex')}`}, 0))`.execute(
      trx,
    )
  }
  const since = new Date(now.getTime() - AGAIN_MS)
  const listingIds = pieces.map(({ listingId }) => listingId)
  const isMine = sql`(mailbox = ${mailbox} or device = ${device})`
  const { rows } = await sql<Counted>`
    select mine.*, near.*, lapsed.*
    from (select count(distinct order_id)::int as carts, count(*)::int as parts from part_hold
          where ended_at is null and kind = 'cart' and ${isMine}) mine,
         (select count(distinct order_id)::int as "nearCarts", count(*)::int as "nearParts" from part_hold
          where ended_at is null and kind = 'cart' and network = ${network}) near,
         (select max(ended_at) as "lapsedAt" from part_hold where listing_id = any(${listingIds}::uuid[])
          and ending = 'lapsed' and ended_at > ${since} and ${isMine}) lapsed`.execute(trx)
  const counted = onlyRow(rows)
  if (counted.lapsedAt !== null) {
    const wait = waitInWords((counted.lapsedAt.getTime() + AGAIN_MS - now.getTime()) / 1_000)
    throw new AppError(
      'HOLD_LIMIT',
      `You held ${pieces.length === 1 ? 'this part' : 'one of these parts'} before and did not pay. You can try again in ${wait}.`,
    )
  }
  refuseMany(counted, pieces.length)
}

/** @throws AppError HOLD_LIMIT */
function refuseMany({ carts, parts, nearCarts, nearParts }: Counted, more: number): void {
  const { byBuyer, partsByBuyer, byNetwork, partsByNetwork } = UNPAID_HOLDS
  if (carts >= byBuyer) {
    throw new AppError(
      'HOLD_LIMIT',
      `You already hold ${parts} parts that are not paid. Pay or cancel one of them first.`,
    )
  }
  if (parts + more > partsByBuyer) {
    throw new AppError(
      'HOLD_LIMIT',
      `At most ${partsByBuyer} parts can be held for you while they are not paid. Pay or cancel an order first, or order fewer.`,
    )
  }
  if (nearCarts >= byNetwork || nearParts + more > partsByNetwork) {
    throw new AppError(
      'HOLD_LIMIT',
      `${nearParts} parts are held from your network and not paid. Try again when one of them is paid or let go.`,
    )
  }
}

/** The hold of an order that pays an accepted offer is the conversation's. */
export type HoldOwner = { id: string; leadId: string | null }
const ofOwner = ({ id, leadId }: HoldOwner) =>
  sql`(order_id = ${id} or (${leadId}::uuid is not null and lead_id = ${leadId}::uuid)) and ended_at is null`

export async function hasHold(db: Db, owner: HoldOwner): Promise<boolean> {
  const { rows } = await sql`select from part_hold where ${ofOwner(owner)} limit 1`.execute(db)
  return rows.length > 0
}

/** The order is paid: others see "Sale pending", and no clock runs. */
export async function keepHold(trx: Db, owner: HoldOwner): Promise<void> {
  const { rows } = await sql<{ listingId: string }>`
    update part_hold set kind = 'pending', expires_at = null where ${ofOwner(owner)}
    returning listing_id as "listingId"`.execute(trx)
  for (const { listingId } of rows) await noteHold(trx, listingId)
}

export type HoldEnding = 'sold' | 'lapsed' | 'released'

/** Ends the hold of an order, and returns the parts it held. An accepted offer keeps its hold when a payment lapses. */
export async function endHold(trx: Db, owner: HoldOwner, ending: HoldEnding, now: Date): Promise<string[]> {
  const owned = ending === 'sold' ? ofOwner(owner) : sql`order_id = ${owner.id} and ended_at is null`
  const { rows } = await sql<{ listingId: string }>`
    update part_hold set ended_at = ${now}, ending = ${ending} where ${owned}
    returning listing_id as "listingId"`.execute(trx)
  for (const { listingId } of rows) await noteHold(trx, listingId)
  return rows.map(({ listingId }) => listingId)
}

/** The yard could not find these parts of an order: others may have them if they turn up. */
export async function endHoldOfParts(
  trx: Db,
  { orderId, listingIds, now }: { orderId: string; listingIds: readonly string[]; now: Date },
): Promise<void> {
  await sql`
    update part_hold set ended_at = ${now}, ending = 'released'
    where order_id = ${orderId} and listing_id = any(${[...listingIds]}::uuid[]) and ended_at is null`.execute(
    trx,
  )
  for (const listingId of listingIds) await noteHold(trx, listingId)
}

async function noteHold(trx: Db, listingId: string): Promise<void> {
  await sql`select note_hold(${listingId})`.execute(trx)
}

/* Accepted offers. */

/** Holds the part of an accepted offer if its yard sells online and nobody else has it. Returns whether it is held now. */
export async function holdForOffer(
  trx: Db,
  { leadId, listingId, now }: { leadId: string; listingId: string; now: Date },
): Promise<boolean> {
  const part = await lockPart(trx, listingId)
  if (!part?.isOffered || !part.isSoldOnline || (await countHeld(trx, listingId)) >= part.quantity)
    return false
  const until = new Date(now.getTime() + OFFER_HOLD_MS)
  await sql`
    insert into part_hold (listing_id, seller_id, lead_id, quantity, kind, expires_at, created_at)
    values (${listingId}, ${part.sellerId}, ${leadId}, 1, 'pending', ${until}, ${now})
    on conflict do nothing`.execute(trx)
  await noteHold(trx, listingId)
  return true
}

/** Ends the holds of offers that nobody paid in time; returns their parts. */
export async function endOfferHolds(trx: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ listingId: string }>`
    update part_hold h set ended_at = ${now}, ending = 'lapsed'
    where h.lead_id is not null and h.ended_at is null and h.expires_at <= ${now}
      and not exists (select from part_order o where o.lead_id = h.lead_id and o.state in ('pending', 'authorized', 'capturing'))
    returning listing_id as "listingId"`.execute(trx)
  for (const { listingId } of rows) await noteHold(trx, listingId)
  return rows.map(({ listingId }) => listingId)
}

/**
 * The yard ends or an administrator hides these parts: offers that were accepted for them hold nothing any more. Returns
 * their conversations, whose buyers want to hear of it.
 */
export async function releaseOfferHolds(
  trx: Db,
  listingIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ listingId: string; leadId: string }>`
    update part_hold set ended_at = ${now}, ending = 'released'
    where listing_id = any(${[...listingIds]}::uuid[]) and lead_id is not null and ended_at is null
    returning listing_id as "listingId", lead_id as "leadId"`.execute(trx)
  for (const { listingId } of rows) await noteHold(trx, listingId)
  return rows.map(({ leadId }) => leadId)
}

/** The conversation's open hold, and when it ends. */
export async function findOfferHold(db: Db, leadId: string): Promise<{ until: Date } | undefined> {
  const { rows } = await sql<{ until: Date }>`
    select expires_at as until from part_hold where lead_id = ${leadId} and ended_at is null`.execute(db)
  return rows[0]
}

/** Lets go of the pieces of a listing for changes that the order itself makes: the guard lets this transaction pass. */
export async function passGuard(trx: Db): Promise<void> {
  await sql`select set_config('partharbor.ordering', 'on', true)`.execute(trx)
}
