import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ShippingReply } from '#contract/order/shipping/shipping-list.ts'
import { makeWorkbook } from '#tests/support/make-workbook.ts'
import { startBillingWorker } from '#tests/support/payments.ts'
import { type Failed, openShop, type Shop } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* Many orders of a yard marked as shipped by one file. */

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const shop = openShop(app)

let yard: Shop
beforeAll(async () => {
  yard = await shop.yard({}, { mode: 'instant' })
})

/** A paid order that waits to be shipped. */
async function bought(of: Shop = yard, more: object = {}) {
  const part = await shop.addPart(of.seller, { stocknum: `S-${crypto.randomUUID().slice(0, 6)}` })
  const by = shop.buyer()
  const placed = await by.buys(part.partslug, more)
  const { id, number } = await shop.pay(placed, by)
  return { id, number, ...placed, by }
}

type Sent = { content: string | Blob; fields?: Record<string, string>; check?: boolean }

async function send({ content, fields = {}, check = false }: Sent, seller: SignedIn = yard.seller) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([content]), 'shipped.csv')
  return seller.api.post<ShippingReply & Failed>(`/seller/orders/ship${check ? '?dryRun=1' : ''}`, form)
}
const outcomes = ({ body }: { body: ShippingReply }) => body.rows.map(({ outcome }) => outcome)
const noteOf = ({ body }: { body: ShippingReply }, at = 0) => body.rows[at]?.note
const orderOf = async (id: string) => {
  const { rows } = await sql<{ state: string; carrier: string | null; tracking: string | null }>`
    select state, carrier, tracking from part_order where id = ${id}`.execute(app.db)
  return rows[0]
}
const listOf = async (seller: SignedIn) => String((await seller.api.get('/seller/orders/to-ship.csv')).bytes)

