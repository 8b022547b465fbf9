import { sql } from 'kysely'
import { moneyInWords } from '#contract/text/typed-number.ts'
import type { Check } from '#server/features/money/billing/setup/doctor.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { isMove } from './moves.ts'
import { listUndecided } from './settling.ts'

/* Money that should have moved and did not, and why. */

/** The sweep runs every few seconds. */
const LATE_MS = 30 * 60_000

type Waiting = {
  orderId: string
  order: string
  cents: number
  kind: 'transfer' | 'reverse'
  since: Date
  tries: number
  problem: string | null
}

/** Transfers and reversals that wait, the oldest first. */
export async function listWaiting(db: Db, before?: Date): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select o.id as "orderId", o.number as order, s.amount_cents::float8 as cents, s.kind, s.created_at as since, s.tries,
           s.problem
    from order_step s join part_order o on o.id = s.order_id
    where s.state = 'wanted' and ${isMove} and s.created_at < coalesce(${before ?? null}::timestamptz, 'infinity')
    order by s.created_at limit 50`.execute(db)
  return rows
}

/** For `payments doctor`: what is due, what is late, and why. */
export async function* checkReleases(db: Db, now: Date): AsyncGenerator<Check> {
  const before = new Date(now.getTime() - LATE_MS)
  const rows = await listWaiting(db, before)
  for (const { order, cents, kind, tries, problem } of rows) {
    const what = kind === 'transfer' ? 'transfer to the yard' : 'reversal'
    const why =
      problem === null ? 'not tried yet' : `${problem}${tries > 0 ? `, refused ${tries} times` : ''}`
    const todo =
      problem === null
        ? 'Check that the worker runs.'
        : 'It is tried again by itself. If the yard cannot mend its account, write to it.'
    yield {
      name: `Order ${order}`,
      state: 'missing',
      found: `${what} of ${moneyInWords(cents)} waits: ${why}`,
      todo,
    }
  }
  const undecided = await listUndecided(db, before, 50)
  if (undecided.length > 0) {
    const found = `${undecided.length} orders whose money is due have not been looked at`
    yield { name: 'Releases', state: 'missing', found, todo: 'Check that the worker runs.' }
  }
  if (rows.length > 0 || undecided.length > 0) return
  const { orders, cents } = await readComing(db)
  const found = `none is late; ${moneyInWords(cents)} of ${orders} orders is held for yards`
  yield { name: 'Releases', state: 'ok', found }
}

async function readComing(db: Db): Promise<{ orders: number; cents: number }> {
  const { rows } = await sql<{ orders: number; cents: number }>`
    select count(*)::int as orders, coalesce(sum(cents), 0)::float8 as cents from (
      select -sum(amount_cents) as cents from ledger_entry where account = 'held' group by order_id
      having sum(amount_cents) < 0
    ) held`.execute(db)
  return onlyRow(rows)
}
