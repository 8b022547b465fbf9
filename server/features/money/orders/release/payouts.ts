import { sql } from 'kysely'
import { z } from 'zod'
import {
  type ProviderCalls,
  ProviderFailure,
  type ProviderPayout,
} from '#server/features/money/billing/provider.ts'
import { tellPayoutFailed } from '#server/features/money/orders/letters/release-mails.ts'
import { keepDifferences } from '#server/features/money/orders/money/compare-books.ts'
import type { StepDeps } from '#server/features/money/orders/money/provider-steps.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import type { JobQueue, JobRun } from '#server/platform/jobs/job-definition.ts'

/* What yards' banks got: the provider pays out by its own schedule, and we only read it, after its events and every hour. */

/** A paid payout fails within days; this is more than any bank takes. */
const READ_BACK_DAYS = 30

type Account = { accountId: string; sellerId: string; yard: string; timeZone: string }

async function findAccounts(db: Db, accountId?: string): Promise<Account[]> {
  const { rows } = await sql<Account>`
    select distinct t.account_id as "accountId", s.id as "sellerId", s.name as yard,
           s.time_zone as "timeZone"
    from order_transfer t join seller s on s.id = t.seller_id
    left join seller_payout p on p.id = t.payout_id
    where ${accountId ?? null}::text is null
        and (t.payout_id is null or p.state <> 'paid' or p.made_at > now() - make_interval(days => ${READ_BACK_DAYS}))
      or t.account_id = ${accountId ?? null}
    order by 1`.execute(db)
  return rows
}

/** Reads the payouts of a yard's account, and which of our transfers they brought to its bank. */
export async function readPayouts(deps: StepDeps, accountId: string, calls: ProviderCalls): Promise<void> {
  for (const account of await findAccounts(deps.db, accountId)) await readPayoutsOf(deps, account, calls)
}

async function readPayoutsOf(deps: StepDeps, account: Account, calls: ProviderCalls): Promise<void> {
  const since = new Date(deps.now().getTime() - READ_BACK_DAYS * 86_400_000)
  for await (const payout of calls.listPayouts(account.accountId, since)) {
    const isNew = await writePayout(deps, account, payout)
    if (isNew) await assignTransfers(deps.db, account.accountId, payout.id, calls)
  }
}

/** Returns whether its transfers are not known yet. Tells the yard once if its bank refused it. */
function writePayout(deps: StepDeps, account: Account, payout: ProviderPayout): Promise<boolean> {
  const { id, cents, status, problem, arrivesAt, createdAt } = payout
  return inTransaction(deps.db, async (trx) => {
    const { rows } = await sql<{ state: string; known: boolean }>`
      select state, exists (select from order_transfer where payout_id = ${id}) as known
      from seller_payout where id = ${id} for update`.execute(trx)
    const [before] = rows
    await sql`
      insert into seller_payout (id, seller_id, cents, state, problem, arrives_at, made_at)
      values (${id}, ${account.sellerId}, ${cents}, ${status}, ${problem}, ${arrivesAt}, ${createdAt})
      on conflict (id) do update set state = excluded.state, problem = excluded.problem, arrives_at = excluded.arrives_at
    `.execute(trx)
    if (status === 'failed' && before?.state !== 'failed') {
      await tellPayoutFailed(trx, { ...account, cents, createdAt, problem }, deps)
    }
    return before?.known !== true
  })
}

async function assignTransfers(
  db: Db,
  accountId: string,
  payoutId: string,
  calls: ProviderCalls,
): Promise<void> {
  const payments: string[] = []
  try {
    for await (const payment of calls.listPaidOut(accountId, payoutId)) payments.push(payment)
  } catch (error) {
    // The provider lists the payments of automatic payouts only, and yards can make others in its dashboard.
    if (error instanceof ProviderFailure && error.status === 400) return
    throw error
  }
  await sql`
    update order_transfer set payout_id = ${payoutId}
    where account_id = ${accountId} and payout_id is null and payment_id = any(${payments}::text[])`.execute(
    db,
  )
}

/* Every hour. */

export const orderBooksQueue: JobQueue<Record<string, never>> = {
  name: 'order-books',
  title: 'Compare the books with Stripe',
  payload: z.object({}).strict(),
  // The provider may be away for a moment; the next hour tries again, too.
  maxAttempts: 3,
  retryDelaySeconds: 60,
  resumable: true,
  timeoutSeconds: 1_800,
  concurrency: 1,
}

/** Whether there is money of orders at all. */
export async function hasBooks(trx: Db): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select exists (select from ledger_entry) as has`.execute(trx)
  return rows[0]?.has === true
}

type BooksDeps = StepDeps & { calls: () => ProviderCalls }

/** Compares the books, and reads the payouts of yards that wait for one or got one lately. */
export async function checkBooks(
  deps: BooksDeps,
  { signal, log }: Pick<JobRun<unknown>, 'signal' | 'log'>,
): Promise<{ compared: number; differences: number; accounts: number }> {
  const { compared, differences } = await keepDifferences(deps.db, {
    calls: deps.calls(),
    now: deps.now(),
    site: deps.site,
  })
  for (const { order, text } of differences) await log(`${order ?? 'no order'}: ${text}`, 'stderr')
  const accounts = await findAccounts(deps.db)
  for (const account of accounts) {
    signal.throwIfAborted()
    await readPayoutsOf(deps, account, deps.calls()).catch((error: unknown) => {
      // An account that was deleted keeps no other from being read.
      if (!(error instanceof ProviderFailure)) throw error
      return log(`${account.accountId}: not read: ${error.message}`, 'stderr')
    })
  }
  return { compared, differences: differences.length, accounts: accounts.length }
}
