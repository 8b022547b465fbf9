import { beforeAll, expect, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import type { Person as PersonRow } from '#contract/admin/people.ts'
import { apiScopes } from '#contract/routes.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import { makeQuickListing, newPerson, type Person } from '#tests/support/make-rows.ts'
import { partsFields, sendRows } from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let admin: SignedIn
let seller: SignedIn
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
  seller = await registerAndSignIn(newPerson({ name: 'Ilse Marchetti' }))
})

/** As people do it, so that the log tells it. */
async function registerAndSignIn(person: Person): Promise<SignedIn> {
  await app.visitor.post('/register', person)
  const { email, password } = person
  const { body } = await app.visitor.post<{ token: string; user: User }>('/login', { email, password })
  return { api: app.visitor.as({ token: body.token }), person, user: body.user }
}

type Entry = {
  id: string
  at: string
  action: string
  by: { name: string; email: string } | null
  source: string
  script: string | null
  names: Record<string, string>
  target: string | null
  ip: string | null
  requestId: string | null
  detail: object
  named: { kind: string; name: string; slug: string | null } | null
}
type Page = { items: Entry[]; nextCursor: string | null; actions: string[] }
const audit = async (query: Record<string, string> = {}) =>
  (await admin.api.get<Page>(`/admin/audit?${new URLSearchParams(query)}`)).body

/** Entries of former times, which no call makes. */
async function writeEntries(count: number, action: string): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    action,
    // Three of one moment each, over a border between months.
    at: new Date(Date.UTC(2026, 2, 1) + Math.floor(n / 3) * 3_600_000 - 24 * 3_600_000),
    actor_user_id: seller.user.id,
  }))
  await app.db.insertInto('audit_entry').values(rows).execute()
}

test('role changes, grants and sign-ins are listed with who, when, where and the request', async () => {
  await admin.api.put<PersonRow>(`/admin/users/${seller.user.id}`, { trusted: true })
  const { items, actions } = await audit({ target: seller.user.sellerId })
  expect(items).toMatchObject([
    {
      action: 'trust-changed',
      by: { id: admin.user.id, name: admin.person.name, email: admin.person.email },
      ip: '127.0.0.1',
      requestId: expect.any(String),
      detail: { from: false, to: true },
    },
  ])
  expect(actions).toEqual([...new Set(actions)].toSorted())
  expect(actions).toEqual(expect.arrayContaining(['registered', 'signed-in', 'trust-changed']))
})

test('who did it, by part of a name or email, combined with other filters', async () => {
  const all = await audit({ who: 'marchetti' })
  expect(all.items.map(({ action }) => action)).toEqual(['signed-in', 'registered'])
  expect((await audit({ who: seller.person.email, action: 'registered' })).items).toHaveLength(1)
  expect((await audit({ who: 'nobody of that name' })).items).toEqual([])
  expect((await audit({ who: '%' })).items).toEqual([])
  const today = new Date().toISOString().slice(0, 10)
  expect((await audit({ who: 'marchetti', from: today, to: today })).items).toHaveLength(2)
  expect((await audit({ who: 'marchetti', to: '2020-01-01' })).items).toEqual([])
})

