import { dayInWords } from '#contract/order/order-words.ts'
import {
  ANSWER_DAYS,
  MAX_RETURN_PHOTOS,
  type ReturnCondition,
  type ReturnKind,
  type ReturnReason,
  returnReasons,
} from '#contract/order/returns/return-steps.ts'
import { returnEvents } from '#contract/order/returns/return-words.ts'
import { daysAfter } from '#server/features/money/orders/deadline-times.ts'
import {
  type By,
  changeOrder,
  lockOrder,
  type Order,
  type OrderLine,
  wasTaken,
  writeEvent,
  wrongState,
} from '#server/features/money/orders/orders.ts'
import { type AuditActor, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { tellReturn } from './return-letters.ts'
import { attachPhotos } from './return-photos.ts'
import {
  getReturn,
  insertReturn,
  isOnItsWay,
  isOpenReturn,
  listReturns,
  type ReturnRow,
  wasReturnStepTaken,
} from './return-rows.ts'
import {
  choicesOf,
  freeLines,
  moneyOf,
  type ReturnContext,
  returnUntilOf,
  sentLines,
} from './return-rules.ts'
import { type ReturnDeps, type Step, takeReturnStep } from './settlement.ts'

/* What buyer, yard and administrators do with returns, claims and cores. */

type Deed = { orderId: string; by: By }

async function contextOf(db: Db, order: Order, now: Date): Promise<ReturnContext> {
  const [rows, arrivedSilently] = await Promise.all([
    listReturns(db, [order.id]),
    wasTaken(db, order.id, 'arrive'),
  ])
  return { now, rows, arrivedSilently }
}

/* The buyer. */

type Asking = Deed & {
  kind: ReturnKind
  reason: ReturnReason
  /** Of these listings; all that can be if empty. */
  listingIds: readonly string[]
  text: string
  photoIds: readonly string[]
}

/**
 * Asks for a return, claims, or says that the core is on its way. The same again while it is open is no second one.
 * @throws AppError STATE with the rule that does not allow it, VALIDATION_FAILED
 */
export function askReturn(db: Db, asking: Asking, deps: ReturnDeps): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, asking.orderId)
    const now = deps.now()
    const context = await contextOf(trx, order, now)
    if (asking.kind === 'core') await sendCore(trx, { order, rows: context.rows, by: asking.by }, deps)
    else if (!isAskedAlready(order, context.rows, asking))
      await openReturn(trx, order, { ...asking, context }, deps)
    return lockOrder(trx, order.id)
  })
}

const named = (order: Order, listingIds: readonly string[]): OrderLine[] =>
  listingIds.length === 0
    ? sentLines(order)
    : sentLines(order).filter(({ listingId }) => listingIds.includes(listingId))

const isAskedAlready = (
  order: Order,
  rows: readonly ReturnRow[],
  { kind, reason, listingIds }: Asking,
): boolean =>
  rows.some(
    (row) =>
      isOpenReturn(row) &&
      row.kind === kind &&
      row.reason === reason &&
      named(order, listingIds).every(({ id }) => row.lineIds.includes(id)),
  )

type Opening = Asking & { context: ReturnContext }

async function openReturn(trx: Db, order: Order, opening: Opening, deps: ReturnDeps): Promise<void> {
  const { kind, reason, text, photoIds, by, context } = opening
  const { now } = context
  const lines = linesFor(order, opening)
  const id = await insertReturn(trx, {
    orderId: order.id,
    kind,
    reason,
    state: 'asked',
    note: text,
    lineIds: lines.map((line) => line.id),
    ...moneyOf(order, lines, reason),
    createdAt: now,
    actAt: daysAfter(now, ANSWER_DAYS),
  })
  await attachPhotos(trx, { orderId: order.id, side: 'buyer', to: { returnId: id }, photoIds })
  if (order.state === 'shipped') await changeOrder(trx, order.id, { act_at: null })
  const detail = { returnId: id, of: kind, reasonName: reason }
  await writeEvent(trx, order, { kind: returnEvents.ask, at: now, ...by, detail })
  await tellReturn(trx, { order, row: await getReturn(trx, order.id, id) }, 'ask', deps)
}

/** @throws AppError STATE, VALIDATION_FAILED */
function linesFor(order: Order, { reason, listingIds, context }: Opening): OrderLine[] {
  const unknown = listingIds.filter((id) => !sentLines(order).some(({ listingId }) => listingId === id))
  if (unknown.length > 0) {
    const sentence = 'Choose parts of this order'
    throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields: { lines: sentence } })
  }
  const choice = choicesOf(order, context).find((one) => one.reason === reason)
  const lines = (choice?.lines ?? []).filter(
    ({ listingId }) => listingIds.length === 0 || listingIds.includes(listingId),
  )
  if (lines.length > 0 && lines.length >= new Set(listingIds).size) return lines
  throw whyNot(order, reason, context)
}

/** The rule that a request breaks. */
function whyNot(order: Order, reason: ReturnReason, { rows }: ReturnContext): AppError {
  const { state, deliveredAt, disputed, timeZone } = order
  const no = (sentence: string) => new AppError('STATE', sentence)
  if (disputed) return no('This order is disputed at the bank. It is decided there first.')
  const isDelivered = deliveredAt !== null && (state === 'delivered' || state === 'closed')
  if (!isDelivered && state !== 'shipped') return wrongState(order)
  if (freeLines(order, rows).length < sentLines(order).length)
    return no('There is a return or claim for this part already. See it on the order’s page.')
  if (reason === 'not-arrived') {
    return no(
      isDelivered
        ? 'This order was delivered. If something is wrong with the part, choose what it is.'
        : 'The part may still be on its way. You can report it a week after it was shipped.',
    )
  }
  if (!isDelivered) return no('If the part arrived, say so first. Then you can report what is wrong with it.')
  if (returnReasons[reason].kind === 'claim')
    return no('The time to report a problem is over. Write to the yard.')
  const until = returnUntilOf(order, deliveredAt)
  return no(
    until === null
      ? 'This part was sold without returns. If something is wrong with it, choose what it is.'
      : `Returns were possible until ${dayInWords(until.toISOString(), timeZone)}.`,
  )
}

