import { screen, waitFor } from '@testing-library/dom'
import userEvent from '@testing-library/user-event'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { address, openApp } from './support/app.tsx'
import { admin, breakOff, makeUser, refuse } from './support/fake-server.ts'
import { cleanup } from './support/page.ts'

const signed = {
  id: 'a-passkey',
  rawId: 'a-passkey',
  type: 'public-key',
  response: { clientDataJSON: 'c', authenticatorData: 'd', signature: 's' },
}
vi.mock('@simplewebauthn/browser', () => ({ startAuthentication: async () => signed }))

async function logIn(path: string, as = makeUser(), login: unknown = { token: 'a-token', user: as }) {
  const { user, server } = await openApp(path, { server: { login: () => login as never } })
  await user.type(await screen.findByLabelText('Email'), as.email)
  await user.type(screen.getByLabelText('Password'), 'harbor-demo-1')
  server.answer({
    authCheck: { ok: true },
    profile: as,
    adminCheck: () => (as.role === 1 ? { ok: true } : refuse(403, 'NOT_ALLOWED', 'For administrators')),
    listAll: { items: [], total: 0, lastPage: 1, page: 1, perPage: 8 },
  })
  await user.click(screen.getByRole('button', { name: 'Login' }))
}

describe('login redirects only to our own pages', () => {
  const foreign = ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)']
  test.each(foreign)('%s', async (from) => {
    await logIn(`/login?${new URLSearchParams({ from })}`)
    await waitFor(() => expect(address()).toBe('/dashboard/user'))
  })
})

test('a sign-in that reopens a closed account says so', async () => {
  const user = makeUser()
  await logIn('/login', user, { token: 'a-token', user, reopened: true })
  expect(await screen.findByText(/^Your account stays open\. Your listings will be live again/)).toBeVisible()
  expect(screen.getByText('Login successful')).toBeVisible()
})

test('a wrong password shows an error and stays on the page, with the password selected for overwriting', async () => {
  await logIn('/login', makeUser(), refuse(401, 'CREDENTIALS_WRONG', 'Email or password is wrong'))
  expect(await screen.findByText('Email or password is wrong')).toBeVisible()
  expect(address()).toBe('/login')
})

test('while an account is being guessed, the login page offers a link, which signs in by a button', async () => {
  const ann = makeUser()
  const sentence = 'Too many wrong passwords for this account.'
  await logIn('/login', ann, refuse(429, 'LINK_NEEDED', sentence))
  expect(await screen.findByText(sentence)).toBeVisible()
  await userEvent.click(screen.getByRole('link', { name: 'Email me a sign-in link' }))
  expect(await screen.findByLabelText('Email')).toHaveValue(ann.email)
  cleanup()

  const { user, server } = await openApp('/sign-in-link#the-token', {
    server: { useSignInLink: () => refuse(410, 'LINK_EXPIRED', 'This link was already used.') },
  })
  await waitFor(() => expect(window.location.hash).toBe(''))
  const button = screen.getByRole('button', { name: 'Sign in' })
  server.answer({ useSignInLink: { token: 'a-token', user: ann }, authCheck: { ok: true }, profile: ann })
  await user.click(button)
  await waitFor(() => expect(address()).toBe('/dashboard/user'))
})

test('while an account is being guessed, a recovery code beside the password signs in', async () => {
  const ann = makeUser()
  const { user, server } = await openApp('/login', {
    server: { login: () => refuse(429, 'LINK_NEEDED', 'Too many wrong passwords for this account.') },
  })
  await user.type(await screen.findByLabelText('Email'), ann.email)
  await user.type(screen.getByLabelText('Password'), 'harbor-demo-1')
  await user.click(screen.getByRole('button', { name: 'Login' }))
  await user.type(await screen.findByLabelText('Recovery code'), 'ABCDEF-ABCDEF')
  await user.click(screen.getByRole('button', { name: 'Login' }))
  expect(await screen.findByText('This recovery code is wrong or was already used')).toBeVisible()
  expect(screen.getByLabelText('Password')).toHaveValue('harbor-demo-1')
  server.answer({ login: { token: 'a-token', user: ann }, authCheck: { ok: true }, profile: ann })
  await user.type(screen.getByLabelText('Recovery code'), '-GHJKMN')
  await user.click(screen.getByRole('button', { name: 'Login' }))
  await waitFor(() => expect(address()).toBe('/dashboard/user'))
  expect(server.asked('login').map(({ body }) => body.proof)).toEqual([
    undefined,
    { code: 'ABCDEF-ABCDEF' },
    { code: 'ABCDEF-ABCDEF-GHJKMN' },
  ])
})

