import fc from 'fast-check'
import { sql } from 'kysely'
import { PDFDocument } from 'pdf-lib'
import { expect, test } from 'vitest'
import type { StatementSums, TrialBalance } from '#contract/order/money/book-calls.ts'
import { type Posting, post } from '#server/features/money/orders/money/ledger.ts'
import { textsOfPage } from '#tests/support/drawn-pdf.ts'
import { readCsv } from '#tests/support/exported-parts.ts'
import { makeOrder } from '#tests/support/make-orders.ts'
import { openShop, type Shop } from '#tests/support/shop.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const shop = openShop(app)

let ids = 0
const newId = () => `obj_${++ids}`

type Step = Pick<Posting, 'why' | 'amounts'> & { at: string }

/** An order with these steps in its ledger. */
async function booked({ listing }: Shop, steps: readonly Step[]): Promise<string> {
  const { id, number } = await makeOrder(app.db, { listingId: listing.id, state: 'delivered' })
  await sql`update part_order set shipping_cents = 1500 where id = ${id}`.execute(app.db)
  await sql`
    update order_line set facts = jsonb_build_object('title', '=HYPERLINK("x") Alternator'::text) where order_id = ${id}
  `.execute(app.db)
  for (const { why, amounts, at } of steps) {
    await post(app.db, { orderId: id, at: new Date(at), why, providerId: newId(), amounts })
  }
  return number
}

const rowsOf = (text: string) => {
  const [head = [], ...rows] = readCsv(text)
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ''])))
}
async function csvOf({ api }: SignedIn, path: string) {
  const { status, bytes } = await api.get(path)
  expect(status, path).toBe(200)
  return rowsOf(bytes.toString())
}
const cents = (text: string | undefined) => Math.round(Number(text ?? '') * 100)

/* Added by hand. Every amount below is written out, so that no code of ours is on both sides. */

test('three months of a yard, added by hand', async () => {
  const yard = await shop.yard()
  // $100 part, $15 shipping, $20 core, $8 tax; we keep $10.
  const first = await booked(yard, [
    {
      at: '2026-07-10T12:00:00Z',
      why: 'captured',
      amounts: { provider: 14_300, held: -10_500, core: -2_000, tax: -800, royalty: -1_000 },
    },
    { at: '2026-07-10T12:05:00Z', why: 'fee', amounts: { fees: 445, provider: -445 } },
    { at: '2026-07-20T09:00:00Z', why: 'transferred', amounts: { held: 10_500, provider: -10_500 } },
    // Half of the part's price, and all of the core, in the next month.
    {
      at: '2026-08-03T10:00:00Z',
      why: 'refund asked',
      amounts: { held: 4_500, royalty: 500, core: 2_000, 'refunds-due': -7_000 },
    },
    { at: '2026-08-03T10:10:00Z', why: 'refunded', amounts: { 'refunds-due': 7_000, provider: -7_000 } },
    { at: '2026-08-03T11:00:00Z', why: 'reversed', amounts: { provider: 3_000, held: -3_000 } },
    { at: '2026-08-03T11:01:00Z', why: 'owed', amounts: { held: -1_500, 'seller-debt': 1_500 } },
  ])
  // In the last second of August, and the first of September.
  const second = await booked(yard, [
    {
      at: '2026-08-31T23:59:59.999Z',
      why: 'captured',
      amounts: { provider: 5_000, held: -4_700, royalty: -300 },
    },
    { at: '2026-09-01T00:00:00Z', why: 'netted', amounts: { held: 1_500, 'seller-debt': -1_500 } },
    { at: '2026-09-01T00:00:01Z', why: 'transferred', amounts: { held: 3_200, provider: -3_200 } },
  ])
  const { items } = (await yard.seller.api.get<{ items: StatementSums[] }>('/seller/statements')).body
  expect(items).toEqual([
    {
      month: '2026-09',
      isOver: true,
      orders: 1,
      gross: 0,
      refunds: 0,
      royalty: 0,
      transferred: 32,
      opening: 32,
      closing: 0,
    },
    {
      month: '2026-08',
      isOver: true,
      orders: 2,
      gross: 50,
      refunds: 70,
      royalty: -2,
      transferred: -30,
      opening: 0,
      closing: 32,
    },
    {
      month: '2026-07',
      isOver: true,
      orders: 1,
      gross: 143,
      refunds: 0,
      royalty: 10,
      transferred: 105,
      opening: 0,
      closing: 0,
    },
  ])
  const august = await csvOf(yard.seller, '/seller/statements/2026-08/statement.csv')
  expect(august).toMatchObject([
    { 'Date (UTC)': '2026-08-01', Order: 'Opening balance', Balance: '0.00' },
    {
      'Date (UTC)': '2026-08-03',
      Order: first,
      Part: `'=HYPERLINK("x") Alternator`,
      Gross: '0.00',
      Refunds: '-70.00',
      Royalty: '5.00',
      Core: '20.00',
      'Sales tax': '0.00',
      Disputes: '0.00',
      Other: '0.00',
      Transferred: '30.00',
      Change: '-15.00',
      Balance: '-15.00',
      'Sold on (UTC)': '2026-07-10',
      'Shipped to': 'OK',
      'Shipping in gross': '0.00',
      'Owed by you': '15.00',
      'Open at the end': '-15.00',
      Transfers: expect.stringMatching(/^2026-08-03 -30\.00 obj_\d+$/),
    },
    {
      Order: second,
      Gross: '50.00',
      Royalty: '-3.00',
      Change: '47.00',
      Balance: '32.00',
      'Parts in gross': '35.00',
      'Shipping in gross': '15.00',
      'Open at the end': '47.00',
    },
    {
      'Date (UTC)': '2026-08-31',
      Order: 'Closing balance',
      Gross: '50.00',
      Change: '32.00',
      Balance: '32.00',
    },
  ])
})

