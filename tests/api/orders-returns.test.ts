import { sql } from 'kysely'
import sharp from 'sharp'
import { afterEach, describe, expect, test } from 'vitest'
import type { AdminOrder } from '#contract/order/order-views.ts'
import {
  allowsReturnStep,
  type ReturnKind,
  type ReturnStepName,
  returnStates,
} from '#contract/order/returns/return-steps.ts'
import { findLedgerProblems } from '#server/features/money/orders/money/ledger.ts'
import type { Answer } from '#tests/support/api-client.ts'
import { gif, photo } from '#tests/support/image-fixtures.ts'
import { formOf } from '#tests/support/make-rows.ts'
import { startBillingWorker } from '#tests/support/payments.ts'
import { type Delivered, openReturns } from '#tests/support/returns.ts'
import type { Failed } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* Returns and claims: who may ask for what and until when, what each answer leads to, and whose photos are whose. */

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const returns = openReturns(app)
const { ask, asked, answer, change, clock, delivered, pass, read, shipped, the } = returns

afterEach(returns.resetClock)

const decide = async (one: Delivered, returnId: string, body: object) => {
  // A moved clock ends sessions.
  const { api } = await app.signUp({ role: 'admin' })
  return api.post<AdminOrder & Failed>(`/admin/orders/${one.id}/returns/${returnId}`, {
    reason: 'Seen the photos',
    ...body,
  })
}
const openReturnsOf = (one: Delivered) => clock.column<number>(one.id, 'open_returns')
const refunded = (one: Delivered, dollars: number) =>
  expect.poll(async () => (await read(one)).money.refunded).toBe(dollars)
const return20 = { part: { returndays: '20', restockpct: '20' } }
const notNeeded = { kind: 'return', reason: 'not-needed' }
const damaged = { kind: 'claim', reason: 'damaged' }

