import { sql } from 'kysely'
import type { z } from 'zod'
import type { Reply } from '#contract/endpoint.ts'
import type { ownBulkEndpoints } from '#contract/listings.ts'
import { userSource, withChangeSet } from '#server/features/market/history/change-sets.ts'
import {
  findOrdered,
  inOrderSentence,
  type LetGo,
  letGoOfHeld,
  type PartInOrder,
} from '#server/features/market/listings/ordered-parts.ts'
import {
  type BulkChange,
  changeListings,
  diffColumns,
  type ListingRecord,
  lockListings,
} from '#server/features/market/listings/write-queries.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { titleOf } from './undo-bulk-edit.ts'

/* Bulk changes of a seller's own listings: new prices, or sold. */

type OwnChange = z.output<typeof ownBulkEndpoints.changeOwnListings.body>
type Outcome = Reply<typeof ownBulkEndpoints.changeOwnListings>

type OwnChangeRequest = { change: OwnChange; actor: Actor; requestId: string; ip: string; now: Date }

/** The maximum price in cents, as in the listing rules. */
const HIGHEST_CENTS = 9_999_999_999

/**
 * Changes own listings in one transaction, under one change set, which `undoBulkEdit` can undo. Skips and returns
 * listings that cannot take the change. If a listing belongs to another seller, it is not found and nothing changes.
 */
export function changeOwnListings(db: Db, asked: OwnChangeRequest): Promise<Outcome> {
  const { change, actor } = asked
  return inTransaction(db, async (trx) => {
    const listings = await lockListings(trx, change.ids)
    const own = change.ids.map((id) => listings.get(id)).filter((one) => one?.seller_id === actor.sellerId)
    if (own.length < change.ids.length) {
      throw new AppError(
        'NOT_FOUND',
        'One of these is not your listing. Load the page again, then choose them again.',
      )
    }
    const asDecided = [...new Set(own as ListingRecord[])].map((listing) => decide(listing, asked))
    const ordered = await findOrdered(
      trx,
      asDecided.filter((one) => 'columns' in one),
    )
    const decided = asDecided.map((one) => keepOrdered(one, ordered))
    const changes = decided.filter((one) => 'columns' in one)
    const kept = decided.filter((one) => 'why' in one)
    if (change.action === 'age' && change.preview) {
      return { ok: true, updated: 0, changeSetId: null, kept, prices: changes.map(previewOf) }
    }
    const changeSetId = changes.length === 0 ? null : await save(trx, asked, changes)
    return { ok: true, updated: changes.length, changeSetId, kept }
  })
}

/** Lets go of own parts in carts before they are ended; of others' parts, nothing. */
export async function letGoOfOwn(
  db: Db,
  { ids, sellerId }: { ids: readonly string[]; sellerId: string },
  letGo: LetGo | undefined,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from listing where id = any(${[...ids]}::uuid[]) and seller_id = ${sellerId} and ended_at is null
  `.execute(db)
  const own = rows.map(({ id }) => id)
  await letGoOfHeld(db, own, { letGo, side: 'seller' })
}

const keepOrdered = (one: Decision, ordered: ReadonlyMap<string, PartInOrder>): Decision => {
  const part = 'columns' in one && ordered.get(one.before.id)
  return part ? { id: one.before.id, title: titleOf(one.before), why: inOrderSentence(part) } : one
}

const previewOf = ({ before, columns }: BulkChange) => ({
  id: before.id,
  title: titleOf(before),
  from: before.price_cents / 100,
  to: Number(columns.price_cents?.[1]) / 100,
})

type Decision = BulkChange | Outcome['kept'][number]

function decide(listing: ListingRecord, { change, now }: OwnChangeRequest): Decision {
  const keep = (why: string) => ({ id: listing.id, title: titleOf(listing), why })
  if (listing.deleted_at) return keep('It was deleted')
  if (change.action === 'end') {
    if (listing.ended_at) return keep('It is already sold or withdrawn')
    return { before: listing, columns: diffColumns(listing, { ended_at: now, ended_reason: change.reason }) }
  }
  if (change.action === 'age' && listing.ended_at) return keep('It is already sold or withdrawn')
  const cents =
    change.action === 'age' ? agedPrice(listing, change, now) : newPrice(listing.price_cents, change)
  if (cents === undefined) return keep('It is not old enough for any rule')
  if (cents < 0) return keep('Its price would be below zero')
  if (cents > HIGHEST_CENTS) return keep('Its price would be above $99,999,999.99')
  const columns = diffColumns(listing, { price_cents: cents })
  return Object.keys(columns).length === 0 ? keep('It already has this price') : { before: listing, columns }
}

const DAY_MS = 86_400_000

/**
 * Applies the rule with the highest age that the listing has reached. Never goes below the floor; a price already below
 * it stays. Undefined if no rule applies.
 */
function agedPrice(
  listing: ListingRecord,
  { rules, floor }: Pick<Extract<OwnChange, { action: 'age' }>, 'rules' | 'floor'>,
  now: Date,
): number | undefined {
  const age = (now.getTime() - listing.created_at.getTime()) / DAY_MS
  const rule = rules.filter(({ days }) => days <= age).toSorted((one, other) => other.days - one.days)[0]
  if (!rule) return undefined
  const cents = newPrice(listing.price_cents, { how: 'percent', value: rule.percent })
  if (rule.percent >= 0) return cents
  return Math.max(cents, Math.min(listing.price_cents, Math.round(floor * 100)))
}

type PriceChange = Pick<Extract<OwnChange, { action: 'price' }>, 'how' | 'value'>

/** In cents, rounded half up: 10% off $9.95 is $8.96. */
function newPrice(cents: number, { how, value }: PriceChange): number {
  if (how === 'percent') return Math.round((cents * (10_000 + Math.round(value * 100))) / 10_000)
  const amount = Math.round(value * 100)
  return how === 'set' ? amount : cents + amount
}

function save(
  trx: Db,
  { actor, requestId, ip, change }: OwnChangeRequest,
  changes: BulkChange[],
): Promise<string> {
  const source = userSource({ actor, requestId }, 'bulk edit', actor.sellerId)
  return withChangeSet(trx, source, async (_trx, changeSetId) => {
    await changeListings(trx, changes, changeSetId)
    const detail = { updated: changes.length, sent: change.ids.length }
    const entry = { actorUserId: actor.userId, target: changeSetId, requestId, ip, detail }
    await writeAudit(trx, { action: 'bulk-edit-saved', ...entry })
    return changeSetId
  })
}