describe('a file of shipped orders', () => {
  test('is checked without changing anything, then ships each order once', async () => {
    const [first, second] = [await bought(), await bought()]
    const content = `Order,Carrier,Tracking\n${first.number},UPS Ground,1Z999AA10123456784\n${second.number.slice(3)},,9400110200881234567890\n`
    const checked = await send({ content, check: true })
    expect(checked.body).toMatchObject({
      dryRun: true,
      columns: { number: 'Order', carrier: 'Carrier', tracking: 'Tracking' },
      rows: [
        { row: 2, orderId: first.id, carrier: 'ups', outcome: 'ship', note: null },
        { row: 3, orderId: second.id, carrier: 'usps', outcome: 'ship' },
      ],
    })
    expect(await orderOf(first.id)).toMatchObject({ state: 'confirmed', carrier: null })

    expect(outcomes(await send({ content }))).toEqual(['shipped', 'shipped'])
    expect(await orderOf(first.id)).toEqual({
      state: 'shipped',
      carrier: 'ups',
      tracking: '1Z999AA10123456784',
    })

    const again = await send({ content })
    expect(outcomes(again)).toEqual(['same', 'same'])
    expect(noteOf(again)).toBe('Already shipped like this. Nothing changes.')
    const { rows } = await sql`
      select from order_event where order_id = ${first.id} and kind = 'ship'`.execute(app.db)
    expect(rows).toHaveLength(1)
    const mails = await sql`
      select from mail where recipient = ${first.by.email} and subject ilike '%shipped%'`.execute(app.db)
    expect(mails.rows).toHaveLength(1)
  })

  test('names what is wrong with each row, and ships the others', async () => {
    const other = await shop.yard({}, { mode: 'instant' })
    const [good, theirs, twice, pickup] = [
      await bought(),
      await bought(other),
      await bought(),
      await bought(yard, { delivery: 'pickup', address: undefined, expectedTotal: 100 }),
    ]
    const lines = [
      [good.number, 'FedEx', '123456789012'],
      [theirs.number, 'FedEx', '123456789013'],
      ['PH-999999', 'FedEx', '1'],
      [twice.number, 'UPS', '1Z1'],
      [twice.number, 'UPS', '1Z2'],
      [pickup.number, 'UPS', '1Z3'],
      [good.number, 'fed ex', '123456789012'],
      ['Total', '7', ''],
      ['PH-999998', 'Speedy', '1'],
      ['PH-999998', '', '123'],
      ['PH-999998', 'USPS', '9.4E+21'],
      ['PH-999998', '', ''],
      ['', 'UPS', '1Z4'],
      ['PH-999998', 'UPS', '9'.repeat(61)],
    ]
    const answer = await send({
      content: ['Order #,Carrier,Tracking', ...lines.map((line) => line.join(','))].join('\n'),
    })
    expect(answer.body.rows.map(({ outcome, note }) => [outcome, note])).toEqual([
      ['shipped', null],
      ['problem', 'You have no order with this number. Compare it with the number on your Orders page.'],
      ['problem', 'You have no order with this number. Compare it with the number on your Orders page.'],
      ['problem', 'Rows 5 and 6 name this order with different carriers or numbers. Keep one of them.'],
      ['problem', 'Rows 5 and 6 name this order with different carriers or numbers. Keep one of them.'],
      ['problem', 'The buyer picks this order up. Open it, and mark it as ready or hand it over.'],
      ['same', 'The same as row 2.'],
      ['problem', '“Total” is not an order number. They look like PH-100234.'],
      ['problem', '“Speedy” is not a carrier that we know. Write UPS, FedEx, USPS, DHL, Freight, or Other.'],
      ['problem', 'The carrier is missing. Write UPS, FedEx, USPS, DHL, Freight, or Other.'],
      [
        'problem',
        'The spreadsheet rounded this tracking number. Format the column as text and enter the number again.',
      ],
      ['blank', 'Not filled in, so it stays as it is.'],
      ['problem', 'The order number is missing.'],
      ['problem', 'Tracking number can have at most 60 characters.'],
    ])
    expect(answer.body.rows[1]).toMatchObject({ orderId: null, part: null, buyer: null })
    expect((await orderOf(good.id))?.state).toBe('shipped')
    for (const { id } of [theirs, twice, pickup]) expect((await orderOf(id))?.state).toBe('confirmed')
  })

  test('says why an order in another state stays as it is', async () => {
    const confirming = await shop.yard()
    const { number } = await bought(confirming)
    const shipped = await bought()
    await shop.act(yard.seller, shipped.id, 'ship', { carrier: 'dhl', tracking: '42' })
    const held = await bought()
    await sql`update part_order set held_at = now(), held_reason = 'Look' where id = ${held.id}`.execute(
      app.db,
    )
    const row = (of: string) => `order,carrier,tracking\n${of},UPS,1Z5\n`
    expect(noteOf(await send({ content: row(number) }, confirming.seller))).toBe(
      'You have not confirmed this order yet. Confirm it first, so that the money is taken.',
    )
    expect(noteOf(await send({ content: row(shipped.number) }))).toBe(
      'Already shipped with DHL, 42. A file does not change that.',
    )
    expect(noteOf(await send({ content: row(held.number), check: true }))).toBe(
      'This order is being reviewed. Do not ship it until it is released.',
    )
    expect(await orderOf(shipped.id)).toMatchObject({ carrier: 'dhl', tracking: '42' })
  })

  test('may be a workbook, with columns of any name', async () => {
    const { number, id } = await bought()
    const rows = [
      ['Date', 'A', 'B', 'C'],
      ['11/30/2026', number, 'United Parcel Service', 'abc'],
    ]
    const content = await makeWorkbook({ sheets: [{ name: 'Shipped', rows }] })
    const first = await send({ content, check: true })
    expect(first.body.columns).toEqual({ number: 'A', carrier: 'B', tracking: null })
    const chosen = await send({ content, fields: { tracking: 'C' } })
    expect(outcomes(chosen)).toEqual(['shipped'])
    expect(await orderOf(id)).toMatchObject({ carrier: 'ups', tracking: 'abc' })
  })

  test('without order numbers asks for their column', async () => {
    const content = 'Part,Price\nHood,100\n'
    expect((await send({ content, check: true })).body).toMatchObject({
      header: ['Part', 'Price'],
      columns: { number: null },
      rows: [],
    })
    const refused = await send({ content })
    expect([refused.status, refused.body.fields]).toEqual([
      422,
      { file: 'No column has order numbers. Choose the column.' },
    ])
    const unknown = await send({ content, fields: { number: 'Nope' } })
    expect([unknown.status, unknown.body.error]).toEqual([422, 'The file has no column “Nope”.'])
  })

  test('has at most 500 rows and 2 MB', async () => {
    const rows = Array.from({ length: 501 }, (_, at) => `PH-${200_000 + at},UPS,1Z`)
    const long = await send({ content: ['Order,Carrier,Tracking', ...rows].join('\n') })
    expect([long.status, long.body.error]).toEqual([
      413,
      'The file has more than 500 rows. Split it, and upload the parts one after the other.',
    ])
    const large = await send({ content: 'x'.repeat(2 * 1024 * 1024 + 1) })
    expect([large.status, large.body.code]).toEqual([413, 'TOO_LARGE'])
    expect((await send({ content: '' })).status).toBe(422)
  })
})

test('the list of orders to ship comes back filled in', async () => {
  const own = await shop.yard({}, { mode: 'instant' })
  const [one, two] = [await bought(own), await bought(own)]
  await bought(own, { delivery: 'pickup', address: undefined, expectedTotal: 100 })
  const list = await listOf(own.seller)
  const [header, ...lines] = list.trimEnd().split('\r\n')
  expect(header).toBe(
    '\ufeffOrder,Ship by,Part,Stock number,Buyer,Street,Apartment,City,State,ZIP,Phone,Carrier,Tracking number',
  )
  expect(lines.map((line) => line.split(',')[0])).toEqual([one.number, two.number])
  expect(lines[0]).toContain(',Ruth Baker,1 Elm Street,,Dallas,TX,75201,,,')
  expect(outcomes(await send({ content: list, check: true }, own.seller))).toEqual(['blank', 'blank'])
  const filled = list.replace(/,,\r\n$/, ',FedEx,777\r\n')
  expect(outcomes(await send({ content: filled }, own.seller))).toEqual(['blank', 'shipped'])
  expect(await orderOf(two.id)).toMatchObject({ state: 'shipped', carrier: 'fedex', tracking: '777' })
  expect(await listOf(own.seller)).not.toContain(two.number)
})