describe('a return', () => {
  test('is approved, sent back, received and refunded, less the restocking fee', async () => {
    const one = await delivered(return20)
    const offered = (await read(one)).returnChoices.find(({ reason }) => reason === 'not-needed')
    expect(offered).toMatchObject({ amount: 80, restockingFee: 20, wayBack: 'buyer' })
    const id = await asked(one, { ...notNeeded, text: 'Sold the car' })
    expect(await openReturnsOf(one)).toBe(1)
    expect((await clock.mails(one.id, one.seller.person.email)).at(-1)).toMatch(
      /answer Ruth’s return by .*: not needed/,
    )
    const todo = await one.seller.api.get<{ items: { id: string }[] }>('/seller/orders?show=todo')
    expect(todo.body.items.map((order) => order.id)).toContain(one.id)

    const approved = await answer(one, id, { answer: 'approve' })
    expect(approved.body.returns).toMatchObject([
      { state: 'approved', wayBack: 'buyer', text: 'Sold the car' },
    ])
    expect((await the(one)).sendTo.join()).toContain('12 Mill Road')
    expect((await clock.mails(one.id, one.by.email)).at(-1)).toMatch(/^Send the part back to .* by/)
    await change(one, id, 'send', { carrier: 'ups', tracking: '1Z2' })
    expect(await the(one)).toMatchObject({ state: 'sent', shipment: { carrierName: 'UPS', tracking: '1Z2' } })

    const received = await answer(one, id, { answer: 'received' })
    expect(received.body.returns).toMatchObject([{ state: 'refunded', condition: 'good' }])
    expect(received.body.actions).toContain('restock')
    expect(received.body.parts).toMatchObject([{ state: 'returned' }])
    await refunded(one, 80)
    expect(await returns.refunds(one)).toMatchObject([
      { part: 8000, shipping: 0, reason: expect.stringContaining('$20') },
    ])
    expect(await openReturnsOf(one)).toBe(0)
    expect(await read(one)).toMatchObject({ state: 'delivered', returnChoices: [] })

    await returns.shop.act(one.seller, one.id, 'restock', { answer: 'sell' })
    const listing = await app.visitor.get<{ availability: string }>(`/auto-part/${one.listing.partslug}`)
    expect(listing.body.availability).toBe('now')
    expect(await findLedgerProblems(app.db)).toEqual([])
  })

  test('that does not fit although the yard confirmed the VIN costs the yard shipping and the way back', async () => {
    const vin = '4T1BF1FK5CU123456'
    const confirmed = await delivered({ ...return20, vin, fitsVin: true })
    await asked(confirmed, { kind: 'return', reason: 'doesnt-fit' })
    expect(await the(confirmed)).toMatchObject({ wayBack: 'yard', amount: 115, restockingFee: 0 })
    const guessed = await delivered({ ...return20, vin })
    await asked(guessed, { kind: 'return', reason: 'doesnt-fit' })
    expect(await the(guessed)).toMatchObject({ wayBack: 'buyer', amount: 80, restockingFee: 20 })
  })

  test('is possible within the days of the terms, else 30, and not at all if the terms say so', async () => {
    const short = await delivered(return20)
    const plain = await delivered()
    const never = await delivered({ part: { returndays: '0' } })
    expect((await read(never)).returnUntil).toBeNull()
    const refused = await ask(never, notNeeded)
    expect([refused.status, refused.body.code]).toEqual([409, 'STATE'])
    expect(refused.body.error).toContain('sold without returns')
    await pass(19)
    expect((await read(short)).returnChoices.map(({ reason }) => reason)).toContain('not-needed')
    await pass(2)
    const late = await ask(short, notNeeded)
    expect([late.status, late.body.code]).toEqual([409, 'STATE'])
    expect(late.body.error).toMatch(/^Returns were possible until [A-Z]/)
    await pass(8)
    expect((await ask(plain, notNeeded)).status).toBe(200)
    expect((await ask(short, damaged)).status).toBe(200)
    await pass(2)
    expect((await ask(never, damaged)).body.error).toContain('time to report a problem is over')
  })

  test('that is asked for twice is one, and another one waits for its end', async () => {
    const one = await delivered()
    const [first, second] = await Promise.all([ask(one, notNeeded), ask(one, notNeeded)])
    expect([first.status, second.status]).toEqual([200, 200])
    expect((await read(one)).returns).toHaveLength(1)
    const other = await ask(one, damaged)
    expect([other.status, other.body.code]).toEqual([409, 'STATE'])
    const { id } = await the(one)
    await Promise.all([answer(one, id, { answer: 'approve' }), answer(one, id, { answer: 'approve' })])
    await Promise.all([answer(one, id, { answer: 'received' }), answer(one, id, { answer: 'received' })])
    await refunded(one, 100)
    expect(await returns.refunds(one)).toHaveLength(1)
    expect((await clock.kinds(one.id)).filter((kind) => kind === 'return-receive')).toHaveLength(1)
  })

  test('that comes back damaged is decided by an administrator, who divides the amount', async () => {
    const one = await delivered()
    const id = await asked(one, notNeeded)
    await answer(one, id, { answer: 'approve' })
    const bare = await answer(one, id, { answer: 'received', condition: 'damaged' })
    expect([bare.status, bare.body.fields]).toEqual([422, { reason: 'Say what is wrong with it' }])
    await answer(one, id, { answer: 'received', condition: 'damaged', reason: 'Ear broken off' })
    const admin = await app.signUp({ role: 'admin' })
    const waiting = await admin.api.get<{ items: AdminOrder[] }>('/admin/orders?attention=true')
    expect(waiting.body.items.map((order) => order.id)).toContain(one.id)
    expect((await decide(one, id, { decision: 'allow' })).body.code).toBe('STATE')
    expect((await decide(one, id, { decision: 'split' })).body.fields).toHaveProperty('amount')
    expect((await decide(one, id, { decision: 'split', amount: 500 })).body.fields?.amount).toContain(
      'At most $115.00',
    )
    const decided = await decide(one, id, { decision: 'split', amount: 40 })
    expect(decided.body.returns).toMatchObject([{ state: 'refunded', decision: 'Seen the photos' }])
    expect((await decide(one, id, { decision: 'split', amount: 40 })).status).toBe(200)
    await refunded(one, 40)
    const audit =
      await sql`select from audit_entry where action = 'return-decided' and target = ${one.id}`.execute(
        app.db,
      )
    expect(audit.rows).toHaveLength(1)
  })

  test('that is not sent back in time ends, and the money is free again', async () => {
    const one = await delivered()
    await answer(one, await asked(one, notNeeded), { answer: 'approve' })
    await pass(15)
    expect(await the(one)).toMatchObject({ state: 'lapsed', deadline: null, actions: [] })
    expect(await openReturnsOf(one)).toBe(0)
    expect((await clock.mails(one.id, one.by.email)).at(-1)).toContain('Not sent back in time')
  })

  test('that was sent back to a silent yard is decided, at last for the buyer', async () => {
    const one = await delivered()
    const id = await asked(one, notNeeded)
    await answer(one, id, { answer: 'approve' })
    await change(one, id, 'send')
    await pass(15)
    expect((await the(one)).state).toBe('deciding')
    await pass(60)
    expect((await the(one)).state).toBe('refunded')
    await refunded(one, 100)
  })
})

