import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  keepCheckout,
  keepChosenPlan,
  keepReturnPath,
  readOnboarding,
  resetOnboarding,
  takeReturnPath,
} from './onboarding-state.ts'

let kept: Record<string, string>
beforeEach(() => {
  kept = {}
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => {
      kept[key] = value
    },
    removeItem: (key: string) => {
      delete kept[key]
    },
  })
})
afterEach(() => vi.unstubAllGlobals())

const none = { plan: 'FREE', checkoutSessionId: null }

test('nothing stored reads as FREE', () => {
  expect(readOnboarding('ana')).toEqual(none)
})

test('a checkout is kept with the plan it is for, until it is confirmed', () => {
  keepCheckout('ana', 'cs_1')
  expect(readOnboarding('ana')).toEqual({ plan: 'PAID', checkoutSessionId: 'cs_1' })
  resetOnboarding()
  expect(readOnboarding('ana')).toEqual(none)
})

test('choosing another plan forgets the checkout', () => {
  keepCheckout('ana', 'cs_1')
  keepChosenPlan('ana', 'PAID')
  expect(readOnboarding('ana')).toEqual({ plan: 'PAID', checkoutSessionId: null })
  keepChosenPlan('ana', 'FREE')
  expect(readOnboarding('ana')).toEqual(none)
})

test('the next person sees none of it', () => {
  keepCheckout('ana', 'cs_1')
  expect(readOnboarding('ben')).toEqual(none)
  expect(readOnboarding(undefined)).toEqual(none)
})

test.each(['', 'no json', 'null', '7', '{"userId":"ana","plan":"GOLD"}'])(
  '%j reads as nothing stored',
  (text) => {
    kept.onboarding = text
    expect(readOnboarding('ana')).toEqual(none)
  },
)

test('a browser without storage still works', () => {
  vi.stubGlobal('sessionStorage', undefined)
  keepCheckout('ana', 'cs_1')
  resetOnboarding()
  expect(readOnboarding('ana')).toEqual(none)
})

test('the page left for payouts is returned once, to the same person, and only if it is ours', () => {
  keepReturnPath('ana', '/dashboard/seller/create-bulk-auto-part-listing?tab=run')
  expect(takeReturnPath('ana')).toBe('/dashboard/seller/create-bulk-auto-part-listing?tab=run')
  expect(takeReturnPath('ana')).toBeUndefined()
  keepReturnPath('ana', '/dashboard/seller')
  expect(takeReturnPath('ben')).toBeUndefined()
  keepReturnPath('ana', '//evil.example')
  expect(takeReturnPath('ana')).toBeUndefined()
})
