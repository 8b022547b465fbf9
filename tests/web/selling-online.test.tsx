import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { OwnSelling } from '#contract/order/order-calls.ts'
import { openApp } from './support/app.tsx'
import { bareSettings, makeUser } from './support/fake-server.ts'

const settings = '/dashboard/seller/account-settings#selling'

const selling = (changes: Partial<OwnSelling> = {}): OwnSelling => ({
  available: true,
  enabled: false,
  mode: 'confirm',
  days: 2,
  combinedShipping: 'each' as const,
  problem: null,
  royaltyPercent: 10,
  royaltyFloor: 1,
  acceptedAt: null,
  ...changes,
})

const card = async () => within(await screen.findByRole('region', { name: 'Selling online' }))

test('a yard accepts the royalty as it switches selling on, and changes how it sells', async () => {
  const { user, server } = await openApp(settings, {
    as: makeUser({ connectStatus: 'VERIFIED' }),
    server: {
      ...bareSettings,
      readSelling: selling(),
      setSelling: ({ body }) => selling({ ...body, acceptedAt: '2026-03-01T12:00:00.000Z' }),
    },
  })
  const own = await card()
  await own.findByText('Off')
  expect(own.getByRole('button', { name: 'Save selling settings' })).toBeDisabled()
  await user.click(own.getByRole('switch', { name: /^Sell online/ }))
  expect(own.getByText(/We keep 10% of the part’s price, at least \$1\.00 an order/)).toBeVisible()
  expect(own.getByRole('radio', { name: /^Confirm first/ })).toBeChecked()
  await user.clear(own.getByLabelText('Days to ship'))
  await user.type(own.getByLabelText('Days to ship'), '4')
  await user.click(own.getByRole('button', { name: 'Accept 10% and sell online' }))
  await screen.findByText('You sell online now')
  expect(server.asked('setSelling').at(-1)?.body).toEqual({
    enabled: true,
    mode: 'confirm',
    days: 4,
    combinedShipping: 'each',
  })

  await own.findByText('On')
  expect(own.getByText(/You accepted this on March 1, 2026\./)).toBeVisible()
  await user.click(own.getByRole('radio', { name: /^Instant/ }))
  await user.click(own.getByRole('button', { name: 'Save selling settings' }))
  await screen.findByText('Selling settings saved')
  await user.click(own.getByRole('switch', { name: /^Sell online/ }))
  await user.click(own.getByRole('button', { name: 'Save selling settings' }))
  await screen.findByText('Selling online is off')
  expect(server.asked('setSelling').map(({ body }) => [body.enabled, body.mode])).toEqual([
    [true, 'confirm'],
    [true, 'instant'],
    [false, 'instant'],
  ])
})

test('what stands in the way is named, with the way to payouts', async () => {
  await openApp(settings, {
    as: makeUser({ connectStatus: 'IN_PROGRESS' }),
    server: { ...bareSettings, readSelling: selling({ problem: 'Your payouts are not verified yet.' }) },
  })
  const own = await card()
  const alert = within(await own.findByRole('alert'))
  expect(alert.getByText('You can’t sell online yet')).toBeVisible()
  expect(alert.getByText('Your payouts are not verified yet.')).toBeVisible()
  expect(alert.getByRole('button', { name: 'Verify payouts' })).toBeVisible()
  expect(own.getByRole('switch', { name: /^Sell online/ })).toBeDisabled()
})

test('a yard that lost its payouts can still switch selling off', async () => {
  const { user } = await openApp(settings, {
    as: makeUser({ connectStatus: 'IN_PROGRESS' }),
    server: {
      ...bareSettings,
      readSelling: selling({ enabled: true, problem: 'Stripe paused your payouts.' }),
      setSelling: ({ body }) => selling(body),
    },
  })
  const own = await card()
  await own.findByText('New orders are stopped')
  await user.click(own.getByRole('switch', { name: /^Sell online/ }))
  await user.click(own.getByRole('button', { name: 'Save selling settings' }))
  await screen.findByText('Selling online is off')
})

test('where nothing can be bought, the settings say nothing about it', async () => {
  await openApp(settings, { as: makeUser(), server: bareSettings })
  await screen.findByRole('region', { name: 'Your yard’s page' })
  await screen.findByText('No tokens yet.')
  expect(screen.queryByRole('region', { name: 'Selling online' })).toBeNull()
})

const verified = makeUser({ connectStatus: 'VERIFIED' })
const blocked = 'Stripe does not allow transfers to your payout account yet.'

test.each([
  ['Sell online', selling(), 'Set up selling online'],
  ['Sell online', selling({ problem: blocked }), 'See what is missing'],
  ['New orders are stopped', selling({ enabled: true, problem: blocked }), 'See what is missing'],
])('the dashboard leads to selling online: %s, %#', async (title, readSelling, label) => {
  await openApp('/dashboard/seller', { as: verified, server: { readSelling } })
  expect(await screen.findByRole('heading', { name: title })).toBeVisible()
  expect(screen.getByRole('link', { name: label })).toHaveAttribute('href', settings)
})

test.each([
  ['a yard that sells', verified, selling({ enabled: true })],
  [
    'a yard whose payouts come first',
    makeUser({ connectStatus: 'PENDING' }),
    selling({ problem: 'Verify.' }),
  ],
  ['an installation without orders', verified, selling({ available: false })],
])('%s has no such step', async (_who, as, readSelling) => {
  const { server } = await openApp('/dashboard/seller', { as, server: { readSelling } })
  await screen.findByRole('heading', { name: 'Seller Dashboard' })
  await waitFor(() => expect(server.asked('readSelling')).not.toEqual([]))
  expect(screen.queryByRole('heading', { name: 'Sell online' })).toBeNull()
})
