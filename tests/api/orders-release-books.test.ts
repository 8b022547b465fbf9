import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  compareBooks,
  keepDifferences,
  listDifferences,
} from '#server/features/money/orders/money/compare-books.ts'
import { type Delivered, openDelivery } from '#tests/support/delivered-orders.ts'
import { openOrderClock } from '#tests/support/order-clock.ts'
import { startBillingWorker } from '#tests/support/payments.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* Twenty differences between our books and the provider's, one an order: each is found, named and left as it is. */

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const clock = openOrderClock(app)
const delivery = openDelivery({ app, simulator, clock })
const sdk = simulator.sdk()
const provider = new pg.Client({ connectionString: simulator.databaseUrl })
afterAll(() => provider.end())

const calls = () => clock.deps.calls()
/** When nothing can be on its way anymore. */
const later = () => new Date(Date.now() + 2 * 3_600_000)

const keeping = () => ({ calls: calls(), now: later(), site: app.config })
const mailsTo = async (email: string) =>
  (
    await sql<{ subject: string; body: string }>`
      select subject, body from mail where recipient = ${email} and subject like '%differ%' order by id`.execute(
      app.db,
    )
  ).rows

type Case = { order: Delivered; charge: string; transfer: string; account: string }

const theirs = (query: string, values: unknown[]) => provider.query(query, values)
/** Changes fields of an object at the provider. */
const setThere = (id: string, fields: object) =>
  theirs(`update stripe_simulator.object set body = (body::jsonb || $2::jsonb)::json where id = $1`, [
    id,
    JSON.stringify(fields),
  ])
/** Changes the balance transaction of an object at the provider. */
const setBalance = (source: string, fields: object) =>
  theirs(
    `update stripe_simulator.object set body = (body::jsonb || $2::jsonb)::json
     where kind = 'balance_transaction' and body->>'source' = $1`,
    [source, JSON.stringify(fields)],
  )
const dropBalance = (source: string) =>
  theirs(`delete from stripe_simulator.object where kind = 'balance_transaction' and body->>'source' = $1`, [
    source,
  ])
const idOfLast = async (query: ReturnType<typeof sql<{ id: string }>>) =>
  (await query.execute(app.db)).rows[0]?.id ?? ''
const refundOf = ({ order }: Case) =>
  idOfLast(sql<{ id: string }>`select provider_id as id from order_refund where order_id = ${order.id}`)
const enterHere = async (
  { order }: Case,
  entries: readonly [account: string, cents: number][],
  id = order.id,
) => {
  for (const [account, cents] of entries)
    await sql`
      insert into ledger_entry (order_id, account, amount_cents, at, why, provider_id)
      values (${order.id}, ${account}, ${cents}, now(), 'planted', ${id})`.execute(app.db)
}

async function refundSome({ order }: Case): Promise<void> {
  await delivery.refund(order, [{ kind: 'part', amount: 20 }])
  await delivery.perform(order)
}

async function refundAndReverse(made: Case): Promise<string> {
  await refundSome(made)
  await clock.release()
  return (await sdk.transfers.listReversals(made.transfer)).data[0]?.id ?? ''
}

