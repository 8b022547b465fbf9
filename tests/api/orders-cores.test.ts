import { afterEach, describe, expect, test } from 'vitest'
import { allowsReturnStep, type ReturnStepName, returnStates } from '#contract/order/returns/return-steps.ts'
import { findLedgerProblems, readLedger } from '#server/features/money/orders/money/ledger.ts'
import type { Answer } from '#tests/support/api-client.ts'
import { startBillingWorker } from '#tests/support/payments.ts'
import { type Delivered, openReturns } from '#tests/support/returns.ts'
import type { Failed } from '#tests/support/shop.ts'
import { startTestSimulator } from '#tests/support/simulator.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* The old part of a core charge: back in time, back in a bad state, or never. */

const simulator = await startTestSimulator()
const app = await startTestApp(simulator.settings)
await simulator.deliverTo(app.http)
await startBillingWorker(app)
const returns = openReturns(app)
const { ask, asked, answer, change, clock, pass, read, the } = returns
afterEach(returns.resetClock)

const withCore = (coredays = '20') => returns.delivered({ part: { corecharge: '50', coredays } })
const stateOf = (one: Delivered) => clock.column<string | null>(one.id, 'core_state')
const balances = async ({ id }: Delivered) => {
  const sums: Record<string, number> = {}
  for (const { account, cents } of await readLedger(app.db, id)) sums[account] = (sums[account] ?? 0) + cents
  return sums
}
const decide = async (one: Delivered, returnId: string, body: object) => {
  const { api } = await app.signUp({ role: 'admin' })
  return api.post<Failed>(`/admin/orders/${one.id}/returns/${returnId}`, { reason: 'Seen it', ...body })
}

describe('the core of a delivered order', () => {
  test('waits for as many days as the terms say, without stopping the release of the money', async () => {
    const one = await withCore()
    expect(await the(one, 'core')).toMatchObject({ state: 'approved', amount: 50, actions: ['send'] })
    expect([await stateOf(one), await clock.column(one.id, 'open_returns')]).toEqual(['open', 0])
    const days = (await clock.column<Date>(one.id, 'core_by')).getTime() - app.clock.now().getTime()
    expect(Math.round(days / 86_400_000)).toBe(20)
    expect((await clock.mails(one.id, one.by.email)).at(-1)).toMatch(
      /^Send your old part to .* by .* and get \$50\.00 back/,
    )
    const plain = await returns.delivered()
    expect([await stateOf(plain), (await read(plain)).returns]).toEqual([null, []])
  })

  test('is refunded when the yard scans it back, once', async () => {
    const one = await withCore()
    expect((await ask(one, { kind: 'core' })).status).toBe(200)
    expect((await ask(one, { kind: 'core' })).status).toBe(200)
    const { id, state } = await the(one, 'core')
    expect(state).toBe('sent')
    await Promise.all([answer(one, id, { answer: 'received' }), answer(one, id, { answer: 'received' })])
    await expect.poll(async () => (await read(one)).money.refunded).toBe(50)
    expect(await returns.refunds(one)).toMatchObject([{ part: 0, shipping: 0, core: 5000 }])
    expect(await stateOf(one)).toBe('back')
    expect((await balances(one)).core).toBe(0)
    expect((await ask(one, { kind: 'core' })).body.code).toBe('STATE')
    expect((await read(one)).state).toBe('delivered')
  })

  test('that does not come is the yard’s after a reminder', async () => {
    const one = await withCore()
    const held = (await balances(one)).held ?? 0
    await pass(14)
    expect((await clock.mails(one.id, one.by.email)).at(-1)).toMatch(/^Reminder, send your old part/)
    await returns.sweep()
    expect((await clock.kinds(one.id)).filter((kind) => kind === 'return-reminded')).toHaveLength(1)
    await pass(6.5)
    expect([await stateOf(one), (await the(one, 'core')).state]).toEqual(['lapsed', 'lapsed'])
    expect(await balances(one)).toMatchObject({ core: 0, held: held - 5_000 })
    expect((await clock.mails(one.id, one.seller.person.email)).at(-1)).toContain(
      'core not returned, $50.00 is yours',
    )
    expect((await ask(one, { kind: 'core' })).body.error).toContain('No old part is to come back')
    expect((await read(one)).money.refunded).toBe(0)
  })

  test('that came too late may still be refunded by the yard, from its own money', async () => {
    const one = await withCore()
    await pass(14)
    await pass(6.5)
    const before = await balances(one)
    const { api } = await app.signUp({ role: 'admin' })
    const refunded = await api.post<Failed>(`/admin/orders/${one.id}/refund`, {
      lines: [{ kind: 'core', amount: 50 }],
      reason: 'The yard found it',
    })
    expect(refunded.status).toBe(200)
    await expect.poll(async () => (await read(one)).money.refunded).toBe(50)
    expect(await balances(one)).toMatchObject({ core: 0, held: (before.held ?? 0) + 5_000 })
  })

  test('in a bad state is decided, and divided', async () => {
    const one = await withCore()
    const { id } = await the(one, 'core')
    await answer(one, id, { answer: 'received', condition: 'incomplete', reason: 'No pulley' })
    expect((await the(one, 'core')).state).toBe('deciding')
    expect((await decide(one, id, { decision: 'split', amount: 60 })).body.fields?.amount).toContain(
      'At most $50.00',
    )
    await decide(one, id, { decision: 'split', amount: 20 })
    await expect.poll(async () => (await read(one)).money.refunded).toBe(20)
    const other = await withCore()
    const mine = await the(other, 'core')
    await answer(other, mine.id, { answer: 'received', condition: 'other-part', reason: 'A brick' })
    await decide(other, mine.id, { decision: 'refuse' })
    expect([await stateOf(other), (await read(other)).money.refunded]).toEqual(['lapsed', 0])
  })

  test('is not owed once the part itself comes back', async () => {
    const one = await withCore()
    const id = await asked(one, { kind: 'return', reason: 'not-needed' })
    await answer(one, id, { answer: 'approve' })
    await answer(one, id, { answer: 'received' })
    await expect.poll(async () => (await read(one)).money.refunded).toBe(150)
    expect([await stateOf(one), (await the(one, 'core')).state]).toEqual(['back', 'withdrawn'])
  })
})