describe('a claim', () => {
  test('that the yard grants brings everything back, and the part stays', async () => {
    const one = await delivered()
    const id = await asked(one, { ...damaged, text: 'Bent flange' })
    expect((await answer(one, id, { answer: 'received' })).body.code).toBe('STATE')
    await answer(one, id, { answer: 'approve' })
    await expect.poll(() => read(one)).toMatchObject({ state: 'refunded', money: { refunded: 115 } })
    expect((await read(one)).parts).toMatchObject([{ state: 'found' }])
    expect(await openReturnsOf(one)).toBe(0)
  })

  test('that the yard declines ends with that, unless the buyer asks us', async () => {
    const quiet = await delivered()
    const loud = await delivered()
    for (const one of [quiet, loud]) {
      const id = await asked(one, damaged)
      expect((await answer(one, id, { answer: 'decline' })).body.fields).toHaveProperty('reason')
      await answer(one, id, { answer: 'decline', reason: 'It was fine when we packed it' })
      expect(await the(one, 'claim')).toMatchObject({ state: 'declined', actions: ['appeal', 'withdraw'] })
      expect(await openReturnsOf(one)).toBe(1)
    }
    const { id } = await the(loud, 'claim')
    await change(loud, id, 'appeal')
    await pass(8)
    expect((await the(quiet, 'claim')).state).toBe('refused')
    expect((await the(loud, 'claim')).state).toBe('deciding')
    await decide(loud, id, { decision: 'refuse' })
    expect(await the(loud, 'claim')).toMatchObject({ state: 'refused', decision: 'Seen the photos' })
    expect((await read(loud)).money.refunded).toBe(0)
    expect(await openReturnsOf(loud)).toBe(0)
  })

  test('without an answer goes to an administrator after 3 days, and counts for the buyer after 60', async () => {
    const one = await delivered()
    await asked(one, damaged)
    await pass(2.9)
    expect((await the(one, 'claim')).state).toBe('asked')
    await pass(0.2)
    expect((await the(one, 'claim')).state).toBe('deciding')
    expect((await clock.mails(one.id, one.by.email)).at(-1)).toContain('did not answer')
    await pass(56)
    expect((await the(one, 'claim')).state).toBe('deciding')
    await pass(1.5)
    await expect.poll(() => read(one)).toMatchObject({ state: 'refunded', money: { refunded: 115 } })
  })

  test('stands still while the order is on hold or disputed', async () => {
    const one = await delivered()
    await asked(one, damaged)
    await sql`update part_order set held_at = now() where id = ${one.id}`.execute(app.db)
    await pass(4)
    expect((await the(one, 'claim')).state).toBe('asked')
    await sql`update part_order set held_at = null, disputed = true where id = ${one.id}`.execute(app.db)
    await pass(1)
    const { id } = await the(one, 'claim')
    const granted = await answer(one, id, { answer: 'approve' })
    expect([granted.status, granted.body.code]).toEqual([409, 'STATE'])
    expect((await the(one, 'claim')).state).toBe('asked')
    await sql`update part_order set disputed = false where id = ${one.id}`.execute(app.db)
    await pass(0)
    expect((await the(one, 'claim')).state).toBe('deciding')
  })

  test('ends when the money went back another way', async () => {
    const one = await delivered()
    await asked(one, damaged)
    const lines = [
      { kind: 'part', amount: 100 },
      { kind: 'shipping', amount: 15 },
    ]
    await returns.shop.act(one.seller, one.id, 'refund', { lines, reason: 'Sorry' })
    await expect.poll(async () => (await read(one)).state).toBe('refunded')
    await returns.sweep()
    expect((await the(one, 'claim')).state).toBe('withdrawn')
    expect(await openReturnsOf(one)).toBe(0)
  })
})

