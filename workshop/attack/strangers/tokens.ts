import type { Attack } from '#workshop/attack/attack.ts'
import { ask, type Reply, signIn } from '#workshop/attack/client.ts'
import {
  type Account,
  changePerson,
  Findings,
  freshAdmin,
  must,
  newAccount,
  newEmail,
  personId,
  tokenFor,
} from './scene.ts'

/* An intruder who was in an account once, and made or copied an API token, after its owner did what owners do. */

const post = (url: string, path: string, body: object, token?: string): Promise<Reply> =>
  ask(url, { method: 'POST', path, body, ...(token !== undefined && { token }) })

async function signedIn(url: string, { person }: Account): Promise<string> {
  return ((await must(200, signIn(url, person))).body as { token: string }).token
}

async function newToken(url: string, session: string): Promise<{ token: string; id: string }> {
  const wanted = { name: 'import', scopes: ['listings:write', 'listings:read'], expiresInDays: null }
  const { body } = await must(200, post(url, '/api/api-tokens', wanted, session))
  const { token, item } = body as { token: string; item: { id: string } }
  const isAlive = (await ask(url, { path: '/api/seller/parts', token })).status === 200
  if (!isAlive) throw new Error('a new API token opens nothing')
  return { token, id: item.id }
}

/** Links that were mailed before an account was disabled, after it was enabled again. */
async function linksOfDisabled(url: string, found: Findings): Promise<void> {
  const { person, token } = await newAccount(url)
  const email = newEmail()
  const change = { email, currentPassword: person.password }
  await must(200, ask(url, { method: 'PUT', path: '/api/profile', token, body: change }))
  await must(200, post(url, '/api/password-reset', { email: person.email }))
  await must(200, post(url, '/api/verify/sign-in-links', { email: person.email }))
  const links: [path: string, body: object][] = [
    ['/api/verify/email', { token: await tokenFor(url, email, 'confirm-email') }],
    ['/api/verify/sign-in-link', { token: await tokenFor(url, person.email, 'sign-in-link') }],
    [
      '/api/password-reset/confirm',
      { token: await tokenFor(url, person.email, 'reset-password'), password: `${person.password}-5` },
    ],
  ]
  const admin = await freshAdmin(url)
  const id = await personId(url, admin, person.email)
  for (const disabled of [true, false]) await must(200, changePerson(url, id, { admin, disabled }))
  for (const [path, body] of links) {
    const { status } = await post(url, path, body)
    found.expect(status === 410, `${path} of before once enabled: ${status}`)
  }
}

export const tokensAfterwards: Attack = {
  name: 'Strangers with an API token, after a reset, a change, and “sign out everywhere”',
  async run({ url }) {
    const found = new Findings()
    const isDead = async (token: string) =>
      (await ask(url, { path: '/api/seller/parts', token })).status === 401
    const account = await newAccount(url)

    const [first, second] = [await newToken(url, account.token), await newToken(url, account.token)]
    const password = `${account.person.password}-2`
    const change = { currentPassword: account.person.password, password, keepToken: second.id }
    await must(200, ask(url, { method: 'PUT', path: '/api/profile', token: account.token, body: change }))
    account.person.password = password
    found.expect(await isDead(first.token), 'a changed password leaves an API token alive')
    found.expect(!(await isDead(second.token)), 'the kept API token is dead')

    await must(200, ask(url, { method: 'DELETE', path: '/api/sessions', token: account.token }))
    found.expect(await isDead(second.token), '“sign out everywhere” leaves an API token alive')
    found.expect(await isDead(account.token), '“sign out everywhere” leaves a session alive')

    const session = await signedIn(url, account)
    const third = await newToken(url, session)
    await must(200, post(url, '/api/password-reset', { email: account.person.email }))
    const token = await tokenFor(url, account.person.email, 'reset-password')
    await must(200, post(url, '/api/password-reset/confirm', { token, password: `${password}-3` }))
    found.expect(await isDead(third.token), 'a reset leaves an API token alive')
    found.expect(await isDead(session), 'a reset leaves a session alive')
    const again = await post(url, '/api/password-reset/confirm', { token, password: `${password}-4` })
    found.expect(again.status === 410, `the link works twice: ${again.status}`)
    await linksOfDisabled(url, found)
    return found.result()
  },
}