describe('the core slip', () => {
  const slip = (one: Delivered, token = one.placed.token) =>
    one.by.api.post<Failed>('/orders/core-slip.pdf', { token })

  test('is for the buyer, while the old part is to come back', async () => {
    const one = await withCore()
    const file = await slip(one)
    expect([file.status, file.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect((await slip(one, 'x'.repeat(43))).body.code).toBe('LINK_EXPIRED')
    const { id } = await the(one, 'core')
    await answer(one, id, { answer: 'received' })
    expect((await slip(one)).body.code).toBe('STATE')
  })

  test('of one yard opens nothing at another', async () => {
    const [one, other] = [await withCore(), await withCore()]
    const { id } = await the(one, 'core')
    expect((await answer(other, id, { answer: 'received' })).status).toBe(404)
    const path = `/seller/orders/${one.id}/returns/${id}`
    expect((await other.seller.api.post(path, { answer: 'received' })).status).toBe(404)
    expect(await stateOf(one)).toBe('open')
  })
})

test('every call in every state: what the table does not have is refused, and changes nothing', async () => {
  type Call = (one: Delivered, id: string) => Promise<Answer<Failed>>
  const calls: readonly [name: string, step: ReturnStepName | undefined, call: Call][] = [
    ['approve', undefined, (one, id) => answer(one, id, { answer: 'approve' })],
    ['decline', undefined, (one, id) => answer(one, id, { answer: 'decline', reason: 'No' })],
    ['received', 'receive', (one, id) => answer(one, id, { answer: 'received' })],
    ['send', 'send', (one, id) => change(one, id, 'send')],
    ['appeal', undefined, (one, id) => change(one, id, 'appeal')],
    ['withdraw', undefined, (one, id) => change(one, id, 'withdraw')],
    ['refund', 'refund', (one, id) => decide(one, id, { decision: 'refund' })],
    ['refuse', 'refuse', (one, id) => decide(one, id, { decision: 'refuse' })],
    ['allow', undefined, (one, id) => decide(one, id, { decision: 'allow' })],
    ['split', 'split', (one, id) => decide(one, id, { decision: 'split', amount: 5 })],
  ]
  const one = await withCore()
  const { id } = await the(one, 'core')
  await clock.quiet(one.id, simulator)
  for (const state of returnStates) {
    await returns.put(one, state, 'core')
    const before = await clock.snapshot(one.id)
    for (const [name, step, call] of calls) {
      if (step && allowsReturnStep(step, { kind: 'core', state })) continue
      const { status, body } = await call(one, id)
      expect([state, name, status, body.code]).toEqual([state, name, 409, 'STATE'])
    }
    expect(await clock.snapshot(one.id)).toBe(before)
  }
})

test('the books add up', async () => {
  expect(await findLedgerProblems(app.db)).toEqual([])
})
