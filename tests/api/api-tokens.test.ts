import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type ApiToken, MAX_TOKENS, type NewApiToken } from '#contract/account/api-tokens.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing } from '#contract/listings.ts'
import { type ApiScope, apiScopes, routes } from '#contract/routes.ts'
import { newToken } from '#server/features/people/accounts/sessions.ts'
import { isApiToken, newApiToken } from '#server/features/people/api-tokens/api-tokens.ts'
import type { ApiClient } from '#tests/support/api-client.ts'
import { curlCommands, runCurl } from '#tests/support/curl.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import { makeQuickListing, someLookups, somePicture } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { db, clock, visitor } = app

const DAY_MS = 24 * 60 * 60_000
const EVERYTHING = [...apiScopes]

function create({ api }: SignedIn, wanted: Partial<NewApiToken> = {}) {
  const body = { name: 'Yard program', scopes: EVERYTHING, expiresInDays: 90, ...wanted }
  return api.post<{ token: string; item: ApiToken } & ErrorReply>('/api-tokens', body)
}

async function tokenOf(seller: SignedIn, scopes: ApiScope[] = EVERYTHING): Promise<ApiClient> {
  const { body, status } = await create(seller, { scopes })
  expect(status).toBe(200)
  return visitor.as({ token: body.token })
}

const listOf = async ({ api }: SignedIn) => (await api.get<{ items: ApiToken[] }>('/api-tokens')).body.items
const refusal = async (asked: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await asked
  return [status, (body as ErrorReply).code]
}

describe('a token itself', () => {
  test('has a prefix and a checksum, and no session’s token looks like one', () => {
    const token = newApiToken()
    expect(token).toMatch(/^ph_[0-9A-Za-z]{46}$/)
    expect(isApiToken(token)).toBe(true)
    expect(isApiToken(`${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`)).toBe(false)
    expect(isApiToken(`ph_${newToken().slice(3)}`)).toBe(false)
  })

  test('is shown once and stored as a hash, and its owner gets an email', async () => {
    const seller = await app.signUp()
    const { body, headers } = await create(seller, { name: ' Nightly export ', scopes: ['listings:read'] })
    expect(headers['cache-control']).toBe('no-store')
    expect(body.item).toMatchObject({
      name: 'Nightly export',
      ending: body.token.slice(-4),
      scopes: ['listings:read'],
      lastUsedAt: null,
      isExpired: false,
    })
    expect(await listOf(seller)).toEqual([body.item])
    const { rows } = await sql<{ found: string }>`
      select t::text as found from api_token t union all select r::text from idempotency_record r
      union all select a::text from audit_entry a union all select m::text from mail m
    `.execute(db)
    expect(rows.filter(({ found }) => found.includes(body.token))).toEqual([])
    expect(
      rows.some(({ found }) => found.includes('A new API token') && found.includes(seller.person.email)),
    ).toBe(true)
  })

  test('needs a name, a scope, and room', async () => {
    const seller = await app.signUp()
    expect((await create(seller, { name: ' ', scopes: [], expiresInDays: 366 })).body.fields).toMatchObject({
      name: expect.any(String),
      scopes: 'Choose what the token may do',
      expiresInDays: 'A token expires after 1 to 365 days',
    })
    await sql`
      insert into api_token (token_hash, user_id, seller_id, name, ending, scopes)
      select sha256(n::text::bytea), ${seller.user.id}, ${seller.user.sellerId}, 'old', 'abcd', '{listings:read}'
      from generate_series(1, ${MAX_TOKENS}) n
    `.execute(db)
    const full = await create(seller)
    expect([full.status, full.body.error]).toEqual([
      409,
      'You have 20 tokens. Revoke one that is no longer used.',
    ])
  })
})

