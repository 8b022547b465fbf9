import { setTimeout as sleep } from 'node:timers/promises'
import { ask, newPerson, type Person, type Reply, register, signIn } from '#workshop/attack/client.ts'

/* Yards, buyers and administrators of an installation in demo mode with DEMO_CONFIRM=off, whose mail is in its outbox. */

/** What an attack tries, and what it found instead of what must hold. */
export class Findings {
  checked = 0
  readonly #wrong: string[] = []

  expect(isSo: boolean, otherwise: string): void {
    this.checked += 1
    if (!isSo) this.#wrong.push(otherwise)
  }

  result(): { held: boolean; figure: string } {
    const { length } = this.#wrong
    const first = length > 0 ? `: ${this.#wrong.slice(0, 5).join('; ')}` : ''
    return { held: length === 0, figure: `${this.checked} checks, ${length} wrong${first}` }
  }
}

type Mail = { to: string; subject: string; body: string; createdAt: string }

/** The newest 100 mails, newest first. */
async function outbox(url: string): Promise<Mail[]> {
  const host = `localhost:${new URL(url).port}`
  const reply = await ask(url, { path: '/dev/outbox', headers: { accept: 'application/json', host } })
  if (reply.status !== 200) throw new Error(`needs the outbox of demo mode, which answers ${reply.status}`)
  return (reply.body as { items: Mail[] }).items
}

export const mailsTo = async (url: string, email: string): Promise<Mail[]> =>
  (await outbox(url)).filter(({ to }) => to.toLowerCase() === email.toLowerCase())

// Some mails are written by jobs.
const MAILED_WITHIN_MS = 30_000

/** Waits for a mail to the address whose text has the pattern, and returns what it captures. */
export async function mailed(url: string, email: string, pattern: RegExp): Promise<string | undefined> {
  for (const deadline = Date.now() + MAILED_WITHIN_MS; Date.now() < deadline; await sleep(250)) {
    for (const { subject, body } of await mailsTo(url, email)) {
      const found = pattern.exec(`${subject}\n${body}`)
      if (found) return found[1] ?? found[0]
    }
  }
  return undefined
}

/** The token of the newest link to this page that the address was mailed. */
export async function tokenFor(url: string, email: string, page: string): Promise<string> {
  const token = await mailed(url, email, new RegExp(`/${page}#([\\w-]{43})`))
  if (token === undefined) throw new Error(`no link to /${page} was mailed: DEMO_CONFIRM=off is needed`)
  return token
}

export type Account = { person: Person; token: string; cookie: string; slug: string }

const slugOf = async (url: string, token: string) =>
  ((await ask(url, { path: '/api/profile/me', token })).body as { sellerSlug: string }).sellerSlug

/** A new account whose address is confirmed by its link, or not. */
export async function newAccount(
  url: string,
  { name, confirmed = true }: { name?: string; confirmed?: boolean } = {},
): Promise<Account> {
  const opened = await register(url, name === undefined ? {} : { name })
  if (confirmed) {
    const token = await tokenFor(url, opened.person.email, 'confirm-email')
    await must(200, ask(url, { method: 'POST', path: '/api/verify/email', body: { token } }))
  }
  return { ...opened, slug: await slugOf(url, opened.token) }
}

/** What must be answered for the attack to mean anything. */
export async function must(status: number, asked: Promise<Reply>): Promise<Reply> {
  const reply = await asked
  if (reply.status === status) return reply
  throw new Error(`could not prepare the attack: status ${reply.status}, ${reply.text.slice(0, 200)}`)
}

/** The demo's administrator, signed in just now, as changing people needs. */
export async function freshAdmin(url: string): Promise<string> {
  const admin = { name: '', email: 'admin@partharbor.example', password: 'harbor-demo-1' }
  const { body } = await must(200, signIn(url, admin))
  return (body as { token: string }).token
}

/** Somebody's id, as administrators see it. */
export async function personId(url: string, admin: string, email: string): Promise<string> {
  const path = `/api/admin/users?q=${encodeURIComponent(email)}`
  const { body } = await must(200, ask(url, { path, token: admin }))
  const [person] = (body as { items: { id: string }[] }).items
  if (!person) throw new Error('the account is not in the list of people')
  return person.id
}

export const changePerson = (
  url: string,
  id: string,
  { admin, ...body }: { admin: string; disabled?: boolean; proGranted?: boolean },
) => ask(url, { method: 'PUT', path: `/api/admin/users/${id}`, token: admin, body })

export type Card = {
  id: string
  partslug: string
  partnum: string | null
  dealername: string
  sellerSlug: string
  partcity: string
  partstate: string
}

export async function findParts(url: string, query: string): Promise<Card[]> {
  const { body } = await must(200, ask(url, { path: `/api/parts?${query}` }))
  return (body as { items: Card[] }).items
}

/** Lists of the signed-out may be two seconds old. */
export const untilListsAreNew = () => sleep(2_500)

const networks = { count: 0 }
/** An address of this machine that nothing came from before. */
export function newNetwork(): string {
  networks.count += 1
  return `127.0.${20 + Math.floor(networks.count / 250)}.${1 + (networks.count % 250)}`
}

export const newEmail = () => newPerson().email

export function writeMessage(
  url: string,
  slug: string,
  { email, from, cookie, token }: { email: string; from?: string; cookie?: string; token?: string },
): Promise<Reply> {
  return ask(url, {
    method: 'POST',
    path: `/api/parts/${slug}/messages`,
    body: { name: 'Ruth Amador', email, message: 'Is it still there?' },
    from: from ?? newNetwork(),
    ...(token !== undefined && { token }),
    ...(cookie !== undefined && { headers: { cookie } }),
  })
}
