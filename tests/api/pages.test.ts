import { brotliDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp({ PUBLIC_URL: 'https://parts.example' })
let seller: SignedIn
beforeAll(async () => {
  seller = await app.signUp()
})

type Html = { status: number; headers: Record<string, unknown>; html: string }

async function open(url: string, headers: Record<string, string> = {}): Promise<Html> {
  const { statusCode, headers: sent, rawPayload } = await app.http.inject({ method: 'GET', url, headers })
  const bytes = sent['content-encoding'] === 'br' ? brotliDecompressSync(rawPayload) : rawPayload
  return { status: statusCode, headers: sent, html: bytes.toString() }
}

const match = (html: string, pattern: RegExp) => pattern.exec(html)?.[1]
const titleOf = (html: string) => match(html, /<title>([^<]*)<\/title>/)

describe('the list of parts', () => {
  test('arrives with its parts, its title and its address', async () => {
    await makeQuickListing(seller.api, { partname: 'Alternator 130A' })
    const { status, headers, html } = await open('/parts')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=0, s-maxage=60, stale-while-revalidate=60',
      vary: 'accept-encoding',
    })
    expect(titleOf(html)).toBe('Find Auto Parts | PartHarbor')
    expect(html.match(/<title>/g)).toHaveLength(1)
    expect(match(html, /<link rel="canonical" href="([^"]*)"/)).toBe('https://parts.example/parts')
    expect(html).toContain('Alternator 130A')
  })
})
