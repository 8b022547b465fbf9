import { sql } from 'kysely'
import { moneyInWords } from '#contract/text/typed-number.ts'
import {
  type ProviderCalls,
  ProviderFailure,
  type ProviderTransfer,
} from '#server/features/money/billing/provider.ts'
import { tellMoney } from '#server/features/money/orders/letters/release-mails.ts'
import { balanceOf, post } from '#server/features/money/orders/money/ledger.ts'
import type { StepDeps } from '#server/features/money/orders/money/provider-steps.ts'
import { finishStep } from '#server/features/money/orders/money/wanted-steps.ts'
import { changeOrder, lockOrder, writeEvent } from '#server/features/money/orders/orders.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { findWantedMove, type Move } from './moves.ts'
import { isReleasable, takeBack } from './settling.ts'

/*
 * Transfers and reversals at the provider. Each is read before it is repeated, and repeated with the same key until its outcome
 * is known; a refusal is an outcome, so the try after it has a key of its own.
 */

const CLOCK = { side: 'clock' } as const
const MINUTE_MS = 60_000
/** Within this time a request that was sent is done at the provider or lost. */
const IN_FLIGHT_MS = 10 * MINUTE_MS
/** The yard may mend its account any time; the provider is back sooner than after any other failure. */
const AGAIN_MS = { refused: 10 * MINUTE_MS, unknown: 30_000 }
const LONGEST_AGAIN_MS = 6 * 60 * MINUTE_MS

/** Does one wanted step. What the provider does not do now stays wanted, with its reason. */
export async function performMove(deps: StepDeps, move: Move, calls: ProviderCalls): Promise<void> {
  try {
    await (move.kind === 'transfer' ? transfer : reverse)(deps, move, calls)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    await postpone(deps, move, error)
  }
}

/** The provider stores its refusals with the key; only an unknown outcome needs the same one. */
const keyOf = ({ id, tries }: Move): string => (tries === 0 ? id : `${id}-${tries}`)

/** What stopped a step is kept for `payments doctor`; the yard is told once. */
function postpone(deps: StepDeps, { id, orderId }: Move, failure: Refused): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    const move = await findWantedMove(trx, id)
    if (!move) return
    const isRefused = !failure.mayPass
    const tries = move.tries + Number(isRefused)
    const pause = AGAIN_MS[isRefused ? 'refused' : 'unknown'] * 2 ** Math.min(tries, 6)
    const at = new Date(deps.now().getTime() + Math.min(pause, LONGEST_AGAIN_MS))
    await sql`
      update order_step set problem = ${failure.message.slice(0, 500)}, tries = ${tries}, try_at = ${at},
        sent_at = ${isRefused ? null : move.sentAt}, request = ${isRefused ? sql`request - 'account'` : sql`request`}
      where id = ${id}`.execute(trx)
    if (!isRefused || move.tries > 0) return
    const problem = failure.forYard ?? 'Stripe refused to transfer it to your account.'
    const detail = { amountCents: move.cents, reason: problem }
    await writeEvent(trx, order, { kind: 'transfer-waits', at: deps.now(), ...CLOCK, detail })
    await tellMoney(trx, order, { kind: 'transfer-waits', cents: move.cents, problem }, deps)
  })
}

type Refused = { message: string; mayPass: boolean; forYard?: string }

const NOT_ACTIVE: Refused = {
  message: 'The yard’s Stripe account cannot receive transfers',
  mayPass: false,
  forYard:
    'Your Stripe account cannot receive money yet. Open your payout settings and finish what Stripe asks for.',
}

/* To the yard. */

async function transfer(deps: StepDeps, move: Move, calls: ProviderCalls): Promise<void> {
  const made = (await calls.listTransfersOf(move.orderId)).find(({ stepId }) => stepId === move.id)
  if (made) return settleTransfer(deps, move, made)
  const sending = await beginSending(deps, move)
  if (sending === undefined) return
  if ('message' in sending) return postpone(deps, move, sending)
  const wanted = { ...sending, stepId: move.id, orderId: move.orderId, cents: move.cents }
  await settleTransfer(deps, move, await calls.createTransfer(wanted, keyOf(sending.move)))
}

type Sending = { chargeId: string; accountId: string; move: Move }

/**
 * Checks, under the order's lock, that the money may still go, and notes that it is sent. A step that is not in flight and
 * may no longer go is called off: the sweep decides again.
 */
function beginSending({ db, now }: StepDeps, { id, orderId }: Move): Promise<Sending | Refused | undefined> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    const move = await findWantedMove(trx, id)
    if (!move) return undefined
    if (!(await isStillDue(trx, move, now()))) return callOff(trx, move, now())
    const account = await readAccount(trx, order.sellerId)
    const accountId = move.request.account ?? (account.canTransfer ? account.id : null)
    if (accountId === null || order.chargeId === null) return NOT_ACTIVE
    const request = JSON.stringify({ ...move.request, account: accountId })
    await sql`update order_step set sent_at = ${now()}, request = ${request}::jsonb where id = ${id}`.execute(
      trx,
    )
    return { chargeId: order.chargeId, accountId, move }
  })
}