/** What is written in a PDF, as it was placed. */
async function textsOf(bytes: Buffer): Promise<string[]> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false })
  return pdf.getPages().flatMap(textsOfPage)
}

test('a statement as PDF has its balances and each order', async () => {
  const yard = await shop.yard()
  const number = await booked(yard, [
    {
      at: '2026-07-10T12:00:00Z',
      why: 'captured',
      amounts: { provider: 12_345, held: -11_111, royalty: -1_234 },
    },
  ])
  const { headers, bytes } = await yard.seller.api.get('/seller/statements/2026-07/statement.pdf')
  expect(headers['content-type']).toBe('application/pdf')
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false })
  expect(pdf.getTitle()).toBe('Statement for July 2026')
  const texts = await textsOf(bytes)
  expect(texts).toEqual(expect.arrayContaining(['Closing balance', '$111.11', '-$12.34', number, '123.45']))
})

test('a statement names payouts, what the balance is made of, disputes, and the gross since January', async () => {
  const yard = await shop.yard()
  const open = await booked(yard, [
    {
      at: '2026-05-30T12:00:00Z',
      why: 'captured',
      amounts: { provider: 5_000, held: -4_500, royalty: -500 },
    },
  ])
  const paid = await booked(yard, [
    { at: '2026-06-02T12:00:00Z', why: 'captured', amounts: { provider: 9_000, held: -8_000, tax: -1_000 } },
    { at: '2026-06-05T12:00:00Z', why: 'transferred', amounts: { held: 8_000, provider: -8_000 } },
    {
      at: '2026-06-20T12:00:00Z',
      why: 'dispute fee of the yard',
      amounts: { fees: -1_500, 'seller-debt': 1_500 },
    },
  ])
  await sql`
    insert into seller_payout (id, seller_id, cents, state, arrives_at, made_at)
    values ('po_june', ${await shop.sellerIdOf(yard.seller)}, 8000, 'paid', '2026-06-09Z', '2026-06-06Z')`.execute(
    app.db,
  )
  await sql`
    insert into order_transfer (id, order_id, seller_id, account_id, cents, payment_id, made_at, payout_id)
    select e.provider_id, o.id, o.seller_id, 'acct_1', 8000, 'py_june', e.at, 'po_june'
    from ledger_entry e join part_order o on o.id = e.order_id
    where o.number = ${paid} and e.why = 'transferred' and e.account = 'held'`.execute(app.db)
  const june = await csvOf(yard.seller, '/seller/statements/2026-06/statement.csv')
  expect(june).toMatchObject([
    { Order: 'Opening balance', Balance: '45.00' },
    {
      'Date (UTC)': '',
      Order: open,
      'Sold on (UTC)': '2026-05-30',
      Change: '0.00',
      'Open at the end': '45.00',
    },
    {
      Order: paid,
      'Sales tax': '-10.00',
      Disputes: '-15.00',
      Other: '0.00',
      'Tax in gross': '10.00',
      'Open at the end': '-15.00',
      'Bank payouts': '2026-06-09 po_june paid',
    },
    { Order: 'Closing balance', Balance: '30.00', 'Open at the end': '30.00' },
  ])
  const { bytes } = await yard.seller.api.get('/seller/statements/2026-06/statement.pdf')
  const texts = await textsOf(bytes)
  expect(texts).toEqual(
    expect.arrayContaining([
      'Of it, held for you',
      '$45.00',
      'Of it, you owe us',
      '-$15.00',
      'Disputes',
      open,
    ]),
  )
  const all = texts.join(' ')
  expect(all).toContain('$140.00 from 2 payments')
  expect(all).toContain('Bank payout po_june, 2026-06-09: paid.')
  // Nothing happened in these columns.
  expect(texts).not.toContain('Core')
})

