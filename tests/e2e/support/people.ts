import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { User } from '#contract/account/accounts.ts'
import { expect } from './story.ts'

export interface Person {
  name: string
  email: string
  password: string
}

const DEMO_PASSWORD = 'harbor-demo-1'

/** The sign-ins that come with the demo data. A story that changes an account registers its own instead. */
export const demo = {
  admin: { name: 'Admin', email: 'admin@partharbor.example', password: DEMO_PASSWORD },
  free: { name: 'Free', email: 'free@partharbor.example', password: DEMO_PASSWORD },
  pro: { name: 'Pro', email: 'pro@partharbor.example', password: DEMO_PASSWORD },
} satisfies Record<string, Person>

/** A person without an account yet. */
export function stranger(name = 'Dana Whitfield'): Person {
  const mark = () => randomBytes(6).toString('hex')
  return { name, email: `story-${mark()}@yard.example`, password: `${mark()}-Sable-quay` }
}

/** Opens an account over the API, for stories that are not about registering. */
export async function register(page: Page, person: Person = stranger()): Promise<Person> {
  const reply = await page.request.post('/api/register', { data: person })
  expect(reply.status(), await reply.text()).toBe(201)
  return person
}

export type Session = { token: string; user: User }

/** Signs the browser in without the form: the next page opened finds the stored session. */
export async function signIn(page: Page, person: Person): Promise<Session> {
  return keep(page, await logIn(page, person))
}

/** A new seller on the free plan, signed in. */
export async function signInAsNewSeller(page: Page): Promise<Session & { person: Person }> {
  const person = await register(page)
  return { person, ...(await signIn(page, person)) }
}

/**
 * A new seller who has bought Pro and started payout onboarding, signed in. For stories that change what the demo’s Pro
 * seller has, because other stories check those numbers.
 */
export async function signInAsNewPro(page: Page): Promise<Session & { person: Person }> {
  const person = await register(page)
  const { token } = await logIn(page, person)
  await callApi(page, token, '/create-connect-account')
  const { sessionId, url } = await callApi<{ sessionId: string; url: string }>(
    page,
    token,
    '/subscription/checkout',
  )
  expect((await page.request.post(`${url}/pay`, { maxRedirects: 0 })).status()).toBe(303)
  const bought = await callApi<{ ok: boolean; user: User }>(page, token, '/subscription/status', {
    sessionId,
  })
  expect(bought).toMatchObject({ ok: true, user: { sellerTier: 'PAID' } })
  return { person, ...(await keep(page, { token, user: bought.user })) }
}

/** Posts to the API as a signed-in user. */
export async function callApi<Answer = unknown>(
  page: Page,
  token: string,
  path: string,
  data: object = {},
): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}` }
  const reply = await page.request.post(`/api${path}`, { headers, data })
  expect(reply.ok(), `${path}: ${await reply.text()}`).toBe(true)
  return (await reply.json()) as Answer
}

/** Opens an account and its session over the API; the browser’s own session is unchanged. */
export async function newSeller(page: Page): Promise<Session & { person: Person }> {
  const person = await register(page)
  return { person, ...(await logIn(page, person)) }
}

export async function logIn(page: Page, { email, password }: Person): Promise<Session> {
  const reply = await page.request.post('/api/login', { data: { email, password } })
  expect(reply.status(), await reply.text()).toBe(200)
  return (await reply.json()) as Session
}

/** Continues a session that was started elsewhere. */
export async function keep(page: Page, session: Session): Promise<Session> {
  // Written once: an init script would sign the person in again on every page, even after a logout. The picture shares
  // storage with our pages without being one, which takes a tenth of the time.
  await page.goto('/favicon.svg')
  await page.evaluate((record) => localStorage.setItem('auth', record), JSON.stringify(session))
  return session
}