describe('what a token may do', () => {
  const sentence = (scope: string | undefined) =>
    scope
      ? `This API token does not have the scope ${scope}. Create a token with it in Account settings.`
      : 'API tokens cannot make this call. Sign in to make it.'
  const path = (of = '') => of.replaceAll(/\{\w+\}/g, '00000000-0000-7000-8000-000000000000')
  const refusedFor = async (api: ApiClient, [method, at]: readonly string[]) => {
    const { status, body } = await api.send<ErrorReply>({ method: method as 'GET', path: path(at) })
    return status === 403 && body.code === 'SCOPE_MISSING' ? body.error : undefined
  }

  test('every call: its scope opens it, every other is 403 with the name of the missing one', async () => {
    const admin = await app.signUp({ role: 'admin', tier: 'PAID' })
    const clients = new Map<ApiScope, ApiClient>()
    for (const scope of apiScopes) clients.set(scope, await tokenOf(admin, [scope]))
    const calls = (Object.entries(routes) as [string, readonly string[]][]).filter(
      ([, [, , access]]) => access !== 'public' && access !== 'anyone',
    )
    for (const [name, call] of calls) {
      const scope = call[4] === 'fresh' ? undefined : call[4]
      for (const [own, api] of clients) {
        const expected = own === scope ? undefined : sentence(scope)
        expect(await refusedFor(api, call), `${name} with ${own}`).toBe(expected)
      }
    }
  })

  test('no scope opens account, payout, administrator or token calls', () => {
    const opened = Object.values(routes).flatMap(([, at, access, , needs]) =>
      needs && needs !== 'fresh' ? [[access, at]] : [],
    )
    expect(opened.length).toBeGreaterThan(20)
    for (const [access, at] of opened) {
      expect(access).toBe('user')
      expect(at).toMatch(
        /^\/(seller\/(parts|quick-listings|leads|change-sets|price-help|aged-prices|interchange|listing-gaps|listing-ids)|listings\/\{id\}\/pictures|pictures|pro|vin)\b/,
      )
    }
  })

  test('an administrator’s token is a seller’s: hidden listings of others and previews stay closed', async () => {
    const other = await app.signUp()
    const listing = await makeQuickListing(other.api)
    const admin = await app.signUp({ role: 'admin' })
    const api = await tokenOf(admin)
    expect((await api.get(`/seller/parts/${listing.id}`)).status).toBe(404)
    expect(await refusal(api.get('/pro/mappings', { 'x-admin-preview': '1' }))).toEqual([403, 'PRO_ONLY'])
  })

  test('a public call ignores whose token was sent', async () => {
    const seller = await app.signUp()
    const listing = await makeQuickListing(seller.api)
    const api = await tokenOf(seller)
    const { body } = await api.get<{ mine: boolean }>(`/auto-part/${listing.partslug}`)
    expect(body.mine).toBe(false)
  })

  test('OpenAPI shows the scope of a call', async () => {
    const { body } = await visitor.get<{ paths: Record<string, { get: { security: unknown } }> }>(
      '/openapi.json',
    )
    expect(body.paths['/api/seller/parts']?.get.security).toEqual([
      { bearer: [] },
      { apiToken: ['listings:read'] },
    ])
    expect(body.paths['/api/profile/me']?.get.security).toEqual([{ bearer: [] }])
  })
})

