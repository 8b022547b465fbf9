import { sql } from 'kysely'
import { moneyInWords } from '#contract/text/typed-number.ts'
import type {
  BalanceChange,
  ProviderCalls,
  ProviderTransfer,
} from '#server/features/money/billing/provider.ts'
import { tellDifferences } from '#server/features/money/orders/letters/book-mails.ts'
import type { OrderSite } from '#server/features/money/orders/letters/telling.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { findLedgerProblems } from './ledger.ts'

/*
 * Our books against the provider's, to the cent: balance transactions by the object that caused them, and every transfer
 * with its reversals. What differs is listed until it is gone; nothing is mended.
 */

type Difference = {
  /** What differs of which object. */
  key: string
  /** The order's number, if it is known. */
  order: string | null
  text: string
}

/** A change that one side heard of this short a time ago may be on its way to the other. */
const ON_ITS_WAY_MS = 10 * 60_000
/** The provider tells its fee within minutes. */
const FEE_MS = 60 * 60_000

type Compared = { differences: Difference[]; compared: number }

/** @throws ProviderFailure */
export async function compareBooks(db: Db, calls: ProviderCalls, now: Date): Promise<Compared> {
  const problems = (await findLedgerProblems(db)).map(({ order, problem }) => ({
    key: `order ${order}: ${problem.replaceAll(/-?\d+/g, '#')}`,
    order,
    text: `The order's own entries do not agree: ${problem} (cents).`,
  }))
  const balance = await compareBalance(db, calls, now)
  const transfers = await compareTransfers(db, calls, now)
  return {
    differences: [...problems, ...balance.differences, ...transfers.differences],
    compared: balance.compared + transfers.compared,
  }
}

/* Balance transactions. */

type Entry = { source: string; cents: number; order: string; at: Date; isFeeless: boolean }

