import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { ApiToken } from '#contract/account/api-tokens.ts'
import { address, nextDownload, openApp } from './support/app.tsx'
import { bareSettings, makeUser, newId, refuse } from './support/fake-server.ts'

const settings = '/dashboard/seller/account-settings'
const password = 'Sable-quay-and-lantern'
const stale = () => refuse(403, 'REAUTH_NEEDED', 'Please confirm your password to do this.')
const TOKEN = 'ph_0123456789abcdefghijABCDEFGHIJ0123456789abcdef'

const token = (changes: Partial<ApiToken> = {}): ApiToken => ({
  id: newId(),
  name: 'Yard program',
  ending: 'cdef',
  scopes: ['listings:read', 'imports:write'],
  createdAt: '2026-02-01T10:00:00.000Z',
  lastUsedAt: null,
  expiresAt: '2026-05-02T10:00:00.000Z',
  isExpired: false,
  ...changes,
})

const cardNamed = async (name: string) => within(await screen.findByRole('region', { name }))

test('a token is shown once, and then listed and revoked', async () => {
  let items: ApiToken[] = []
  const { user, server } = await openApp(settings, {
    as: makeUser(),
    server: {
      ...bareSettings,
      listTokens: () => ({ items }),
      createToken: ({ body }) => {
        items = [token({ scopes: body.scopes })]
        return { token: TOKEN, item: token({ scopes: body.scopes }) }
      },
      revokeToken: () => {
        items = []
        return { ok: true }
      },
    },
  })
  const card = await cardNamed('API tokens')
  await card.findByText('No tokens yet.')
  await user.click(card.getByRole('button', { name: 'Create token' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create API token' }))
  await user.type(dialog.getByLabelText('Name'), 'Yard program')
  await user.click(dialog.getByLabelText('Read your listings and download them'))
  await user.selectOptions(dialog.getByLabelText('Expires'), 'In 30 days')
  await user.click(dialog.getByRole('button', { name: 'Create token' }))
  const shown = within(await screen.findByRole('dialog', { name: 'Copy your token now' }))
  expect(shown.getByLabelText('Token')).toHaveValue(TOKEN)
  expect(server.asked('createToken').at(-1)?.body).toEqual({
    name: 'Yard program',
    scopes: ['listings:read'],
    expiresInDays: 30,
  })
  expect(server.asked('createToken').at(-1)?.headers.has('idempotency-key')).toBe(false)
  await user.click(shown.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByDisplayValue(TOKEN)).toBeNull())

  expect(await card.findByText(/^Ends in cdef · Created February 1, 2026 · Never used/)).toBeVisible()
  await user.click(card.getByRole('button', { name: 'Revoke Yard program, ending in cdef' }))
  const question = within(await screen.findByRole('dialog', { name: 'Revoke “Yard program”?' }))
  await user.click(question.getByRole('button', { name: 'Revoke token' }))
  await card.findByText('No tokens yet.')
})

test('a new password ends all tokens, unless one is kept', async () => {
  const kept = token({ lastUsedAt: '2026-03-01T10:00:00.000Z' })
  const { user, server } = await openApp(settings, {
    as: makeUser(),
    server: {
      ...bareSettings,
      listTokens: { items: [kept, token({ name: 'Old program', ending: 'wxyz' })] },
      updateProfile: () => makeUser(),
    },
  })
  expect(await screen.findByLabelText('End all 2 tokens')).toBeChecked()
  await user.type(screen.getByLabelText('Current password'), password)
  await user.type(screen.getByLabelText('New password'), 'walnut-trailer-hitch')
  await user.click(screen.getByLabelText('Keep “Yard program”, ending in cdef'))
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  await waitFor(() =>
    expect(server.asked('updateProfile').at(-1)?.body).toMatchObject({ keepToken: kept.id }),
  )
})

test('an expired token says so', async () => {
  await openApp(settings, {
    as: makeUser(),
    server: {
      ...bareSettings,
      listTokens: { items: [token({ isExpired: true, lastUsedAt: '2026-03-01T10:00:00.000Z' })] },
    },
  })
  const card = await cardNamed('API tokens')
  expect(await card.findByText('Expired')).toBeVisible()
  expect(card.getByText(/Last used .* · Expired May 2, 2026 \(UTC\)$/)).toBeVisible()
})

test('everything stored about a person can be downloaded', async () => {
  const { user } = await openApp(settings, {
    as: makeUser(),
    server: { ...bareSettings, exportOwnData: () => new Response('a zip') },
  })
  const card = await cardNamed('Your data')
  const download = nextDownload()
  await user.click(card.getByRole('button', { name: 'Download your data' }))
  expect(await download).toEqual({
    name: expect.stringMatching(/^my-data-\d{4}-\d\d-\d\d\.zip$/),
    text: 'a zip',
  })
})

test('closing the account says what happens, asks for the password and signs out', async () => {
  let isFresh = false
  const { user, server } = await openApp(settings, {
    as: makeUser({ sellerTier: 'PAID', subscriptionId: 'sub_1' }),
    server: {
      ...bareSettings,
      closeAccount: () => {
        if (!isFresh) return stale()
        return server.asked('closeAccount').length === 2
          ? refuse(409, 'CONFLICT', 'You are the last administrator.')
          : { eraseAfter: '2026-03-15T10:00:00.000Z' }
      },
      reauth: ({ body }) => {
        isFresh = 'password' in body && body.password === password
        return { ok: true }
      },
    },
  })
  const card = await cardNamed('Close account')
  await user.click(card.getByRole('button', { name: 'Close account' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Close your account?' }))
  expect(dialog.getByText('Your Pro subscription ends. You won’t be charged again.')).toBeVisible()
  expect(dialog.getByText(/^Changed your mind\? Sign in within 14 days/)).toBeVisible()
  const button = dialog.getByRole('button', { name: 'Close account' })
  await user.click(button)
  const question = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }))
  await user.type(question.getByLabelText('Password'), password)
  await user.click(question.getByRole('button', { name: 'Confirm' }))
  expect(await dialog.findByRole('alert')).toHaveTextContent('You are the last administrator.')
  await user.click(button)
  await waitFor(() => expect(address()).toBe('/login'))
  expect(
    await screen.findByText('Account closed. Sign in before March 15, 2026 (UTC) to reopen it.'),
  ).toBeVisible()
  expect(localStorage.getItem('auth')).toBeNull()
  expect(server.asked('closeAccount')).toHaveLength(3)
})

test('without a plan there is nothing about one', async () => {
  const { user } = await openApp(settings, { as: makeUser(), server: bareSettings })
  await user.click((await cardNamed('Close account')).getByRole('button', { name: 'Close account' }))
  await screen.findByRole('dialog', { name: 'Close your account?' })
  expect(screen.queryByText(/Pro subscription ends/)).toBeNull()
})

test('feeds are allowed with one switch; addresses and the parts left out are shown', async () => {
  const feeds = {
    enabled: false,
    googleUrl: 'https://parts.example/feeds/dana/google.xml',
    metaUrl: 'https://parts.example/feeds/dana/meta.csv',
    parts: 1_200,
    inFeeds: 1_178,
    problems: [
      {
        problem: 'no-picture' as const,
        count: 22,
        newest: [{ slug: 'a-hood', title: '2014 Ford F-150 Hood' }],
      },
    ],
  }
  const { user } = await openApp(settings, {
    as: makeUser(),
    server: {
      ...bareSettings,
      readFeeds: feeds,
      setFeeds: ({ body }) => ({ ...feeds, enabled: body.enabled }),
    },
  })
  const card = await cardNamed('Shopping feeds')
  await card.findByText(/^1,178 of 1,200 parts are ready/)
  expect(card.queryByRole('link', { name: feeds.googleUrl })).toBeNull()
  await user.click(card.getByRole('switch', { name: 'Let shopping sites read my parts' }))
  expect(await card.findByRole('link', { name: feeds.googleUrl })).toHaveAttribute('href', feeds.googleUrl)
  expect(card.getByRole('link', { name: feeds.metaUrl })).toBeVisible()
  await user.click(card.getByText('No picture: 22'))
  expect(card.getByRole('link', { name: '2014 Ford F-150 Hood' })).toHaveAttribute(
    'href',
    '/dashboard/seller/products/auto-parts/a-hood/edit',
  )
})
