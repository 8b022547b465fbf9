import { expect, test } from 'vitest'
import { partsInWords, refundable } from './order-facts.ts'

const lines = [
  { kind: 'part' as const, amount: 115.1 },
  { kind: 'shipping' as const, amount: 20 },
]
const refund = (state: 'requested' | 'pending' | 'succeeded' | 'failed', amount: number) => ({
  id: 'a',
  at: '2026-03-01T10:00:00.000Z',
  amount,
  lines: [{ kind: 'part' as const, amount }],
  state,
  reason: '',
})

test('a line can be refunded up to what was not refunded yet; failed refunds do not count', () => {
  expect(refundable({ lines, refunds: [] })).toEqual(lines)
  expect(
    refundable({ lines, refunds: [refund('succeeded', 0.1), refund('pending', 15), refund('failed', 99)] }),
  ).toEqual([
    { kind: 'part', amount: 100 },
    { kind: 'shipping', amount: 20 },
  ])
  expect(refundable({ lines, refunds: [refund('requested', 115.1)] })).toEqual([
    { kind: 'shipping', amount: 20 },
  ])
})

test('of several parts, each can be refunded up to its own price, and not more than is left of all', () => {
  const of = (id: string, price: number) => ({ id, title: id, quantity: 1, price, core: 0 })
  const parts = [of('door', 80), of('hood', 35.1)]
  const whole = { ...refund('succeeded', 100), lines: [{ kind: 'part' as const, amount: 100 }] }
  const door = { ...refund('succeeded', 30), lines: [{ kind: 'part' as const, amount: 30, line: 'door' }] }
  expect(refundable({ lines, refunds: [door], parts })).toEqual([
    { kind: 'part', amount: 50, part: { id: 'door', title: 'door' } },
    { kind: 'part', amount: 35.1, part: { id: 'hood', title: 'hood' } },
    { kind: 'shipping', amount: 20 },
  ])
  expect(refundable({ lines, refunds: [whole], parts })).toEqual([
    { kind: 'part', amount: 15.1, part: { id: 'door', title: 'door' } },
    { kind: 'shipping', amount: 20 },
  ])
})

test('an order is named after its first part', () => {
  const door = { title: '2012 Camry Front Door', quantity: 1 }
  expect(partsInWords([door])).toBe('2012 Camry Front Door')
  expect(partsInWords([{ ...door, quantity: 3 }, door])).toBe('3 × 2012 Camry Front Door and 1 more')
})
