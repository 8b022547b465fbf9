import { routes } from '#contract/routes.ts'
import type { Attack } from './attack.ts'
import { pathOf } from './calls.ts'
import { ask, mustListPart, type Part, register, signIn } from './client.ts'

type Call = { name: string; method: string; path: string; access: string }
type Sent = { who: string; token: string | undefined; path: string; call: Call; allowed: readonly number[] }

const calls: Call[] = Object.entries(routes).map(([name, [method, path, access]]) => ({
  name,
  method,
  path,
  access,
}))

/** Statuses that give nothing away. 429 and 503 come before any work; 405 is for a page of the web app. */
const AWAY = [429, 503]
/** Calls that would end the session that the next ones need. */
const ENDING = ['logout', 'endAllSessions']

const forgedTokens = [
  'x'.repeat(43),
  'eyJhbGciOiJub25lIn0.eyJyb2xlIjoxfQ.',
  'eyJhbGciOiJIUzI1NiJ9.eyJ1c2VySWQiOiIxIiwicm9sZSI6MX0.c2lnbmF0dXJl',
  `${'A'.repeat(42)}%`,
]

/** Without a token, or with one that was never issued: 401 for everything that is not public. */
function strangers(): Sent[] {
  const closed = calls.filter(({ access }) => access !== 'public' && access !== 'anyone')
  return [undefined, ...forgedTokens].flatMap((token) =>
    closed.map((call) => ({
      who: token === undefined ? 'nobody' : 'a forged token',
      token,
      path: pathOf(call.path),
      call,
      allowed: [401, ...AWAY],
    })),
  )
}

/** A seller on the free plan: 403 for what administrators and Pro sellers may do. */
function climbers(token: string): Sent[] {
  return calls
    .filter(({ access }) => access === 'admin' || access === 'pro')
    .map((call) => ({
      who: 'a free seller',
      token,
      path: pathOf(call.path),
      call,
      allowed: [403, ...AWAY],
    }))
}

type Belongings = { part: Part; ids: Record<string, string | undefined> }

/** What belongs to one seller, asked for by another: not found, or refused before anything is looked up. */
function neighbors(token: string, { part, ids }: Belongings): Sent[] {
  const ownerOnly = calls.filter(
    ({ access, path, name }) => access === 'user' && path.includes('{') && !ENDING.includes(name),
  )
  return ownerOnly.map((call) => {
    const folder = Object.keys(ids).find((prefix) => call.path.startsWith(prefix)) ?? ''
    const id = ids[folder] ?? part.id
    return {
      who: 'another seller',
      token,
      path: pathOf(call.path, { id, slug: part.partslug }),
      call,
      allowed: [404, 403, 409, ...AWAY],
    }
  })
}

async function send(url: string, { who, token, path, call, allowed }: Sent): Promise<string | undefined> {
  const body =
    call.method === 'GET' || call.method === 'DELETE' ? undefined : { partname: 'Mine', state: 'closed' }
  const { status } = await ask(url, { method: call.method, path, token, body })
  return allowed.includes(status) ? undefined : `${who}: ${call.name} ${status}`
}

const firstId = (body: unknown): string | undefined =>
  (body as { items?: { id: string }[] } | undefined)?.items?.[0]?.id

/** A listing, a buyer's message, a session, and in an installation with demo data an import. */
async function belongingsOf(url: string, { token }: { token: string }): Promise<Belongings> {
  const part = await mustListPart(url, token)
  const message = { name: 'Ann', phone: '(918) 555-0100', message: 'Is it still there?' }
  await ask(url, { method: 'POST', path: `/api/parts/${part.partslug}/messages`, body: message })
  const demo = await signIn(url, { name: '', email: 'pro@partharbor.example', password: 'harbor-demo-1' })
  const demoToken = (demo.body as { token?: string } | undefined)?.token
  const [leads, sessions, imports] = await Promise.all([
    ask(url, { path: '/api/seller/leads', token }),
    ask(url, { path: '/api/sessions', token }),
    ask(url, { path: '/api/pro/imports', token: demoToken }),
  ])
  return {
    part,
    ids: {
      '/seller/leads': firstId(leads.body),
      '/sessions': firstId(sessions.body),
      '/pro/imports': firstId(imports.body),
    },
  }
}

export const authorization: Attack = {
  name: 'every call with no token, a forged one, a seller’s, and another seller’s ids',
  async run({ url }) {
    const [owner, other] = [await register(url), await register(url)]
    const belongings = await belongingsOf(url, owner)
    const sent = [...strangers(), ...climbers(other.token), ...neighbors(other.token, belongings)]
    const wrong: string[] = []
    for (const each of sent) {
      const problem = await send(url, each)
      if (problem !== undefined) wrong.push(problem)
    }
    const { status } = await ask(url, { path: `/api/seller/parts/${belongings.part.id}`, token: owner.token })
    if (status !== 200) wrong.push(`the owner’s listing is gone: ${status}`)
    return {
      held: wrong.length === 0,
      figure: `${sent.length} calls, ${wrong.length} let through${wrong.length > 0 ? `: ${wrong.slice(0, 5).join('; ')}` : ''}`,
    }
  },
}