describe('a part that never arrived', () => {
  const missing = { kind: 'claim', reason: 'not-arrived' }

  test('can be reported a week after shipping, which stops the clock; the yard grants it', async () => {
    const one = await shipped()
    expect((await ask(one, missing)).body.error).toContain('a week after it was shipped')
    // By its own date: a moved clock would end the yard's session, too.
    await sql`update part_order set shipped_at = shipped_at - interval '8 days' where id = ${one.id}`.execute(
      app.db,
    )
    expect((await read(one)).returnChoices.map(({ reason }) => reason)).toEqual(['not-arrived'])
    const id = await asked(one, missing)
    await pass(0.5)
    const waiting = await read(one)
    expect(waiting).toMatchObject({ state: 'shipped', deadline: null })
    expect(waiting.sentence).toContain('has not arrived')
    await answer(one, id, { answer: 'approve' })
    await expect.poll(() => read(one)).toMatchObject({ state: 'refunded', money: { refunded: 115 } })
  })

  test('that arrives after all is delivered, and the claim is over', async () => {
    const [pressed, withdrawn] = [await shipped(), await shipped()]
    await pass(7.1)
    await asked(pressed, missing)
    await pressed.by.act('received', pressed.placed.token)
    const id = await asked(withdrawn, missing)
    await change(withdrawn, id, 'withdraw')
    for (const one of [pressed, withdrawn]) {
      expect((await read(one)).state).toBe('delivered')
      expect((await the(one, 'claim')).state).toBe('withdrawn')
      expect(await openReturnsOf(one)).toBe(0)
    }
  })

  test('that the administrator finds delivered counts as delivered', async () => {
    const one = await shipped()
    await pass(7.1)
    const id = await asked(one, missing)
    await pass(3.1)
    await decide(one, id, { decision: 'refuse' })
    expect(await read(one)).toMatchObject({ state: 'delivered', money: { refunded: 0 } })
  })

  test('is possible 14 days after silence counted as delivery, and never after "It arrived"', async () => {
    const silent = await shipped()
    const also = await shipped()
    const said = await delivered()
    await pass(7.1)
    await pass(5)
    await pass(3)
    expect((await read(silent)).state).toBe('delivered')
    await pass(13)
    expect((await ask(said, missing)).body.code).toBe('STATE')
    expect((await ask(silent, missing)).status).toBe(200)
    await pass(1.5)
    expect((await ask(also, missing)).body.code).toBe('STATE')
  })
})

describe('every call in every state', () => {
  const calls: Record<string, { step: Partial<Record<ReturnKind, ReturnStepName>>; call: Call }> = {
    approve: {
      step: { return: 'approve', claim: 'grant' },
      call: (one, id) => answer(one, id, { answer: 'approve' }),
    },
    decline: {
      step: { return: 'decline', claim: 'decline' },
      call: (one, id) => answer(one, id, { answer: 'decline', reason: 'No' }),
    },
    received: { step: { return: 'receive' }, call: (one, id) => answer(one, id, { answer: 'received' }) },
    send: { step: { return: 'send' }, call: (one, id) => change(one, id, 'send') },
    appeal: { step: { return: 'appeal', claim: 'appeal' }, call: (one, id) => change(one, id, 'appeal') },
    withdraw: {
      step: { return: 'withdraw', claim: 'withdraw' },
      call: (one, id) => change(one, id, 'withdraw'),
    },
    refund: {
      step: { return: 'refund', claim: 'refund' },
      call: (one, id) => decide(one, id, { decision: 'refund' }),
    },
    refuse: {
      step: { return: 'refuse', claim: 'refuse' },
      call: (one, id) => decide(one, id, { decision: 'refuse' }),
    },
    allow: { step: { return: 'allow' }, call: (one, id) => decide(one, id, { decision: 'allow' }) },
    split: {
      step: { return: 'split', claim: 'split' },
      call: (one, id) => decide(one, id, { decision: 'split', amount: 5 }),
    },
  }
  type Call = (one: Delivered, id: string) => Promise<Answer<Failed>>

  test.each(['return', 'claim'] as const)(
    'a %s takes what the table has, and refuses the rest unchanged',
    async (kind) => {
      const one = await delivered()
      const id = await asked(one, kind === 'return' ? notNeeded : damaged)
      await clock.quiet(one.id, simulator)
      for (const state of returnStates) {
        await returns.put(one, state, kind)
        const before = await clock.snapshot(one.id)
        for (const [name, { step, call }] of Object.entries(calls)) {
          const taken = step[kind]
          if (taken && allowsReturnStep(taken, { kind, state })) continue
          const { status, body } = await call(one, id)
          expect([state, name, status, body.code]).toEqual([state, name, 409, 'STATE'])
          expect(body.error).toMatch(/^[A-Z].{10,}\.$/)
        }
        expect(await clock.snapshot(one.id)).toBe(before)
      }
    },
  )
})

