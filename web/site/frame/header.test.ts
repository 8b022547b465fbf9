import { expect, test } from 'vitest'
import { navigationItems } from './header.tsx'

const words = (signedIn: boolean, findPartsUrl: string | null = null) =>
  navigationItems(signedIn, findPartsUrl).map(({ label, to }) => `${label} → ${to}`)

test('the links for a visitor', () => {
  expect(words(false)).toEqual([
    'Home → /',
    'Find Auto Parts → /parts',
    'Login To Your Account → /login',
    'Register Become a Dealer → /register',
  ])
})

test('the links for a signed-in user; Logout is a separate button', () => {
  expect(words(true)).toEqual([
    'My Dashboard → /dashboard/user',
    'Analytics & Sales → /dashboard/seller/analytics',
    'Technical Support → /support',
    'How To Support Articles → /help',
  ])
})

test('FIND_PARTS_URL is an external link', () => {
  const items = navigationItems(false, 'https://parts.example/find')
  expect(items[1]).toMatchObject({
    label: 'Find Auto Parts',
    to: 'https://parts.example/find',
    outside: true,
  })
})
