import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { address, openApp } from './support/app.tsx'
import { bareSettings, makeUser, refuse } from './support/fake-server.ts'
import { cleanup } from './support/page.ts'

const expired = () => refuse(410, 'LINK_EXPIRED', 'This link has expired.')

test('an address is confirmed by the button and not by opening the link', async () => {
  const email = 'dana@yard.example'
  const { user, server } = await openApp('/confirm-email#a-token', {
    server: { checkAddressLink: { purpose: 'confirm', email }, confirmAddress: { ok: true, email } },
  })
  const button = await screen.findByRole('button', { name: 'Confirm email address' })
  expect(screen.getByRole('heading', { name: email })).toBeVisible()
  // The token leaves the address bar at once.
  expect(window.location.hash).toBe('')
  expect(server.asked('confirmAddress')).toEqual([])
  await user.click(button)
  expect(await screen.findByRole('heading', { name: 'Your email address is confirmed' })).toHaveFocus()
  expect(server.asked('confirmAddress').map(({ body }) => body)).toEqual([{ token: 'a-token' }])
  expect(screen.getByRole('link', { name: 'Login' })).toBeVisible()
})

test('every page behind an emailed link says right away that the link was used', async () => {
  for (const path of ['/confirm-email', '/restore-email', '/confirm-message']) {
    const opened = await openApp(`${path}#a-token`, {
      server: { checkAddressLink: expired, checkMessageLink: expired },
    })
    expect(await screen.findByRole('heading', { name: 'This link doesn’t work' })).toBeVisible()
    expect(opened.server.asked('confirmAddress')).toEqual([])
    cleanup()
  }
})

test('the former address takes the account back and leads to a new password', async () => {
  const email = 'dana@yard.example'
  const { user } = await openApp('/restore-email#a-token', {
    as: makeUser(),
    server: {
      checkAddressLink: { purpose: 'restore', email },
      restoreAddress: { ok: true, email, passwordToken: 'a-password-token' },
      checkPasswordLink: { ok: true },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Restore and sign out everyone' }))
  expect(await screen.findByLabelText('New password')).toBeVisible()
  expect(address()).toBe('/reset-password')
  expect(localStorage.getItem('auth')).toBeNull()
})

test('a buyer confirms a message and sees what it was about', async () => {
  const message = {
    email: 'ruth@garage.example',
    sellerName: 'Whitfield Auto',
    listingTitle: '2014 Ford F-150 Alternator',
    slug: 'alternator-1',
    confirmed: false,
    offer: { price: 520, currency: 'USD' },
  }
  const { user } = await openApp('/confirm-message#a-token', {
    server: { checkMessageLink: message, confirmMessage: message },
  })
  expect(await screen.findByText(/Did you offer Whitfield Auto \$520\.00 for this part\?/)).toBeVisible()
  await user.click(await screen.findByRole('button', { name: 'Yes, that was me' }))
  expect(await screen.findByText(/Replies from Whitfield Auto go to/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'See the conversation' })).toHaveAttribute(
    'href',
    '/messages#a-token',
  )
  expect(screen.getByRole('link', { name: 'Back to the part' })).toHaveAttribute(
    'href',
    '/parts/alternator-1',
  )
  // A reload opens the link again.
  expect(window.history.state).toMatchObject({ usr: { token: 'a-token' } })
  cleanup()
  await openApp('/confirm-message#a-token', { server: { checkMessageLink: { ...message, confirmed: true } } })
  expect(await screen.findByRole('heading', { name: 'You already confirmed this message' })).toBeVisible()
  expect(screen.getByText(/Whitfield Auto has it\. Replies from Whitfield Auto go to/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Yes, that was me' })).toBeNull()
})

test('unsubscribing says what stops, and an incomplete link says so', async () => {
  const { user } = await openApp('/unsubscribe#a-key.weeklySummary', {
    server: { unsubscribe: { ok: true, kind: 'weeklySummary' } },
  })
  await user.click(await screen.findByRole('button', { name: 'Stop these emails' }))
  expect(await screen.findByText(/You won’t get the weekly summary anymore/)).toBeVisible()
  cleanup()
  const buyer = await openApp('/unsubscribe#a-key.conversation', {
    server: { unsubscribe: { ok: true, kind: 'conversation' } },
  })
  await buyer.user.click(await screen.findByRole('button', { name: 'Stop these emails' }))
  expect(await screen.findByText(/You won’t get emails about this conversation anymore/)).toBeVisible()
  // A buyer has no account to change it in.
  expect(screen.queryByRole('link', { name: 'Account settings' })).toBeNull()
  // A reload says it again.
  expect(window.history.state).toMatchObject({ usr: { token: 'a-key.conversation', isDone: true } })
  cleanup()
  await openApp('/unsubscribe#a-key.savedSearches')
  await screen.findByRole('button', { name: 'Stop these emails' })
  expect(screen.getByRole('link', { name: 'Find more parts' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Account settings' })).toBeNull()
})

test('the banner asks for confirmation until the address is confirmed', async () => {
  const { user, server } = await openApp('/dashboard/seller/account-settings', {
    as: makeUser({ emailConfirmed: false }),
    server: {
      ...bareSettings,
      mailAddressLink: { ok: true },
    },
  })
  const banner = await screen.findByRole('status', { name: 'Confirm your email address' })
  await user.click(within(banner).getByRole('button', { name: 'Send it again' }))
  expect(await screen.findByText('Link sent')).toBeVisible()
  expect(server.asked('mailAddressLink')).toHaveLength(1)
})

test('another email needs the current password and then waits for the link', async () => {
  const person = makeUser()
  const pendingEmail = 'new@yard.example'
  const { user, server } = await openApp('/dashboard/seller/account-settings', {
    as: person,
    server: {
      ...bareSettings,
      updateProfile: { ...person, pendingEmail },
      cancelEmailChange: person,
    },
  })
  const email = await screen.findByLabelText('Email')
  const card = email.closest('form')
  if (!card) throw new Error('the email is in no form')
  expect(within(card).queryByLabelText('Current password')).toBeNull()
  await user.clear(email)
  await user.type(email, pendingEmail)
  await user.type(within(card).getByLabelText('Current password'), 'harbor-demo-1')
  await user.click(within(card).getByRole('button', { name: 'Save Changes' }))
  expect(await screen.findByText(`Waiting for ${pendingEmail}`)).toBeVisible()
  expect(server.asked('updateProfile').map(({ body }) => body)).toEqual([
    { name: person.name, email: pendingEmail, currentPassword: 'harbor-demo-1' },
  ])
  // The old address is still the one to sign in with.
  expect(screen.getByLabelText('Email')).toHaveValue(person.email)
  await user.click(screen.getByRole('button', { name: 'Cancel the change' }))
  await waitFor(() => expect(screen.queryByText(`Waiting for ${pendingEmail}`)).toBeNull())
})