describe('the end of a token', () => {
  test('its last use is shown, and it works until it expires', async () => {
    const seller = await app.signUp()
    const api = await tokenOf(seller)
    expect((await api.get('/seller/parts')).status).toBe(200)
    const [used] = await listOf(seller)
    expect(used?.lastUsedAt).not.toBeNull()
    clock.advance(91 * DAY_MS)
    expect(await refusal(api.get('/seller/parts'))).toEqual([401, 'SIGNED_OUT'])
    clock.advance(-91 * DAY_MS)
  })

  test('revoked by its owner only, it stops working at once', async () => {
    const [seller, other] = [await app.signUp(), await app.signUp()]
    const api = await tokenOf(seller)
    const [token] = await listOf(seller)
    expect((await other.api.delete(`/api-tokens/${token?.id}`)).status).toBe(404)
    expect((await api.get('/seller/parts')).status).toBe(200)
    expect((await seller.api.delete(`/api-tokens/${token?.id}`)).status).toBe(200)
    expect(await refusal(api.get('/seller/parts'))).toEqual([401, 'SIGNED_OUT'])
    expect((await seller.api.delete(`/api-tokens/${token?.id}`)).status).toBe(404)
  })

  test('a disabled account’s tokens do nothing, and stay dead after it is enabled', async () => {
    const [seller, admin] = [await app.signUp(), await app.signUp({ role: 'admin' })]
    const api = await tokenOf(seller)
    const set = (disabled: boolean) => admin.api.put(`/admin/users/${seller.user.id}`, { disabled })
    for (const disabled of [true, false]) {
      expect((await set(disabled)).status).toBe(200)
      expect(await refusal(api.get('/seller/parts'))).toEqual([401, 'SIGNED_OUT'])
    }
  })

  test('signing out everywhere ends all tokens, of nobody else, whoever asks', async () => {
    const [seller, admin, other] = [
      await app.signUp(),
      await app.signUp({ role: 'admin' }),
      await app.signUp(),
    ]
    const [api, theirs] = [await tokenOf(seller), await tokenOf(other)]
    expect((await seller.api.delete('/sessions')).status).toBe(200)
    expect(await refusal(api.get('/seller/parts'))).toEqual([401, 'SIGNED_OUT'])
    expect((await theirs.get('/seller/parts')).status).toBe(200)
    expect((await admin.api.delete(`/admin/users/${other.user.id}/sessions`)).status).toBe(200)
    expect(await refusal(theirs.get('/seller/parts'))).toEqual([401, 'SIGNED_OUT'])
  })

  test('a new password ends them, except one that is kept, and the mail names what stops', async () => {
    const seller = await app.signUp()
    const [first, second] = [await create(seller), await create(seller)]
    const change = async (password: string, currentPassword: string, keepToken?: string) => {
      const body = { password, currentPassword, ...(keepToken && { keepToken }) }
      expect((await seller.api.put('/profile', body)).status).toBe(200)
      const { rows } = await sql<{ body: string }>`
        select body from mail where recipient = ${seller.person.email} order by id desc limit 1
      `.execute(db)
      return rows[0]?.body
    }
    const mail = await change('walnut-trailer-hitch', seller.person.password, second.body.item.id)
    expect(mail).toContain(`ending in ${first.body.item.ending}, never used`)
    expect(mail).not.toContain(second.body.item.ending)
    expect((await listOf(seller)).map(({ id }) => id)).toEqual([second.body.item.id])
    expect((await visitor.as({ token: second.body.token }).get('/seller/parts')).status).toBe(200)
    const later = await change('gravel-lantern-pier', 'walnut-trailer-hitch')
    expect(later).toMatch(new RegExp(`ending in ${second.body.item.ending}, last used \\w+ \\d+, \\d{4}`))
    expect(await listOf(seller)).toEqual([])
  })
})

test('all tokens of a person share a limit of their own', async () => {
  const seller = await app.signUp()
  const [one, two] = [await tokenOf(seller), await tokenOf(seller)]
  await sql`
    insert into rate_window (key, window_start, used)
    select ${`write:api:${seller.user.id}`}, to_timestamp(floor(extract(epoch from now()) / 60) * 60 + shift), 1500
    from unnest(array[0, 60]) as shift
  `.execute(db)
  for (const api of [one, two]) expect(await refusal(api.get('/seller/parts.csv'))).toEqual([429, 'TOO_MANY'])
  expect((await seller.api.get('/seller/parts.csv')).status).toBe(200)
})

test('every example of the docs page works', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/api-tokens.md'), 'utf8')
  for (const scope of apiScopes) expect(page).toContain(`| \`${scope}\` |`)
  const { category, manufacturer, model } = await someLookups(visitor)
  const { body } = await create(await proSeller(app))
  const variables: Record<string, string> = {
    PARTHARBOR: 'https://parts.example',
    PH_TOKEN: body.token,
    CATEGORY_ID: category.id,
    MAKE_ID: manufacturer.id,
    MODEL_ID: model.id,
    MODEL: model.carname,
  }
  const files = {
    'stock.csv': /^```csv\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '',
    'A1042_1.jpg': new Uint8Array(await somePicture()),
  }
  const commands = curlCommands(page)
  expect(commands).toHaveLength(10)
  for (const command of commands) {
    const { status, body: answer } = await runCurl(visitor, command, { variables, files })
    expect([status, (answer as ErrorReply | undefined)?.error], command).toEqual([
      /quick-listings|\/pictures/.test(command) ? 201 : 200,
      undefined,
    ])
    if (command.includes('quick-listings')) variables.LISTING_ID = (answer as Listing).id
  }
  const { rows } = await sql<{ name: string }>`
    select l.name from listing l join api_token t on t.seller_id = l.seller_id where t.id = ${body.item.id}
  `.execute(db)
  expect(rows).toEqual([{ name: 'Alternator' }])
})
