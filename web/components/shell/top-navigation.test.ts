import { expect, test } from 'vitest'
import { navigationItems } from './top-navigation.tsx'

const words = (signedIn: boolean, findPartsUrl: string | null = null) => {
  const { left, right } = navigationItems(signedIn, findPartsUrl)
  return [...left, ...right].map(({ label, to }) => `${label} → ${to}`)
}

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
  const { left } = navigationItems(false, 'https://parts.example/find')
  expect(left[1]).toMatchObject({ label: 'Find Auto Parts', to: 'https://parts.example/find', outside: true })
})