test('other yards and months without money have no statement', async () => {
  const [yard, other] = [await shop.yard(), await shop.yard()]
  await booked(yard, [
    { at: '2026-07-10T12:00:00Z', why: 'captured', amounts: { provider: 5_000, held: -5_000 } },
  ])
  const read = async ({ seller }: Shop, month: string) =>
    (await seller.api.get(`/seller/statements/${month}/statement.csv`)).status
  expect(await read(other, '2026-07')).toBe(404)
  expect(await read(yard, '2026-06')).toBe(404)
  expect(await read(yard, '2026-13')).toBe(404)
  // The balance goes on.
  expect(await read(yard, '2026-10')).toBe(200)
})

/* Made-up months. */

type Amounts = Posting['amounts']
const part = fc.integer({ min: 100, max: 90_000 })

/** What can happen to an order, each adding up to zero, as the code that books it does. */
const stories = fc.record({
  part,
  shipping: fc.integer({ min: 0, max: 9_000 }),
  core: fc.integer({ min: 0, max: 9_000 }),
  tax: fc.integer({ min: 0, max: 9_000 }),
  royalty: fc.integer({ min: 0, max: 100 }),
  moves: fc.array(
    fc.tuple(
      fc.constantFrom('refund', 'fail', 'transfer', 'reverse', 'owe', 'net', 'dispute', 'fee', 'lapse'),
      fc.integer({ min: 1, max: 9_000 }),
      fc.integer({ min: 1, max: 80 }),
    ),
    { maxLength: 6 },
  ),
  yard: fc.boolean(),
  day: fc.integer({ min: 1, max: 60 }),
})

const moved: Record<string, (cents: number) => [why: string, amounts: Amounts][]> = {
  refund: (n) => [
    ['refund asked', { held: n, royalty: 1, 'refunds-due': -n - 1 }],
    ['refunded', { 'refunds-due': n + 1, provider: -n - 1 }],
  ],
  fail: (n) => [
    ['refund asked', { held: n, tax: 2, 'refunds-due': -n - 2 }],
    ['refund given up', { held: -n, tax: -2, 'refunds-due': n + 2 }],
  ],
  transfer: (n) => [['transferred', { held: n, provider: -n }]],
  reverse: (n) => [['reversed', { held: -n, provider: n }]],
  owe: (n) => [['owed', { held: -n, 'seller-debt': n }]],
  net: (n) => [['netted', { held: n, 'seller-debt': -n }]],
  dispute: (n) => [
    ['disputed', { held: n, royalty: 3, dispute: -n - 3 }],
    ['dispute lost', { dispute: n + 3, provider: -n - 3 }],
  ],
  fee: (n) => [['dispute fee', { fees: -n, 'seller-debt': n }]],
  lapse: (n) => [['core lapsed', { core: n, held: -n }]],
}

const START = Date.parse('2025-02-01T00:00:00Z')
const MONTHS = ['2025-02', '2025-03', '2025-04', '2025-05', '2025-06', '2025-07']
const dayAfter = (days: number) => new Date(START + days * 86_400_000 - 1).toISOString()

