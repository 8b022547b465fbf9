import { sql } from 'kysely'
import { DAYS_TO_REOPEN } from '#contract/account/accounts.ts'
import { endingDate } from '#contract/account/ending-date.ts'
import { isOpen, orderStates } from '#contract/order/order-steps.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import { settleGoneSellers } from '#server/features/market/for-sale/gone-sellers.ts'
import type { Letterhead } from '#server/features/people/accounts/account-mails.ts'
import { isClosing, settleClosureQueue } from '#server/features/people/accounts/closure.ts'
import { type Caller, deleteSessionsOf } from '#server/features/people/accounts/sessions.ts'
import { type NewMail, queueMail } from '#server/features/talk/mail/mail.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'

const DAY_MS = 24 * 60 * 60_000

type Deps = { db: Db; now: () => Date; letterhead: Letterhead }

/**
 * Closes the person's account: signs out every device, revokes every API token, and enqueues taking down the listings
 * and ending the subscription. After `DAYS_TO_REOPEN` days, everything is erased.
 * @throws AppError CONFLICT for the last administrator, and while an order is open or money is to move
 */
export async function closeAccount(deps: Deps, actor: Actor, caller: Caller): Promise<Date> {
  const { userId, email } = actor
  const now = deps.now()
  const eraseAfter = new Date(now.getTime() + DAYS_TO_REOPEN * DAY_MS)
  await deps.db.transaction().execute(async (trx) => {
    await refuseLastAdmin(trx, userId)
    await refuseOpenOrders(trx, userId)
    await refuseOpenMoney(trx, userId)
    // A closure canceled just now may still have listings to restore, which keep their mark.
    await sql`
      insert into account_closure as c (user_id, asked_at, taken_down_at, erase_after)
      values (${userId}, ${now}, ${now}, ${eraseAfter})
      on conflict (user_id) do update set asked_at = ${now}, erase_after = ${eraseAfter}, reopened_at = null
      where c.erased_at is null
    `.execute(trx)
    await settleGoneSellers(trx, userId)
    const sessions = await deleteSessionsOf(trx, userId)
    const { numAffectedRows } = await sql`delete from api_token where user_id = ${userId}`.execute(trx)
    const detail = { sessions, tokens: Number(numAffectedRows), eraseAfter: eraseAfter.toISOString() }
    await writeAudit(trx, { action: 'account-closed', actorUserId: userId, detail, ...caller })
    await queueMail(trx, closedMail(deps.letterhead, { to: email, eraseAfter }))
    await enqueueJob(trx, { queue: settleClosureQueue, payload: { userId } })
  })
  return eraseAfter
}

/** Locks all administrators, so that of two who close their accounts at once, the second sees the first. */
async function refuseLastAdmin(trx: Db, userId: string): Promise<void> {
  await sql`
    select from app_user where id = ${userId} or (role = 1 and disabled_at is null) order by id for no key update
  `.execute(trx)
  // A second read, after waiting for the locks.
  const { rows } = await sql<{ id: string }>`
    select id from app_user u where role = 1 and (id = ${userId} or (disabled_at is null and not ${isClosing}))
  `.execute(trx)
  const others = rows.filter(({ id }) => id !== userId)
  if (others.length > 0 || rows.length === 0) return
  throw new AppError(
    'CONFLICT',
    'You are the last administrator. Make someone else an administrator, then close your account.',
  )
}

/** Neither ended nor delivered: `isOpen` of `contract/order/order-steps.ts`. */
const openStates = orderStates.filter(isOpen)

// As many as a sentence can name.
const NAMED = 3

/** Orders that the person's yard sells or the person buys, and delivered ones about which something is undecided. */
async function refuseOpenOrders(trx: Db, userId: string): Promise<void> {
  const sellers = sql`select seller_id from seller_member where user_id = ${userId}`
  const { rows } = await sql<{ number: string }>`
    select number from part_order
    where (state = any(${openStates}) or disputed or open_returns > 0)
      and (seller_id in (${sellers}) or buyer_user_id = ${userId})
    order by id limit ${NAMED + 1}
  `.execute(trx)
  if (rows.length === 0) return
  const numbers = rows.slice(0, NAMED).map(({ number }) => number)
  const named = `${numbers.join(', ')}${rows.length > NAMED ? ' and others' : ''}`
  throw new AppError(
    'CONFLICT',
    `You have open orders: ${named}. Your account can be closed once they are delivered or canceled, and decided.`,
  )
}

/** What the person's yard has not got of its sales, and what it owes after refunds. */
async function refuseOpenMoney(trx: Db, userId: string): Promise<void> {
  const { rows } = await sql<{ comingCents: number; debtCents: number }>`
    select coalesce(-sum(e.amount_cents) filter (where e.account in ('held', 'core')), 0)::float8 as "comingCents",
           coalesce(sum(e.amount_cents) filter (where e.account = 'seller-debt'), 0)::float8 as "debtCents"
    from ledger_entry e join part_order o on o.id = e.order_id
    where o.seller_id in (select seller_id from seller_member where user_id = ${userId})`.execute(trx)
  const { comingCents, debtCents } = onlyRow(rows)
  if (debtCents > 0) {
    const sentence = `You owe ${moneyInWords(debtCents)} after refunds.`
    throw new AppError('CONFLICT', `${sentence} Write to us to pay it; then your account can be closed.`)
  }
  if (comingCents > 0) {
    const sentence = `${moneyInWords(comingCents)} of your sales is not transferred yet.`
    throw new AppError('CONFLICT', `${sentence} Your account can be closed once it is.`)
  }
}

function closedMail(
  { productName, publicUrl, supportEmail }: Letterhead,
  { to, eraseAfter }: { to: string; eraseAfter: Date },
): NewMail {
  return {
    to,
    subject: `Your ${productName} account is closed`,
    body: `Hello,

Your ${productName} account was just closed. Your listings are coming down, your subscription ends, and all devices and API
tokens were signed out. On ${endingDate(eraseAfter)} we erase your data.

Changed your mind? Sign in before that day and your account and listings come back:
${publicUrl}/login

If this wasn't you, sign in now, change your password, and write to ${supportEmail}.

${productName}
`,
  }
}

/** Sent after the listings of a reopened account are restored. */
export function reopenedMail(
  { productName, publicUrl }: Letterhead,
  { to, listings, hadPlan }: { to: string; listings: number; hadPlan: boolean },
): NewMail {
  const plan = hadPlan
    ? `\n\nYour Pro plan ended when you closed the account. To continue, choose Pro again:\n${publicUrl}/dashboard/seller/account-settings`
    : ''
  return {
    to,
    subject: `Your ${productName} account stays open`,
    body: `Hello,

You signed in, so your ${productName} account stays open and nothing is erased. Listings that are live again: ${listings}.${plan}

API tokens do not come back. Create new ones for your systems in Account settings.

${productName}
`,
  }
}