const PLANTED: readonly [name: string, plant: (made: Case) => Promise<unknown>][] = [
  ['a charge that Stripe’s balance lacks', ({ charge }) => dropBalance(charge)],
  ['a charge of another amount', ({ charge }) => setBalance(charge, { net: 4_000 })],
  ['another fee', ({ charge }) => setBalance(charge, { fee: 999, net: 11_500 - 999 })],
  [
    'a fee that was never told',
    async ({ order }) => {
      await sql`alter table ledger_entry disable trigger ledger_entry_append_only`.execute(app.db)
      await sql`delete from ledger_entry where order_id = ${order.id} and why = 'fee'`.execute(app.db)
      await sql`alter table ledger_entry enable trigger ledger_entry_append_only`.execute(app.db)
    },
  ],
  [
    'a refund that Stripe’s balance lacks',
    async (made) => {
      await refundAndReverse(made)
      await dropBalance(await refundOf(made))
    },
  ],
  [
    'a refund of another amount',
    async (made) => {
      await refundAndReverse(made)
      await setBalance(await refundOf(made), { net: -1_999 })
    },
  ],
  ['a refund made by hand', ({ charge }) => sdk.refunds.create({ charge, amount: 700 })],
  [
    'a refund that failed at Stripe',
    async (made) => {
      await refundAndReverse(made)
      await simulator.behave({ webhooks: { drop: 1 } })
      await simulator.control('POST', '/refunds/fail', { refund: await refundOf(made) })
      await simulator.behave({})
    },
  ],
  ['a transfer that Stripe’s balance lacks', ({ transfer }) => dropBalance(transfer)],
  [
    'a transfer that Stripe does not have',
    ({ transfer }) => theirs('delete from stripe_simulator.object where id = $1', [transfer]),
  ],
  [
    'a transfer made by hand',
    ({ account, order }) =>
      sdk.transfers.create({
        amount: 300,
        currency: 'usd',
        destination: account,
        transfer_group: order.id,
        metadata: { order: order.id },
      }),
  ],
  ['a transfer of another amount', ({ transfer }) => setThere(transfer, { amount: 10_400 })],
  ['a transfer to another account', ({ transfer }) => setThere(transfer, { destination: 'acct_other' })],
  [
    'a transfer for another order',
    ({ transfer }) => setThere(transfer, { transfer_group: crypto.randomUUID() }),
  ],
  [
    'a transfer from another charge',
    ({ transfer }) => setThere(transfer, { source_transaction: 'ch_other' }),
  ],
  ['a reversal made by hand', ({ transfer }) => sdk.transfers.createReversal(transfer, { amount: 500 })],
  ['a reversal that Stripe’s balance lacks', async (made) => dropBalance(await refundAndReverse(made))],
  [
    'a reversal of another amount',
    async (made) => {
      await refundAndReverse(made)
      await setThere(made.transfer, { amount_reversed: 1 })
    },
  ],
  ['an entry without its counterpart', (made) => enterHere(made, [['held', 250]])],
  [
    'money of ours at Stripe that it never had',
    (made) =>
      enterHere(
        made,
        [
          ['provider', 777],
          ['dispute', -777],
        ],
        'du_unknown',
      ),
  ],
]

const cases: Case[] = []

beforeAll(async () => {
  await provider.connect()
  const yard = await delivery.yard()
  for (const _ of PLANTED) {
    const order = await delivery.deliver(yard.seller)
    await delivery.comeDue(order)
    cases.push({
      order,
      charge: await clock.column(order.id, 'charge_id'),
      transfer: '',
      account: yard.accountId,
    })
  }
  const feeless = sql`select from part_order where captured_cents > 0 and fee_cents is null`
  await vi.waitFor(async () => expect((await feeless.execute(app.db)).rows).toEqual([]), 60_000)
  await clock.release()
  for (const made of cases) made.transfer = (await delivery.transfersOf(made.order))[0]?.id ?? ''
}, 300_000)

test('books that agree have no difference', async () => {
  const { differences, compared } = await compareBooks(app.db, calls(), later())
  expect(differences).toEqual([])
  // A charge with its fee, and a transfer twice: as an entry and as an object.
  expect(compared).toBe(3 * PLANTED.length)
})

test(`each of ${PLANTED.length} planted differences is found, by its order, and none is mended`, async () => {
  for (const [at, [, plant]] of PLANTED.entries()) {
    const made = cases[at]
    if (made) await plant(made)
  }
  const admin = await app.signUp()
  await sql`update app_user set role = 1 where id = ${admin.user.id}`.execute(app.db)
  const { differences } = await keepDifferences(app.db, keeping())
  const found = new Set(differences.map(({ order }) => order))
  const missed = PLANTED.flatMap(([name], at) =>
    found.has(cases[at]?.order.order.number ?? '') ? [] : [name],
  )
  expect(missed).toEqual([])
  expect(found.size).toBe(PLANTED.length)
  const again = await keepDifferences(app.db, keeping())
  expect(again.differences).toEqual(differences)
  expect(await listDifferences(app.db, new Date())).toHaveLength(differences.length)

  // Administrators hear of them once, and again of one that came back.
  const [mail, ...others] = await mailsTo(admin.person.email)
  expect(others).toEqual([])
  expect(mail?.subject).toBe(`The books differ from Stripe in ${differences.length} places`)
  expect(mail?.body).toContain(`${differences[0]?.order}: ${differences[0]?.text}`)
  await sql`
    update book_difference set gone_at = now() where key = ${differences[0]?.key}`.execute(app.db)
  await keepDifferences(app.db, keeping())
  expect((await mailsTo(admin.person.email)).map(({ subject }) => subject)).toEqual([
    mail?.subject,
    `The books differ from Stripe: order ${differences[0]?.order}`,
  ])
}, 120_000)