/** Our entries at the provider, by object. The fee of a charge is entered under its balance transaction. */
async function readEntries(db: Db): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select case when e.why = 'fee' then coalesce(o.charge_id, e.provider_id) else e.provider_id end as source,
           sum(e.amount_cents)::float8 as cents, o.number as order, max(e.at) as at,
           bool_or(e.why = 'captured') and not bool_or(e.why = 'fee') as "isFeeless"
    from ledger_entry e join part_order o on o.id = e.order_id
    where e.account = 'provider' group by 1, o.number order by o.number, 1`.execute(db)
  return rows
}

type Theirs = { cents: number; at: Date; type: string; change: BalanceChange }

/**
 * By what we entered them under: charges and refunds by their own id, what a dispute takes or gives back by the change's.
 */
function theirsByEntry(
  changes: readonly BalanceChange[],
  isOurs: (id: string) => boolean,
): Map<string, Theirs> {
  const theirs = new Map<string, Theirs>()
  for (const change of changes) {
    const { id, source, netCents: cents, at, type } = change
    if (source === null) continue
    const key = isOurs(source) || !isOurs(id) ? source : id
    const known = theirs.get(key)
    if (known) known.cents += cents
    else theirs.set(key, { cents, at, type, change })
  }
  return theirs
}

async function compareBalance(db: Db, calls: ProviderCalls, now: Date): Promise<Compared> {
  // Theirs first: what we write while it is listed is too new to miss.
  const changes: BalanceChange[] = []
  for await (const change of calls.listBalance()) changes.push(change)
  const ours = new Map((await readEntries(db)).map((entry) => [entry.source, entry]))
  const theirs = theirsByEntry(changes, (id) => ours.has(id))
  const orders = await readOrdersByObject(db)
  return {
    differences: [...differingOfOurs(ours, theirs, now), ...missingOfTheirs(theirs, { ours, orders, now })],
    compared: ours.size,
  }
}

type Ours = ReadonlyMap<string, Entry>

/** Our entries of which the provider has nothing, or another amount. */
function differingOfOurs(ours: Ours, theirs: ReadonlyMap<string, Theirs>, now: Date): Difference[] {
  return [...ours].flatMap(([source, { cents, order, at, isFeeless }]) => {
    const there = theirs.get(source)
    const age = now.getTime() - at.getTime()
    if (there?.cents === cents || age < (isFeeless ? FEE_MS : ON_ITS_WAY_MS)) return []
    const text = there
      ? `${source}: we have ${inDollars(cents)}, Stripe ${inDollars(there.cents)}.`
      : `${source}: we have ${inDollars(cents)}, and Stripe has nothing.`
    return [{ key: `balance ${source}`, order, text }]
  })
}

type Known = { ours: Ours; orders: ReadonlyMap<string, string>; now: Date }

/** What the provider has of orders, and we have not. */
function missingOfTheirs(theirs: ReadonlyMap<string, Theirs>, { ours, orders, now }: Known): Difference[] {
  return [...theirs].flatMap(([source, { cents, at, type, change }]) => {
    if (ours.has(source) || now.getTime() - at.getTime() < ON_ITS_WAY_MS) return []
    const order =
      orders.get(change.causeId ?? source) ?? (change.orderId && orders.get(change.orderId)) ?? null
    if (order === null && change.orderId === null && !ONLY_OF_ORDERS.has(type)) return []
    const text = `${source}: Stripe has ${inDollars(cents)} (${type}), and we have nothing.`
    return [{ key: `balance ${source}`, order, text }]
  })
}

/** The platform makes none of these for anything else. */
const ONLY_OF_ORDERS: ReadonlySet<string> = new Set(['transfer', 'transfer_refund', 'transfer_failure'])

/** The numbers of orders, by their ids, charges and transfers. */
async function readOrdersByObject(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; number: string }>`
    select id::text, number from part_order where charge_id is not null
    union all select charge_id, number from part_order where charge_id is not null
    union all select t.id, o.number from order_transfer t join part_order o on o.id = t.order_id`.execute(db)
  return new Map(rows.map(({ id, number }) => [id, number]))
}

/* Transfers. */

type OurTransfer = {
  id: string
  order: string
  orderId: string
  cents: number
  reversedCents: number
  chargeId: string
  accountId: string
  madeAt: Date
}

async function readTransfers(db: Db): Promise<OurTransfer[]> {
  const { rows } = await sql<OurTransfer>`
    select t.id, o.number as order, o.id as "orderId", t.cents::float8 as cents, t.reversed_cents::float8 as "reversedCents",
           o.charge_id as "chargeId", coalesce(s.request ->> 'account', t.account_id) as "accountId", t.made_at as "madeAt"
    from order_transfer t join part_order o on o.id = t.order_id
    left join order_step s on s.order_id = o.id and s.kind = 'transfer' and s.provider_id = t.id
    order by t.made_at, t.id`.execute(db)
  return rows
}

async function compareTransfers(db: Db, calls: ProviderCalls, now: Date): Promise<Compared> {
  const theirs = new Map<string, ProviderTransfer>()
  for await (const transfer of calls.listTransfers()) theirs.set(transfer.id, transfer)
  const ours = await readTransfers(db)
  const differences: Difference[] = []
  for (const row of ours) {
    const there = theirs.get(row.id)
    const found = there ? whatDiffers(row, there) : ['Stripe does not have it']
    if (!there && now.getTime() - row.madeAt.getTime() < ON_ITS_WAY_MS) continue
    for (const what of found) {
      const text = `Transfer ${row.id} of ${inDollars(row.cents)}: ${what}.`
      differences.push({
        key: `transfer ${row.id} ${what.replaceAll(/[\d.$,]+/g, '#')}`,
        order: row.order,
        text,
      })
    }
  }
  return { differences, compared: ours.length }
}

function whatDiffers(ours: OurTransfer, theirs: ProviderTransfer): string[] {
  return [
    theirs.cents !== ours.cents && `Stripe has ${inDollars(theirs.cents)}`,
    theirs.reversedCents !== ours.reversedCents &&
      `Stripe reversed ${inDollars(theirs.reversedCents)}, and we ${inDollars(ours.reversedCents)}`,
    theirs.accountId !== ours.accountId && `it went to ${theirs.accountId}, not to ${ours.accountId}`,
    theirs.orderId !== ours.orderId && `it is for order ${theirs.orderId}`,
    theirs.chargeId !== ours.chargeId && `it was taken from ${theirs.chargeId}, not from ${ours.chargeId}`,
  ].filter((what) => what !== false)
}

const inDollars = (cents: number): string => (cents < 0 ? `-${moneyInWords(-cents)}` : moneyInWords(cents))

/* The list. */

type Keeping = { calls: ProviderCalls; now: Date; site: OrderSite }

/** Compares, keeps what was found for administrators, and mails them what is new. */
export async function keepDifferences(db: Db, { calls, now, site }: Keeping): Promise<Compared> {
  const result = await compareBooks(db, calls, now)
  await inTransaction(db, async (trx) => {
    const found: Difference[] = []
    for (const difference of result.differences) {
      const { key, order, text } = difference
      const { rows } = await sql<{ isNew: boolean }>`
        insert into book_difference (key, order_id, text, found_at, seen_at)
        values (${key}, (select id from part_order where number = ${order}), ${text}, ${now}, ${now})
        on conflict (key) do update set text = excluded.text, seen_at = excluded.seen_at, gone_at = null,
          found_at = case when book_difference.gone_at is null then book_difference.found_at else excluded.found_at end
        returning found_at = ${now} as "isNew"`.execute(trx)
      if (rows[0]?.isNew) found.push(difference)
    }
    const keys = result.differences.map(({ key }) => key)
    await sql`
      update book_difference set gone_at = ${now} where gone_at is null and key <> all(${keys}::text[])`.execute(
      trx,
    )
    await tellDifferences(trx, found, site)
    await sql`
      insert into book_check (at, compared) values (${now}, ${result.compared})
      on conflict (only_row) do update set at = excluded.at, compared = excluded.compared`.execute(trx)
  })
  return result
}

export type KeptDifference = {
  id: string
  orderId: string | null
  order: string | null
  text: string
  foundAt: Date
  goneAt: Date | null
}

/** What differs, and what did in the last month. */
export async function listDifferences(db: Db, now: Date): Promise<KeptDifference[]> {
  const since = new Date(now.getTime() - 30 * 86_400_000)
  const { rows } = await sql<KeptDifference>`
    select d.id, d.order_id as "orderId", o.number as order, d.text, d.found_at as "foundAt", d.gone_at as "goneAt"
    from book_difference d left join part_order o on o.id = d.order_id
    where d.gone_at is null or d.gone_at > ${since}
    order by d.gone_at is not null, d.found_at desc limit 200`.execute(db)
  return rows
}

export async function readBookCheck(db: Db): Promise<{ at: Date; compared: number } | undefined> {
  const { rows } = await sql<{ at: Date; compared: number }>`select at, compared from book_check`.execute(db)
  return rows[0]
}