async function isStillDue(trx: Db, { orderId, cents }: Move, now: Date): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select ${isReleasable(now)} as due from part_order o where o.id = ${orderId}`.execute(trx)
  return rows[0]?.due === true && -(await balanceOf(trx, orderId, 'held')) >= cents
}

async function callOff(trx: Db, { id, orderId, sentAt }: Move, now: Date): Promise<undefined> {
  const isInFlight = sentAt !== null && now.getTime() - sentAt.getTime() < IN_FLIGHT_MS
  if (isInFlight) {
    const at = new Date(now.getTime() + MINUTE_MS)
    await sql`update order_step set try_at = ${at} where id = ${id}`.execute(trx)
    return undefined
  }
  await finishStep(trx, id, { state: 'void', problem: 'The money may no longer go to the yard' })
  await changeOrder(trx, orderId, { to_release: true })
  return undefined
}

async function readAccount(db: Db, sellerId: string): Promise<{ id: string | null; canTransfer: boolean }> {
  const { rows } = await sql<{ id: string | null; canTransfer: boolean }>`
    select stripe_account_id as id, can_transfer as "canTransfer" from seller where id = ${sellerId}`.execute(
    db,
  )
  return rows[0] ?? { id: null, canTransfer: false }
}

function settleTransfer(deps: StepDeps, { id, orderId }: Move, made: ProviderTransfer): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    const move = await findWantedMove(trx, id)
    if (!move) return
    const now = deps.now()
    await sql`
      insert into order_transfer (id, order_id, seller_id, account_id, cents, payment_id, made_at)
      values (${made.id}, ${orderId}, ${order.sellerId}, ${made.accountId ?? ''}, ${made.cents},
              ${made.paymentId ?? made.id}, ${now})`.execute(trx)
    await post(trx, {
      orderId,
      at: now,
      why: 'transferred',
      providerId: made.id,
      amounts: { held: made.cents, provider: -made.cents },
    })
    await finishStep(trx, id, { state: 'done', providerId: made.id })
    await sql`
      update part_order set released_at = coalesce(released_at, ${now}), updated_at = now() where id = ${orderId}`.execute(
      trx,
    )
    const detail = { amountCents: made.cents }
    await writeEvent(trx, order, { kind: 'transferred', at: now, ...CLOCK, detail })
    const nettedCents = await nettedBy(trx, id)
    await tellMoney(trx, order, { kind: 'money-released', cents: made.cents, nettedCents }, deps)
  })
}

async function nettedBy(trx: Db, stepId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select amount_cents::float8 as cents from ledger_entry
    where provider_id = ${stepId} and why = 'netted' and account = 'held'`.execute(trx)
  return rows[0]?.cents ?? 0
}

/* Back from the yard. */

async function reverse(deps: StepDeps, move: Move, calls: ProviderCalls): Promise<void> {
  const { transfer: transferId } = move.request
  if (transferId === undefined) return owe(deps, move, { owedCents: move.cents })
  const known = await calls.listReversals(transferId)
  const made = known.find(({ stepId }) => stepId === move.id)
  if (made) return settleReversal(deps, move, made)
  const { cents, reversedCents, accountId } = await calls.readTransfer(transferId)
  // Somebody reversed it by hand: that much is not there to be taken, and is a difference of the books.
  const rest = Math.min(move.cents, cents - reversedCents)
  if (rest < move.cents) return owe(deps, move, { owedCents: move.cents - rest, again: rest })
  try {
    const wanted = { transferId, stepId: move.id, orderId: move.orderId, cents: move.cents }
    await settleReversal(deps, move, await calls.createReversal(wanted, keyOf(move)))
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.mayPass) throw error
    const covered = await readCovered(accountId, move.cents, calls)
    await owe(deps, move, { owedCents: move.cents - covered, again: covered, problem: error.message })
  }
}

/** What the yard's balance covers of a reversal that was refused: never all of it, as it was refused. */
async function readCovered(accountId: string | null, cents: number, calls: ProviderCalls): Promise<number> {
  if (accountId === null) return 0
  const { available, pending } = await calls.getBalance(accountId)
  const dollars = [...available, ...pending].filter(({ currency }) => currency === 'usd')
  const balance = dollars.reduce((sum, { amount }) => sum + amount, 0)
  return balance > 0 && balance < cents ? balance : 0
}

function settleReversal(
  deps: StepDeps,
  { id, orderId }: Move,
  made: { id: string; cents: number },
): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    const move = await findWantedMove(trx, id)
    if (!move) return
    const now = deps.now()
    await sql`
      update order_transfer set reversed_cents = reversed_cents + ${made.cents}
      where id = ${move.request.transfer ?? ''}`.execute(trx)
    await post(trx, {
      orderId,
      at: now,
      why: 'reversed',
      providerId: made.id,
      amounts: { provider: made.cents, held: -made.cents },
    })
    await finishStep(trx, id, { state: 'done', providerId: made.id })
    const detail = { amountCents: made.cents }
    await writeEvent(trx, order, { kind: 'taken-back', at: now, ...CLOCK, detail })
    const why = move.request.why ?? ''
    await tellMoney(trx, order, { kind: 'taken-back', cents: made.cents, why }, deps)
  })
}

type Owing = { owedCents: number /** Still to be taken back. */; again?: number; problem?: string }

/** What cannot be taken back is kept of the yard's next sales. */
function owe(deps: StepDeps, { id, orderId }: Move, { owedCents, again = 0, problem }: Owing): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const order = await lockOrder(trx, orderId)
    const move = await findWantedMove(trx, id)
    if (!move) return
    const now = deps.now()
    const why = move.request.why ?? ''
    await finishStep(trx, id, {
      state: 'void',
      problem: problem ?? `${moneyInWords(owedCents)} is not there to be taken back`,
    })
    await post(trx, {
      orderId,
      at: now,
      why: 'owed',
      providerId: id,
      amounts: { held: -owedCents, 'seller-debt': owedCents },
    })
    await writeEvent(trx, order, { kind: 'owed', at: now, ...CLOCK, detail: { amountCents: owedCents } })
    await tellMoney(trx, order, { kind: 'owed', cents: owedCents, why }, deps)
    if (again > 0) await takeBack(trx, order, { cents: again, why, now })
  })
}
