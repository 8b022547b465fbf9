import { sql } from 'kysely'
import type { Carrier } from '#contract/order/order-steps.ts'
import {
  allowsReturnStep,
  isReturnOver,
  openReturnStates,
  type ReturnCondition,
  type ReturnKind,
  type ReturnReason,
  type ReturnState,
  type ReturnStepName,
  returnSteps,
} from '#contract/order/returns/return-steps.ts'
import { eventOfStep } from '#contract/order/returns/return-words.ts'
import type { JsonObject } from '#db/schema.gen.ts'
import { type By, type Order, type OrderChanges, writeEvent } from '#server/features/money/orders/orders.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { PhotoSide } from './return-photos.ts'

/* Rows of `order_return`, and the one way in which their state changes. Callers hold the order's lock. */

export type ReturnRow = {
  readonly id: string
  readonly orderId: string
  readonly kind: ReturnKind
  readonly reason: ReturnReason
  readonly state: ReturnState
  /** The buyer's words. */
  readonly note: string
  readonly lineIds: readonly string[]
  readonly partCents: number
  readonly feeCents: number
  readonly shippingCents: number
  readonly coreCents: number
  readonly wayBack: 'buyer' | 'yard'
  readonly carrier: Carrier | null
  readonly tracking: string | null
  readonly sentAt: Date | null
  readonly condition: ReturnCondition | null
  readonly answer: string | null
  readonly decision: string | null
  readonly reminded: boolean
  readonly actAt: Date | null
  readonly createdAt: Date
  /** The buyer's. */
  readonly photoIds: readonly string[]
  /** The yard's. */
  readonly answerPhotoIds: readonly string[]
}

const photosOf = (side: PhotoSide) => sql`coalesce((
  select array_agg(p.id order by p.id) from order_photo p where p.return_id = r.id and p.side = ${side}), '{}')`

const columns = sql`
  r.id, r.order_id as "orderId", r.kind, r.reason, r.state, r.note, r.line_ids as "lineIds",
  r.part_cents::float8 as "partCents", r.fee_cents::float8 as "feeCents", r.shipping_cents::float8 as "shippingCents",
  r.core_cents::float8 as "coreCents", r.way_back as "wayBack", r.carrier, r.tracking, r.sent_at as "sentAt",
  r.condition, r.answer, r.decision, r.reminded, r.act_at as "actAt", r.created_at as "createdAt",
  ${photosOf('buyer')} as "photoIds", ${photosOf('seller')} as "answerPhotoIds"`

/** Of several orders, oldest first. */
export async function listReturns(db: Db, orderIds: readonly string[]): Promise<ReturnRow[]> {
  const { rows } = await sql<ReturnRow>`
    select ${columns} from order_return r where r.order_id = any(${[...orderIds]}::uuid[]) order by r.id`.execute(
    db,
  )
  return rows
}

/** @throws AppError NOT_FOUND, also for the return of another order */
export async function getReturn(db: Db, orderId: string, id: string): Promise<ReturnRow> {
  const found = (await listReturns(db, [orderId])).find((row) => row.id === id)
  if (!found) throw new AppError('NOT_FOUND', 'This order has no such return or claim.')
  return found
}

export const isOpenReturn = ({ state }: Pick<ReturnRow, 'state'>): boolean => !isReturnOver(state)

/** Whether the part or core is at the yard, or was sent there. */
export const isOnItsWay = ({ kind, sentAt, condition }: ReturnRow): boolean =>
  kind !== 'claim' && (sentAt !== null || condition !== null)

export type NewReturn = Pick<
  ReturnRow,
  'orderId' | 'kind' | 'reason' | 'state' | 'note' | 'lineIds' | 'partCents' | 'feeCents' | 'shippingCents'
> &
  Pick<ReturnRow, 'coreCents' | 'wayBack' | 'createdAt'> & { actAt: Date }

export async function insertReturn(trx: Db, row: NewReturn): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into order_return (order_id, kind, reason, state, note, line_ids, part_cents, fee_cents, shipping_cents,
      core_cents, way_back, act_at, created_at)
    values (${row.orderId}, ${row.kind}, ${row.reason}, ${row.state}, ${row.note}, ${[...row.lineIds]}::uuid[],
      ${row.partCents}, ${row.feeCents}, ${row.shippingCents}, ${row.coreCents}, ${row.wayBack}, ${row.actAt},
      ${row.createdAt})
    returning id`.execute(trx)
  await countOpen(trx, row.orderId)
  return onlyRow(rows).id
}

/** `open_returns` stops the release of the order's money; an open core does not. */
async function countOpen(trx: Db, orderId: string): Promise<void> {
  await sql`
    update part_order set updated_at = now(), open_returns = (
      select count(*) from order_return
      where order_id = ${orderId} and kind <> 'core' and state = any(${openReturnStates}::text[]))
    where id = ${orderId}`.execute(trx)
}

export async function changeReturn(trx: Db, id: string, changes: OrderChanges): Promise<void> {
  const sets = Object.entries(changes).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  await sql`update order_return set ${sql.join(sets)} where id = ${id}`.execute(trx)
}

const WHY_NOT: Record<ReturnState, string> = {
  asked: 'The yard has not answered yet.',
  declined: 'The yard has declined this already.',
  deciding: 'An administrator is deciding this.',
  approved: 'The yard has approved this already.',
  sent: 'The part is on its way back already.',
  refunded: 'This is settled: the money goes back.',
  refused: 'This is settled: no money goes back.',
  withdrawn: 'This has ended.',
  lapsed: 'The time for sending it back is over.',
}

const wrongReturnState = ({ state }: Pick<ReturnRow, 'state'>): AppError =>
  new AppError('STATE', WHY_NOT[state])

export type ReturnMove = By & {
  now: Date
  /** When it goes on by itself; none if this ends it. */
  actAt?: Date | undefined
  set?: OrderChanges
  detail?: JsonObject
}

/**
 * Takes a step: the state, the columns that come with it, and the event. Returns the changed row.
 * @throws AppError STATE for a step that the table does not have
 */
export async function moveReturn(
  trx: Db,
  { order, row }: { order: Pick<Order, 'id' | 'state'>; row: ReturnRow },
  step: ReturnStepName,
  { now, actAt, set = {}, detail = {}, side, userId }: ReturnMove,
): Promise<ReturnRow> {
  if (!allowsReturnStep(step, row)) throw wrongReturnState(row)
  const { to } = returnSteps[step]
  const times = isReturnOver(to) ? { act_at: null, ended_at: now } : { act_at: actAt ?? now }
  await changeReturn(trx, row.id, { state: to, ...times, ...set })
  await writeEvent(trx, order, {
    kind: eventOfStep(step),
    at: now,
    side,
    userId,
    detail: { returnId: row.id, of: row.kind, ...detail },
  })
  await countOpen(trx, order.id)
  return getReturn(trx, order.id, row.id)
}

/** Whether one of these steps was taken before: asking again is no error, and changes nothing. */
export async function wasReturnStepTaken(
  db: Db,
  { id, orderId }: Pick<ReturnRow, 'id' | 'orderId'>,
  steps: readonly ReturnStepName[],
): Promise<boolean> {
  const { rows } = await sql`
    select from order_event where order_id = ${orderId} and kind = any(${steps.map(eventOfStep)}::text[])
      and detail ->> 'returnId' = ${id} limit 1`.execute(db)
  return rows.length > 0
}
