import { type ListingField, specOf } from '#contract/listing/listing-fields.ts'
import { plainDescription } from '#contract/text/description.ts'
import { oddWords } from '#tests/support/odd-words.ts'
import type { Attack, Target } from './attack.ts'
import { everyCall, pathOf } from './calls.ts'
import { ask, listPart, type Reply, register } from './client.ts'

const SQL = [
  "' or '1'='1",
  "'; drop table listing; --",
  "') or pg_sleep(5) is null --",
  '" or ""="',
  '1; select pg_sleep(5)',
  "\\'; select 1; --",
  '%',
  '_%\\',
  '#{7*7}{{7*7}}<%= 7*7 %>',
  "' union select password_hash from app_user --",
  ...oddWords('attack', 10),
]
const SCRIPTS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '</script><svg onload=alert(1)>',
  '<b>{{constructor.constructor("alert(1)")()}}</b>',
]
const PAYLOADS = [...SQL, ...SCRIPTS]

// A statement that a payload made wait would take as long as it asks for.
const SLEPT_MS = 5_000

type Count = { sent: number; problems: string[] }

function judge(count: Count, what: string, { status, ms }: Reply): void {
  count.sent += 1
  if (status >= 500 && status !== 503) count.problems.push(`${what}: ${status}`)
  if (status === 0) count.problems.push(`${what}: no reply`)
  if (ms >= SLEPT_MS) count.problems.push(`${what}: took ${Math.round(ms)} ms`)
}

/** Every payload in every parameter of every call that reads, in the query and in the path. */
async function attackParameters({ url, adminToken }: Target, token: string): Promise<Count> {
  const count: Count = { sent: 0, problems: [] }
  for (const [name, { method, path, access, query }] of await everyCall()) {
    if (method !== 'GET' || (access === 'admin' && adminToken === undefined)) continue
    const caller = access === 'admin' ? adminToken : token
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter)
    const targets = [
      ...Object.keys(query?.shape ?? {}).map(
        (parameter) => (payload: string) =>
          `${pathOf(path)}?${new URLSearchParams({ [parameter]: payload })}`,
      ),
      ...inPath.map((parameter) => (payload: string) => pathOf(path, { [parameter]: payload })),
    ]
    for (const addressOf of targets) {
      for (const payload of PAYLOADS) {
        const address = addressOf(payload)
        judge(count, `${name} ${address.slice(0, 120)}`, await ask(url, { path: address, token: caller }))
      }
    }
  }
  return count
}

const TEXT_FIELDS = ['partname', 'partdesc', 'parttrim', 'partnum', 'partdamage', 'partcity', 'partdealer']
const READ_AS: Record<string, string> = { partdesc: 'partdescription', partdealer: 'dealername' }

/** What must come back: the same text, or the words of it where texts lose their HTML. */
const wordsOf = (field: string, payload: string): string =>
  specOf(field as ListingField).type === 'long text' ? plainDescription(payload) : payload

/** Stores each payload in each text field of a listing, and reads it back. */
async function attackTexts({ url }: Target, token: string): Promise<Count & { stored: number }> {
  const count = { sent: 0, problems: [] as string[], stored: 0 }
  for (const field of TEXT_FIELDS) {
    for (const payload of PAYLOADS) {
      const reply = await listPart(url, token, { [field]: payload })
      judge(count, `${field} = ${payload}`, reply)
      if (reply.status !== 201) continue
      count.stored += 1
      const { partslug } = reply.body as { partslug: string }
      const read = await ask(url, { path: `/api/auto-part/${partslug}`, token })
      const name = READ_AS[field] ?? field
      const value = (read.body as Record<string, unknown> | undefined)?.[name]
      if (value !== wordsOf(name, payload))
        count.problems.push(`${field} = ${payload}: read as ${JSON.stringify(value)}`)
      // The page of the listing must not contain it as a tag.
      const page = await ask(url, { path: `/parts/${partslug}` })
      judge(count, `the page of ${field} = ${payload}`, page)
      if (payload.includes('<') && page.text.includes(payload)) {
        count.problems.push(`${field} = ${payload}: unescaped on its page`)
      }
    }
  }
  return count
}

/** Texts of strangers: messages to sellers and to the operator, registrations, reports. */
async function attackForms({ url }: Target, token: string): Promise<Count> {
  const count: Count = { sent: 0, problems: [] }
  const part = (await listPart(url, token)).body as { partslug: string } | undefined
  for (const payload of PAYLOADS) {
    const forms = [
      { path: '/api/login', body: { email: payload, password: payload } },
      { path: '/api/password-reset', body: { email: `${payload}@yard.example` } },
      { path: '/api/verify/password-link', body: { token: payload } },
      { path: `/api/parts/${part?.partslug}/reports`, body: { reason: payload, note: payload } },
      { path: `/api/parts/${encodeURIComponent(payload)}/views`, body: {} },
      { path: '/api/web-vitals', body: { name: payload, value: payload } },
    ]
    for (const { path, body } of forms) {
      judge(count, `${path} ${payload}`, await ask(url, { method: 'POST', path, body }))
    }
  }
  return count
}

export const injection: Attack = {
  name: 'SQL and scripts in every parameter and text field',
  async run(target) {
    const { token } = await register(target.url)
    const parameters = await attackParameters(target, token)
    const texts = await attackTexts(target, token)
    const forms = await attackForms(target, token)
    const problems = [...parameters.problems, ...texts.problems, ...forms.problems]
    const sent = parameters.sent + texts.sent + forms.sent
    return {
      held: problems.length === 0,
      figure: `${sent} payloads, ${texts.stored} stored and read back, ${problems.length} problems${problems.length > 0 ? `: ${problems.slice(0, 3).join('; ')}` : ''}`,
    }
  },
}
