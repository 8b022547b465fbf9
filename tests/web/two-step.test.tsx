import { screen, waitFor, within } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'
import { address, nextDownload, openApp } from './support/app.tsx'
import { admin, bareSettings, makeUser, newId, refuse } from './support/fake-server.ts'

const settings = '/dashboard/seller/account-settings'
const stale = () => refuse(403, 'REAUTH_NEEDED', 'Please confirm your password to do this.')
const aFactor = {
  id: newId(),
  kind: 'totp' as const,
  name: 'My phone',
  createdAt: '2026-01-05T10:00:00.000Z',
}
const off = { items: [], recoveryCodesLeft: 0, required: false, passkeysAt: null }
const on = { ...off, items: [{ ...aFactor, lastUsedAt: null }], recoveryCodesLeft: 10 }

describe('a call that needs a fresh sign-in', () => {
  async function removeFactor(reauth: () => Response | { ok: true }) {
    let asked = 0
    const opened = await openApp(settings, {
      as: makeUser(),
      server: {
        ...bareSettings,
        listFactors: on,
        removeFactor: () => {
          asked += 1
          return asked === 1 ? stale() : { ok: true }
        },
        reauth,
      },
    })
    await opened.user.click(await screen.findByRole('button', { name: 'Remove My phone' }))
    await opened.user.click(await screen.findByRole('button', { name: 'Remove' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }))
    return { ...opened, dialog, tries: () => asked }
  }

  test('asks for the password once, and is repeated', async () => {
    const replies = [
      refuse(422, 'VALIDATION_FAILED', 'This is not your current password'),
      { ok: true as const },
    ]
    const { user, dialog, server, tries } = await removeFactor(() => replies.shift() ?? { ok: true })
    await user.type(dialog.getByLabelText('Password'), 'wrong{Enter}')
    expect(await dialog.findByText('This is not your current password')).toBeVisible()
    expect(tries()).toBe(1)
    await user.clear(dialog.getByLabelText('Password'))
    await user.type(dialog.getByLabelText('Password'), 'harbor-demo-1{Enter}')
    expect(await screen.findByText('Second step removed')).toBeVisible()
    expect(server.asked('reauth').at(-1)?.body).toEqual({ password: 'harbor-demo-1' })
    expect(tries()).toBe(2)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('is not repeated when the person cancels', async () => {
    const { user, dialog, tries } = await removeFactor(() => ({ ok: true }))
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(await screen.findByText('Please confirm your password to do this.')).toBeVisible()
    expect(tries()).toBe(1)
  })
})

test('an administrator without a second step is sent to set one up, and back', async () => {
  const as = admin()
  const { user, server } = await openApp('/dashboard/admin/users', {
    as,
    server: {
      adminCheck: () => refuse(403, 'FACTOR_REQUIRED', 'Administrators need two-step sign-in here.'),
      ...bareSettings,
      listFactors: { ...off, required: true },
      startTotp: { ticket: 't', secret: 'ABCDEFGH', address: 'otpauth://totp/PartHarbor:a?secret=ABCDEFGH' },
      addTotp: {
        factor: { ...aFactor, lastUsedAt: null },
        recoveryCodes: ['AAAAAA-BBBBBB', 'CCCCCC-DDDDDD'],
      },
    },
  })
  expect(await screen.findByText(/Administrators need two-step sign-in here\. Add/)).toBeVisible()
  expect(address()).toBe(`${settings}?from=%2Fdashboard%2Fadmin%2Fusers`)

  await user.click(screen.getByRole('button', { name: 'Add an authenticator app' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add an authenticator app' }))
  expect(await dialog.findByText('ABCD EFGH')).toBeVisible()
  expect(
    dialog
      .getByRole('img', { name: /QR code/ })
      .querySelector('path')
      ?.getAttribute('d'),
  ).toMatch(/^M\d/)
  await user.type(dialog.getByLabelText('Code'), '123 456{Enter}')

  const codes = within(await screen.findByRole('dialog', { name: 'Save your recovery codes' }))
  expect(server.asked('addTotp')[0]?.body).toEqual({ ticket: 't', code: '123 456' })
  const download = nextDownload()
  await user.click(codes.getByRole('button', { name: 'Download' }))
  expect(await download).toEqual({ name: 'recovery-codes.txt', text: 'AAAAAA-BBBBBB\nCCCCCC-DDDDDD\n' })
  server.answer({
    adminCheck: { ok: true },
    listPeople: { items: [], total: 0, page: 1, perPage: 24 },
    listNameReviews: { items: [] },
  })
  await user.click(codes.getByRole('button', { name: 'I saved them' }))
  await waitFor(() => expect(address()).toBe('/dashboard/admin/users'))
})

test('login asks for the second step, and starts over when the ticket is too old', async () => {
  const as = makeUser()
  const replies = [
    refuse(401, 'CREDENTIALS_WRONG', 'This code is wrong or was already used.'),
    refuse(401, 'TICKET_EXPIRED', 'This sign-in took too long.'),
    { token: 'a-token', user: as },
  ]
  const { user, server } = await openApp('/login', {
    server: {
      login: { ticket: 't', factors: ['totp'] },
      loginFactor: () => replies.shift() ?? refuse(500, 'INTERNAL', 'Too often'),
    },
  })
  const logIn = async () => {
    await user.type(await screen.findByLabelText('Email'), as.email)
    await user.type(screen.getByLabelText('Password'), 'harbor-demo-1{Enter}')
    await user.type(await screen.findByLabelText('Code'), '123456{Enter}')
  }
  await logIn()
  expect(await screen.findByText('This code is wrong or was already used.')).toBeVisible()
  await user.type(screen.getByLabelText('Code'), '{Enter}')
  expect(await screen.findByText('This sign-in took too long.')).toBeVisible()
  server.answer({ authCheck: { ok: true }, profile: as })
  await logIn()
  await waitFor(() => expect(address()).toBe('/dashboard/user'))
  expect(server.asked('loginFactor').at(-1)?.body).toEqual({ ticket: 't', code: '123456' })
})
