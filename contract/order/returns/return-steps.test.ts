import { describe, expect, test } from 'vitest'
import {
  allowsReturnStep,
  faultOf,
  isReturnOver,
  openReturnStates,
  type ReturnKind,
  type ReturnStepName,
  returnKinds,
  returnStates,
  returnStepNames,
  returnSteps,
} from './return-steps.ts'

/*
 * The whole table, written out: a column for each state, a row for each step, and the kinds that it is for.
 *   a asked, d declined, D deciding, p approved, s sent, m refunded, r refused, w withdrawn, l lapsed
 */
const columns = 'adDpsmrwl'
const matrix: Record<ReturnStepName, readonly [pairs: string, kinds: string]> = {
  approve: ['a........', 'return'],
  grant: ['a........', 'claim'],
  decline: ['a........', 'return claim'],
  appeal: ['.d.......', 'return claim'],
  close: ['.d.......', 'return claim'],
  unanswered: ['a...s....', 'return claim core'],
  send: ['...p.....', 'return core'],
  receive: ['...ps....', 'return core'],
  contest: ['...ps....', 'return core'],
  lapse: ['...p.....', 'return core'],
  refund: ['..D......', 'return claim core'],
  split: ['..D......', 'return claim core'],
  refuse: ['..D......', 'return claim core'],
  allow: ['..D......', 'return'],
  settle: ['..D......', 'return claim core'],
  withdraw: ['adDp.....', 'return claim'],
  void: ['adDps....', 'return claim core'],
}

describe('the table of returns', () => {
  test('has a row for each step', () => {
    expect(columns).toHaveLength(returnStates.length)
    expect(Object.keys(matrix)).toEqual(returnStepNames)
  })

  test.each(returnKinds)('allows exactly these pairs for a %s', (kind: ReturnKind) => {
    for (const step of returnStepNames) {
      const [pairs, kinds] = matrix[step]
      returnStates.forEach((state, at) => {
        const expected = pairs[at] === columns[at] && kinds.split(' ').includes(kind)
        expect(`${step} from ${state}: ${allowsReturnStep(step, { kind, state })}`).toBe(
          `${step} from ${state}: ${expected}`,
        )
      })
    }
  })

  test('leads to these states, by these hands', () => {
    const ends = returnStepNames.map((step) => `${returnSteps[step].by} ${step} ${returnSteps[step].to}`)
    expect(ends).toEqual([
      'seller approve approved',
      'seller grant refunded',
      'seller decline declined',
      'buyer appeal deciding',
      'clock close refused',
      'clock unanswered deciding',
      'buyer send sent',
      'seller receive refunded',
      'seller contest deciding',
      'clock lapse lapsed',
      'admin refund refunded',
      'admin split refunded',
      'admin refuse refused',
      'admin allow approved',
      'clock settle refunded',
      'buyer withdraw withdrawn',
      'clock void withdrawn',
    ])
  })

  test('every open state goes on by itself, and no ended one goes on', () => {
    for (const state of returnStates) {
      const byClock = returnStepNames.filter(
        (step) =>
          returnSteps[step].by === 'clock' &&
          step !== 'void' &&
          (returnSteps[step].from as readonly string[]).includes(state),
      )
      expect([state, byClock.length > 0]).toEqual([state, openReturnStates.includes(state)])
      expect(isReturnOver(state)).toBe(!openReturnStates.includes(state))
    }
  })
})

test('a part that does not fit is the yard’s fault only if it confirmed that it does', () => {
  expect(faultOf('doesnt-fit', { fitConfirmed: true })).toBe('yard')
  expect(faultOf('doesnt-fit', { fitConfirmed: false })).toBe('buyer')
  expect(faultOf('not-needed', { fitConfirmed: true })).toBe('buyer')
  expect(faultOf('damaged', { fitConfirmed: false })).toBe('yard')
})