/** Orders of two yards with what happened to them. */
async function makeUpMonths(yards: readonly [Shop, Shop]): Promise<void> {
  for (const { day, yard, moves, ...bought } of fc.sample(stories, { numRuns: 60, seed: 43 })) {
    const royalty = Math.round((bought.part * bought.royalty) / 100)
    const captured = {
      provider: bought.part + bought.shipping + bought.core + bought.tax,
      held: royalty - bought.part - bought.shipping,
      core: -bought.core,
      tax: -bought.tax,
      royalty: -royalty,
    }
    const later = moves.flatMap(([kind, amount, days]) =>
      (moved[kind]?.(amount) ?? []).map(([why, amounts]) => ({ at: dayAfter(day + days), why, amounts })),
    )
    await booked(yards[yard ? 1 : 0], [
      { at: dayAfter(day), why: 'captured', amounts: captured },
      { at: dayAfter(day), why: 'fee', amounts: { fees: 33, provider: -33 } },
      ...later,
    ])
  }
}

/** What we hold for a yard less what it owes us, straight from the ledger. */
async function balanceUntil(sellerId: string, until: string): Promise<number | undefined> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(-sum(e.amount_cents), 0)::float8 as cents from ledger_entry e join part_order o on o.id = e.order_id
    where o.seller_id = ${sellerId} and e.account in ('held', 'seller-debt') and e.at < ${until}::timestamptz`.execute(
    app.db,
  )
  return rows[0]?.cents
}

const GROSS = ['Parts in gross', 'Shipping in gross', 'Core in gross', 'Tax in gross']
const COLUMNS = ['Gross', 'Refunds', 'Royalty', 'Core', 'Sales tax', 'Disputes', 'Other', 'Transferred']

test('a trial balance has what each account had at the end of a day, added by hand', async () => {
  const yard = await shop.yard()
  await booked(yard, [
    // Before everything else of this file: the books of the installation begin here.
    {
      at: '2024-03-30T12:00:00Z',
      why: 'captured',
      amounts: { provider: 14_300, held: -10_500, core: -2_000, tax: -800, royalty: -1_000 },
    },
    { at: '2024-03-31T23:59:59.999Z', why: 'fee', amounts: { fees: 445, provider: -445 } },
    { at: '2024-04-01T00:00:00Z', why: 'transferred', amounts: { held: 10_500, provider: -10_500 } },
  ])
  const admin = await app.signUp({ role: 'admin' })
  const balanceOf = async (day: string) => {
    const { body } = await admin.api.get<TrialBalance>(`/admin/books/balances?day=${day}`)
    const moved = body.accounts.filter(({ debit, credit }) => debit !== 0 || credit !== 0)
    return {
      ...body,
      accounts: moved.map(({ account, debit, credit, balance }) => [account, debit, credit, balance]),
    }
  }
  expect(await balanceOf('2024-03-31')).toEqual({
    day: '2024-03-31',
    debit: 147.45,
    credit: 147.45,
    accounts: [
      ['provider', 143, 4.45, 138.55],
      ['held', 0, 105, -105],
      ['core', 0, 20, -20],
      ['tax', 0, 8, -8],
      ['royalty', 0, 10, -10],
      ['fees', 4.45, 0, 4.45],
    ],
  })
  expect((await balanceOf('2024-03-29')).accounts).toEqual([])
  expect((await balanceOf('2024-04-01')).accounts).toContainEqual(['provider', 143, 109.45, 33.55])
  const rows = await csvOf(admin, '/admin/books/trial-balance.csv?day=2024-04-01')
  const named = (name: string) => rows.find((row) => row.Account === name)
  expect(named('provider')).toEqual({
    Account: 'provider',
    Debits: '143.00',
    Credits: '109.45',
    'Debit balance': '33.55',
    'Credit balance': '0.00',
    'Account meaning': 'Money at the payment provider',
    'Until (UTC)': '2024-04-01',
  })
  expect(named('Total')).toMatchObject({ 'Debit balance': '38.00', 'Credit balance': '38.00' })
  expect((await admin.api.get('/admin/books/balances?day=2024-02-30')).status).toBe(400)
})

test('in made-up months, statements and journal equal the ledger to the cent', async () => {
  const yards = [await shop.yard(), await shop.yard()] as const
  const admin = await app.signUp({ role: 'admin' })
  await makeUpMonths(yards)
  const yearly = await csvOf(admin, '/admin/books/yearly-sales.csv?year=2025')
  for (const { seller } of yards) {
    const sellerId = await shop.sellerIdOf(seller)
    let [closing, gross] = [0, 0]
    for (const [index, month] of MONTHS.entries()) {
      const rows = await csvOf(seller, `/seller/statements/${month}/statement.csv`)
      expect(cents(rows[0]?.Balance)).toBe(closing)
      closing = cents(rows.at(-1)?.Balance)
      gross += cents(rows.at(-1)?.Gross)
      const next = MONTHS[index + 1] ?? '2025-08'
      expect(closing, month).toBe(await balanceUntil(sellerId, `${next}-01T00:00:00Z`))
      // What the balance is made of, also of orders without entries in this month.
      expect(cents(rows.at(-1)?.['Open at the end'])).toBe(closing)
      for (const row of rows.slice(1)) {
        expect(GROSS.reduce((sum, name) => sum + cents(row[name]), 0)).toBe(cents(row.Gross))
        expect(COLUMNS.reduce((sum, name) => sum + cents(row[name]), 0)).toBe(cents(row.Change))
      }
    }
    const ofYear = yearly.find((row) => row['Seller id'] === sellerId)
    expect(cents(ofYear?.Gross)).toBe(gross)
    // Form 1099-K asks for each month.
    const byMonth = Object.entries(ofYear ?? {}).filter(([name]) => /^[A-Z][a-z]{2}$/.test(name))
    expect(byMonth.reduce((sum, [, dollars]) => sum + cents(dollars), 0)).toBe(gross)
    expect(byMonth.map(([name]) => name).slice(0, 3)).toEqual(['Jan', 'Feb', 'Mar'])
    expect(ofYear?.['Year (UTC)']).toBe('2025')
  }

  const journal = (
    await Promise.all(MONTHS.map((month) => csvOf(admin, `/admin/books/journal.csv?month=${month}`)))
  ).flat()
  const sumOf = (name: string) => journal.reduce((sum, row) => sum + cents(row[name]), 0)
  expect(sumOf('Debit')).toBe(sumOf('Credit'))
  expect(new Set(journal.map((row) => row['Seller id']))).toEqual(
    new Set(await Promise.all(yards.map(({ seller }) => shop.sellerIdOf(seller)))),
  )
  const accounts: Record<string, number> = {}
  for (const { Account = '', Debit, Credit } of journal) {
    accounts[Account] = (accounts[Account] ?? 0) + cents(Debit) - cents(Credit)
  }
  const { rows } = await sql<{ account: string; cents: number }>`
    select account, sum(amount_cents)::float8 as cents from ledger_entry
    where at >= '2025-02-01Z' and at < '2025-08-01Z' group by account`.execute(app.db)
  expect(accounts).toEqual(Object.fromEntries(rows.map((row) => [row.account, row.cents])))

  // What the journal adds to an account is what its balance grows by.
  const balanceAt = async (day: string) => {
    const { body } = await admin.api.get<TrialBalance>(`/admin/books/balances?day=${day}`)
    expect(body.debit).toBe(body.credit)
    return new Map(
      body.accounts.map(({ account, balance }) => [account as string, Math.round(balance * 100)]),
    )
  }
  const [before, after] = [await balanceAt('2025-01-31'), await balanceAt('2025-07-31')]
  for (const [account, sum] of Object.entries(accounts)) {
    expect((after.get(account) ?? 0) - (before.get(account) ?? 0), account).toBe(sum)
  }
})

test('sales of the last days are those whose money was taken then', async () => {
  const yard = await shop.yard()
  const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000).toISOString()
  for (const days of [1, 6, 8, 13, 15]) {
    const amounts = { provider: 1_000 * days, held: -1_000 * days }
    await booked(yard, [{ at: daysAgo(days), why: 'captured', amounts }])
  }
  const sales = (await yard.seller.api.get('/seller/sales?days=7')).body
  expect(sales).toEqual({
    enabled: true,
    days: 7,
    totals: { orders: 2, gross: 70 },
    previous: { orders: 2, gross: 210 },
  })
  const other = await app.signUp()
  expect((await other.api.get('/seller/sales')).body).toMatchObject({
    enabled: false,
    totals: { orders: 0, gross: 0 },
  })
})