test.each([{ action: 'paged' }, { action: 'paged', who: 'Marchetti' }])(
  'pages of %j cover every entry once, even where many share one moment',
  async (filter) => {
    if (!('who' in filter)) await writeEntries(120, 'paged')
    const seen: Entry[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Page = await audit({ ...filter, ...(cursor && { cursor }) })
      seen.push(...page.items)
      cursor = page.nextCursor
    }
    expect(seen).toHaveLength(120)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(120)
    expect(seen.map(({ at }) => at)).toEqual(
      seen
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    const day = await audit({ ...filter, from: '2026-03-01', to: '2026-03-01' })
    expect(day.items.every(({ at }) => at.startsWith('2026-03-01'))).toBe(true)
    expect(day.items).toHaveLength(48)
  },
)

test('entries without a person are listed as well', async () => {
  await app.visitor.post('/login', { email: 'nobody@yard.example', password: 'x' })
  const { items } = await audit({ action: 'sign-in-failed' })
  expect(items[0]).toMatchObject({ by: null, source: 'visitor', ip: '127.0.0.1' })
})

test('scripts and the system have their own words, and ids in details and targets have names', async () => {
  const part = await makeQuickListing(seller.api)
  const items = [{ id: part.id, partprice: '31' }]
  const { body } = await admin.api.post<{ changeSetId: string }>('/admin/parts/bulk-update', { items })
  const job = await app.db
    .insertInto('job')
    .values({ queue: 'namingOptimizer', script_id: 'naming-optimizer', status: 'completed', payload: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const detail = JSON.stringify({ of: seller.user.id, set: body.changeSetId, count: 3 })
  await app.db
    .insertInto('audit_entry')
    .values([
      { action: 'by-script', job_id: job.id, actor_user_id: admin.user.id, detail },
      { action: 'by-system' },
    ])
    .execute()
  expect((await audit({ action: 'by-system' })).items).toMatchObject([{ source: 'system', script: null }])
  const name = expect.stringMatching(/^Bulk edit of \w+ \d+, \d{4}$/)
  expect((await audit({ action: 'by-script' })).items).toMatchObject([
    {
      source: 'script',
      script: 'naming-optimizer',
      by: { name: admin.person.name },
      names: { [seller.user.id]: 'Ilse Marchetti', [body.changeSetId]: name },
    },
  ])
  expect((await audit({ target: body.changeSetId })).items).toMatchObject([
    { action: 'bulk-edit-saved', source: 'person', named: { kind: 'bulk-save', name } },
  ])
})

test.each(['cursor=x', 'from=yesterday', 'to=2026-02-30', `who=${'x'.repeat(201)}`])(
  '400 for %s',
  async (query) => {
    expect((await admin.api.get(`/admin/audit?${query}`)).status).toBe(400)
  },
)

test('a single edit by an administrator is logged; targets have the name of what they are', async () => {
  const part = await makeQuickListing(seller.api, { partname: 'Zorp Alternator' })
  await admin.api.put(`/auto-parts/${part.id}`, { partprice: '77', status: 'HIDDEN' })
  const { items } = await audit({ target: part.id })
  expect(items).toMatchObject([
    {
      action: 'listing-edited',
      by: { name: admin.person.name },
      ip: '127.0.0.1',
      detail: { changed: 'Price, Status' },
      named: { kind: 'listing', name: expect.stringContaining('Zorp Alternator'), slug: part.partslug },
    },
  ])
  // Sellers' own edits are in the listing's history, and an edit that changes nothing is nowhere.
  await seller.api.put(`/seller/parts/${part.id}`, { partprice: '78' })
  await admin.api.put(`/auto-parts/${part.id}`, { partprice: '78' })
  expect((await audit({ target: part.id })).items).toHaveLength(1)
  const [role] = (await audit({ target: seller.user.sellerId })).items
  expect(role?.named).toMatchObject({ kind: 'seller', slug: null })
  expect((await audit({ action: 'signed-in' })).items[0]?.named).toBe(null)
})

test('an import is named by its promotion in details, and a target that is gone by its last name or its kind', async () => {
  const pro = await proSeller(app)
  const { importId, promotionId } = await sendRows(app, pro, partsFields(1))
  await app.db
    .insertInto('audit_entry')
    .values({ action: 'import-tried', target: importId, detail: JSON.stringify({ promotionId }) })
    .execute()
  const [tried] = (await audit({ action: 'import-tried' })).items
  expect(tried?.names).toEqual({ [promotionId]: tried?.named?.name })
  const wanted = { name: 'Yard office', scopes: [...apiScopes], expiresInDays: 90 }
  const { body: token } = await seller.api.post<{ item: { id: string } }>('/api-tokens', wanted)
  expect((await seller.api.delete(`/api-tokens/${token.item.id}`)).status).toBe(200)
  await app.visitor.post('/login', { email: seller.person.email, password: seller.person.password })
  const { body: sessions } = await seller.api.get<{ items: { id: string; current: boolean }[] }>('/sessions')
  const other = sessions.items.find(({ current }) => !current)
  expect((await seller.api.delete(`/sessions/${other?.id}`)).status).toBe(200)
  const nobody = '01999999-0000-7000-8000-000000000000'
  await app.db
    .insertInto('audit_entry')
    .values([
      { action: 'factor-removed', target: nobody, detail: JSON.stringify({ kind: 'totp' }) },
      {
        action: 'lookup-deleted',
        target: nobody,
        detail: JSON.stringify({ kind: 'category', name: 'Hubs' }),
      },
    ])
    .execute()
  const goneIn = async (action: string) => (await audit({ action })).items[0]?.named
  expect(await goneIn('api-token-revoked')).toEqual({ kind: 'gone', name: 'Yard office', slug: null })
  expect(await goneIn('session-ended')).toEqual({ kind: 'gone', name: 'A program', slug: null })
  expect(await goneIn('factor-removed')).toEqual({ kind: 'gone', name: 'A second step', slug: null })
  expect(await goneIn('lookup-deleted')).toEqual({ kind: 'gone', name: 'Hubs', slug: null })
})
