import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { User } from '#contract/accounts.ts'
import { expect } from './story.ts'

export interface Person {
  name: string
  email: string
  password: string
}

const DEMO_PASSWORD = 'harbor-demo-1'

/** The sign-ins that come with the demo data. A story that changes an account registers one of its own instead. */
export const demo = {
  admin: { name: 'Admin', email: 'admin@partharbor.example', password: DEMO_PASSWORD },
  free: { name: 'Free', email: 'free@partharbor.example', password: DEMO_PASSWORD },
  pro: { name: 'Pro', email: 'pro@partharbor.example', password: DEMO_PASSWORD },
} satisfies Record<string, Person>

/** Somebody nobody has heard of yet. */
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

/** Signs the browser in without the form: the page that is opened next finds the kept session. */
export async function signIn(
  page: Page,
  { email, password }: Person,
): Promise<{ token: string; user: User }> {
  const reply = await page.request.post('/api/login', { data: { email, password } })
  expect(reply.status(), await reply.text()).toBe(200)
  const session = (await reply.json()) as { token: string; user: User }
  // Written once: an init script would sign the person in again on every page, also after a logout.
  await page.goto('/help')
  await page.evaluate((record) => localStorage.setItem('auth', record), JSON.stringify(session))
  return session
}