describe('photos', () => {
  const send = async ({ by, placed }: Delivered, bytes: Buffer, token = placed.token) =>
    by.api.post<{ id: string } & Failed>('/orders/photos', formOf({ token } as never, { bytes }))
  const open = ({ by, placed }: Delivered, photoId: string, token = placed.token) =>
    by.api.post<Failed>('/orders/photo', { token, photoId })

  test('are read like pictures of listings, and seen by buyer, yard and administrators alone', async () => {
    const one = await delivered()
    const stranger = await delivered()
    const { status, body } = await send(one, await photo({ orientation: 6 }))
    expect(status).toBe(201)
    expect((await send(one, await gif())).body.code).toBe('WRONG_TYPE')
    expect((await send(one, await photo({ orientation: 1 }), 'x'.repeat(43))).body.code).toBe('LINK_EXPIRED')
    const id = await asked(one, { ...damaged, photoIds: [body.id] })
    expect(await the(one, 'claim')).toMatchObject({ id, photoIds: [body.id] })

    const seen = await open(one, body.id)
    expect(seen.status).toBe(200)
    expect(seen.headers['cache-control']).toBe('private, no-store')
    expect((await open(stranger, body.id)).status).toBe(404)
    const path = (order: Delivered, side: string) => `/${side}/orders/${order.id}/photos/${body.id}`
    expect((await one.seller.api.get(path(one, 'seller'))).status).toBe(200)
    expect((await stranger.seller.api.get(path(stranger, 'seller'))).status).toBe(404)
    expect((await stranger.seller.api.get(path(one, 'seller'))).status).toBe(404)
    const { api } = await app.signUp({ role: 'admin' })
    expect((await api.get(path(one, 'admin'))).status).toBe(200)
    expect((await app.visitor.get(path(one, 'admin'))).status).toBe(401)
    expect((await app.visitor.get(`/auto-part/image/${body.id}`)).status).toBe(404)
  })

  test('of another order, sent already, or more than 8 are refused', async () => {
    const [one, other] = [await delivered(), await delivered()]
    const { body: mine } = await send(one, await photo({ orientation: 1 }))
    const stolen = await ask(other, { ...damaged, photoIds: [mine.id] })
    expect([stolen.status, stolen.body.fields]).toEqual([
      422,
      { photoIds: 'A photo is no longer there. Add your photos again' },
    ])
    expect((await read(other)).returns).toEqual([])
    const many = await ask(one, {
      ...damaged,
      photoIds: Array.from({ length: 9 }, () => crypto.randomUUID()),
    })
    expect([many.status, many.body.fields]).toEqual([422, { photoIds: 'Add at most 8 photos' }])
    await asked(one, { ...damaged, photoIds: [mine.id] })
    await change(one, (await the(one, 'claim')).id, 'withdraw')
    expect((await ask(one, { ...damaged, photoIds: [mine.id] })).status).toBe(422)
  })

  test('that were never sent are forgotten after a day', async () => {
    const one = await delivered()
    const { body } = await send(
      one,
      await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    )
    await pass(1.1)
    expect((await open(one, body.id)).status).toBe(404)
  })
})

describe('what is refused', () => {
  test('says which field is wrong', async () => {
    const one = await delivered()
    expect((await ask(one, { kind: 'return' })).body.fields).toEqual({ reason: 'Choose a reason' })
    expect((await ask(one, { kind: 'return', reason: 'damaged' })).body.fields).toEqual({
      reason: '“It came damaged” is not a reason for a return',
    })
    const strange = await ask(one, { ...notNeeded, lines: [crypto.randomUUID()] })
    expect(strange.body.fields).toEqual({ lines: 'Choose parts of this order' })
    expect((await read(one)).returns).toEqual([])
  })

  test('is what is not one’s own', async () => {
    const [one, other] = [await delivered(), await delivered()]
    const id = await asked(one, notNeeded)
    expect((await answer(other, id, { answer: 'approve' })).status).toBe(404)
    const path = `/seller/orders/${one.id}/returns/${id}`
    expect((await other.seller.api.post(path, { answer: 'approve' })).status).toBe(404)
    expect(
      (await other.seller.api.post(path.replace('seller', 'admin'), { decision: 'refund', reason: 'x' }))
        .status,
    ).toBe(403)
    expect((await change(other, id, 'withdraw')).status).toBe(404)
    expect((await the(one)).state).toBe('asked')
  })

  test('is more than a handful of requests', async () => {
    const one = await delivered()
    for (let count = 0; count < 6; count += 1) {
      await change(one, await asked(one, damaged), 'withdraw')
    }
    expect((await read(one)).returnChoices).toEqual([])
    expect((await ask(one, damaged)).body.code).toBe('STATE')
  })
})

test('the books still add up', async () => {
  expect(await findLedgerProblems(app.db)).toEqual([])
})