type Sending = { order: Order; rows: readonly ReturnRow[]; by: By }

async function sendCore(trx: Db, { order, rows, by }: Sending, deps: ReturnDeps): Promise<void> {
  const row = rows.find(({ kind, state }) => kind === 'core' && (state === 'approved' || state === 'sent'))
  if (!row) throw new AppError('STATE', 'No old part is to come back for this order.')
  if (row.state === 'sent') return
  await takeReturnStep(trx, { order, row }, { ...by, step: 'send', set: { sent_at: deps.now() } }, deps)
}

/** Repeated steps change nothing. */
async function stepOnce(
  trx: Db,
  subject: { order: Order; row: ReturnRow; photoIds?: readonly string[] },
  { or = [], ...step }: Step & { or?: readonly Step['step'][] },
  deps: ReturnDeps,
): Promise<void> {
  if (await wasReturnStepTaken(trx, subject.row, [step.step, ...or])) return
  const { photoIds } = subject
  if (photoIds) await attachAnswer(trx, subject.row, photoIds)
  await takeReturnStep(trx, subject, step, deps)
}

/** The yard may answer twice: first the request, then what came back. */
async function attachAnswer(trx: Db, row: ReturnRow, photoIds: readonly string[]): Promise<void> {
  if (row.answerPhotoIds.length + photoIds.length > MAX_RETURN_PHOTOS) {
    const sentence = `Add at most ${MAX_RETURN_PHOTOS} photos in all`
    throw new AppError('VALIDATION_FAILED', `${sentence}.`, { fields: { photoIds: sentence } })
  }
  await attachPhotos(trx, { orderId: row.orderId, side: 'seller', to: { returnId: row.id }, photoIds })
}

type Changing = Deed & {
  returnId: string
  step: 'send' | 'appeal' | 'withdraw'
  carrier?: string | undefined
  tracking: string
}

export function changeReturn(
  db: Db,
  { orderId, returnId, by, step, carrier, tracking }: Changing,
  deps: ReturnDeps,
): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    const row = await getReturn(trx, orderId, returnId)
    const sent = {
      set: { sent_at: deps.now(), carrier: carrier ?? null, tracking: tracking || null },
      detail: { tracking },
    }
    await stepOnce(trx, { order, row }, { ...by, step, ...(step === 'send' && sent) }, deps)
    return lockOrder(trx, orderId)
  })
}

/* The yard. */

type Answering = Deed & {
  returnId: string
  answer: 'approve' | 'decline' | 'received'
  condition: ReturnCondition
  reason: string
  /** The yard takes no restocking fee, whatever its terms said. */
  waiveFee: boolean
  photoIds: readonly string[]
}

/** @throws AppError STATE, NOT_FOUND */
export function answerReturn(
  db: Db,
  { orderId, returnId, by, answer, condition, reason, waiveFee, photoIds }: Answering,
  deps: ReturnDeps,
): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    const row = await getReturn(trx, orderId, returnId)
    const said = { set: { answer: reason || null }, detail: { reason } }
    const received = { set: { answer: reason || null, condition }, detail: { reason } }
    const subject = { order, row, photoIds }
    if (answer === 'approve') {
      const step = row.kind === 'claim' ? 'grant' : 'approve'
      const waived = waiveFee ? { fee_cents: 0 } : {}
      await stepOnce(trx, subject, { ...by, ...said, set: { ...said.set, ...waived }, step }, deps)
    } else if (answer === 'decline') {
      await stepOnce(trx, subject, { ...by, ...said, step: 'decline' }, deps)
    } else if (condition === 'good') {
      await stepOnce(trx, subject, { ...by, ...received, step: 'receive', or: ['contest'] }, deps)
    } else {
      await stepOnce(trx, subject, { ...by, ...received, step: 'contest', or: ['receive'] }, deps)
    }
    return lockOrder(trx, orderId)
  })
}

/* Administrators. */

type Deciding = Deed & {
  returnId: string
  decision: 'refund' | 'refuse' | 'split' | 'allow'
  amountCents: number | undefined
  reason: string
  audit: AuditActor
}

/** @throws AppError STATE, NOT_FOUND, VALIDATION_FAILED */
export function decideReturn(
  db: Db,
  { orderId, returnId, by, decision, amountCents, reason, audit }: Deciding,
  deps: ReturnDeps,
): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    const row = await getReturn(trx, orderId, returnId)
    if (await wasReturnStepTaken(trx, row, [decision])) return order
    if (decision === 'allow' && isOnItsWay(row))
      throw new AppError('STATE', 'The part was sent back already. Decide about the money.')
    const step = {
      ...by,
      step: decision,
      set: { decision: reason },
      detail: { reason, ...(amountCents !== undefined && { amountCents }) },
      ...(amountCents !== undefined && { splitCents: amountCents }),
    }
    await takeReturnStep(trx, { order, row }, step, deps)
    await writeAudit(trx, {
      action: 'return-decided',
      target: orderId,
      detail: { number: order.number, decision },
      ...audit,
    })
    return lockOrder(trx, orderId)
  })
}