test('while an account is being guessed, a passkey beside the password signs in', async () => {
  vi.stubGlobal('PublicKeyCredential', class {})
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  const ann = makeUser()
  const { user, server } = await openApp('/login', {
    server: {
      login: ({ body }) =>
        body.proof
          ? { token: 'a-token', user: ann }
          : refuse(429, 'LINK_NEEDED', 'Too many wrong passwords for this account.'),
      startPasskeyLogin: { ticket: 'a-ticket', passkey: { challenge: 'sign-this' } },
      authCheck: { ok: true },
      profile: ann,
    },
  })
  await user.type(await screen.findByLabelText('Email'), ann.email)
  await user.type(screen.getByLabelText('Password'), 'harbor-demo-1')
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Login' }))
  await user.click(await screen.findByRole('button', { name: 'Use a passkey' }))
  await waitFor(() => expect(address()).toBe('/dashboard/user'))
  expect(server.asked('login').at(-1)?.body.proof).toEqual({
    ticket: 'a-ticket',
    assertion: { ...signed, clientExtensionResults: {} },
  })
})

test('a link of someone with two-step sign-in asks for the code', async () => {
  const ann = makeUser()
  const { user, server } = await openApp('/sign-in-link#the-token', {
    server: { useSignInLink: { ticket: 'the-ticket', factors: ['totp'] } },
  })
  await user.click(await screen.findByRole('button', { name: 'Sign in' }))
  server.answer({ loginFactor: { token: 'a-token', user: ann }, authCheck: { ok: true }, profile: ann })
  await user.type(await screen.findByLabelText('Code'), '123456')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(address()).toBe('/dashboard/user'))
})

test('an admin lands on the admin dashboard', async () => {
  await logIn('/login', admin())
  await waitFor(() => expect(address()).toBe('/dashboard/admin'))
})

test.each(['/dashboard/admin', '/dashboard/admin/users', '/dashboard/admin/audit-log'])(
  'a seller is redirected away from %s',
  async (path) => {
    await openApp(path, { as: makeUser() })
    expect(await screen.findByText('This page needs an administrator’s account.')).toBeVisible()
    expect(screen.getByText(/redirecting you to login in \d second/i)).toBeVisible()
  },
)

test('when the login after registering fails, the person sees why and can continue', async () => {
  const { user } = await openApp('/register', { server: { register: { ok: true }, login: breakOff } })
  const submit = await screen.findByRole('button', { name: 'Register' })
  expect(submit).toBeDisabled()
  await user.type(screen.getByLabelText('Name'), 'Dana Whitfield')
  await user.type(screen.getByLabelText('Email'), 'dana@yard.example')
  await user.type(screen.getByLabelText('Password'), 'Nine-sable-quays')
  await user.click(submit)
  expect(await screen.findByText('Please login to continue onboarding.')).toBeVisible()
  await waitFor(() => expect(address()).toMatch(/^\/onboarding/))
})

test('a problem goes as soon as its field is right', async () => {
  const taken = 'An account with this email already exists'
  const { user } = await openApp('/register', {
    server: { register: refuse(409, 'CONFLICT', taken, { fields: { email: taken } }) },
  })
  await user.type(await screen.findByLabelText('Name'), '\u200b')
  const email = screen.getByLabelText('Email')
  await user.type(email, 'dana@yard.example')
  await user.type(screen.getByLabelText('Password'), 'Nine-sable-quays')
  await user.click(screen.getByRole('button', { name: 'Register' }))
  await waitFor(() => expect(screen.getByLabelText('Name')).toBeInvalid())
  await user.type(screen.getByLabelText('Name'), 'Dana')
  expect(screen.getByLabelText('Name')).toBeValid()
  await user.click(screen.getByRole('button', { name: 'Register' }))
  expect(await screen.findByText(taken, { selector: 'p' })).toBeVisible()
  await user.type(email, '{Backspace}')
  expect(email).toBeValid()
})

test('an unknown address shows that the page does not exist', async () => {
  await openApp('/parts/make/no-such-make', {
    server: { readLandingPage: () => refuse(404, 'NOT_FOUND', 'There is no such page') },
  })
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/not found/i))
})
