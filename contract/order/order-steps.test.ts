import { describe, expect, test } from 'vitest'
import {
  allowsStep,
  isBinding,
  isEnded,
  isOpen,
  isPaid,
  type OrderState,
  type OrderStep,
  orderStateLabel,
  orderStateLabels,
  orderStates,
  orderStepNames,
  orderSteps,
  type StepContext,
  trackingUrl,
} from './order-steps.ts'

/*
 * The whole table, written out: a column for each state, in this order, and a row for each step.
 *   q quoting, p pending, a authorized, c capturing, C confirmed, r ready, s shipped, d delivered, x closed,
 *   e expired, k canceled, n not-found, f refunded
 */
const columns = 'qpacCrsdxeknf'
const matrix: Record<OrderStep, string> = {
  quote: 'q............',
  pay: 'qp...........',
  authorize: '.p.......e...',
  take: '.p.......e...',
  confirm: '..a..........',
  capture: '...c.........',
  lose: '..ac.........',
  'not-found': '..a.C........',
  cancel: 'qpa..........',
  'ask-cancel': '....C........',
  drop: 'qpa..........',
  expire: 'qp...........',
  miss: '..a..........',
  delay: '....C........',
  ship: '....C........',
  ready: '....C........',
  'hand-over': '.....r.......',
  received: '......s......',
  arrive: '......s......',
  refund: '....Crsdx....',
  'charge-back': '....Cr.......',
  close: '.......d.....',
}

/** Steps that are the matter of one kind of order alone. */
const onlyShipped: readonly OrderStep[] = ['ship']
const onlyFetched: readonly OrderStep[] = ['ready']

/** Written out as well: what a pair comes to for one kind of order. */
function expected(step: OrderStep, { state, delivery, mode }: StepContext): boolean {
  const at = orderStates.indexOf(state)
  if (matrix[step][at] !== columns[at]) return false
  if (onlyShipped.includes(step) && delivery !== 'ship') return false
  if (onlyFetched.includes(step) && delivery !== 'pickup') return false
  return !(step === 'not-found' && state === 'confirmed' && mode !== 'instant')
}

describe('the table of steps', () => {
  test('has a column for each state and a row for each step', () => {
    expect(columns).toHaveLength(orderStates.length)
    expect(Object.keys(matrix)).toEqual(orderStepNames)
    for (const row of Object.values(matrix)) expect(row).toHaveLength(columns.length)
  })

  const contexts = (['ship', 'pickup'] as const).flatMap((delivery) =>
    (['confirm', 'instant'] as const).map((mode) => ({ delivery, mode })),
  )
  test.each(contexts)('allows exactly these pairs for $delivery, $mode', (context) => {
    for (const step of orderStepNames) {
      for (const state of orderStates) {
        const asked = { ...context, state }
        expect(`${step} from ${state}: ${allowsStep(step, asked)}`).toBe(
          `${step} from ${state}: ${expected(step, asked)}`,
        )
      }
    }
  })

  test('leads to these states, by these hands', () => {
    const ends = orderStepNames.map((step) => `${orderSteps[step].by} ${step} ${orderSteps[step].to}`)
    expect(ends).toEqual([
      'seller quote quoting',
      'buyer pay pending',
      'provider authorize authorized',
      'provider take confirmed',
      'seller confirm capturing',
      'provider capture confirmed',
      'provider lose canceled',
      'seller not-found not-found',
      'buyer cancel canceled',
      'buyer ask-cancel confirmed',
      'admin drop canceled',
      'clock expire expired',
      'clock miss canceled',
      'buyer delay confirmed',
      'seller ship shipped',
      'seller ready ready',
      'seller hand-over delivered',
      'buyer received delivered',
      'clock arrive delivered',
      'seller refund refunded',
      'provider charge-back canceled',
      'clock close closed',
    ])
  })

  test('lets nothing out of an ended order except late money', () => {
    for (const step of orderStepNames) {
      for (const state of ['canceled', 'not-found', 'refunded'] as const) {
        expect(allowsStep(step, { state, delivery: 'ship', mode: 'instant' })).toBe(false)
      }
    }
  })
})

test('every state is ended, paid, or before the money, and only one of them', () => {
  const kinds: Record<OrderState, string> = {
    quoting: 'open',
    pending: 'open',
    authorized: 'open binding',
    capturing: 'open binding',
    confirmed: 'open binding paid',
    ready: 'open binding paid',
    shipped: 'open binding paid',
    delivered: 'binding paid',
    closed: 'binding paid',
    expired: 'ended',
    canceled: 'ended',
    'not-found': 'ended',
    refunded: 'ended',
  }
  for (const state of orderStates) {
    const found = [
      isOpen(state) && 'open',
      isBinding(state) && 'binding',
      isPaid(state) && 'paid',
      isEnded(state) && 'ended',
    ]
    expect(`${state}: ${found.filter(Boolean).join(' ')}`).toBe(`${state}: ${kinds[state]}`)
    expect(orderStateLabels[state]).not.toBe('')
  }
})

test('a badge says that a named shipping price waits for its buyer', () => {
  expect(orderStateLabel({ state: 'quoting', total: null })).toBe('Shipping price asked')
  expect(orderStateLabel({ state: 'quoting', total: 1_735 })).toBe('Waiting for payment')
  expect(orderStateLabel({ state: 'shipped', total: 1_735 })).toBe('Shipped')
})

test('tracking numbers cannot leave their place in an address', () => {
  expect(trackingUrl('ups', '1Z&x=1')).toBe('https://www.ups.com/track?tracknum=1Z%26x%3D1')
  expect(trackingUrl('ups', '')).toBeNull()
  expect(trackingUrl('freight', '77')).toBeNull()
})
