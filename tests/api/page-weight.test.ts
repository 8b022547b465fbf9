import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const BUILT = join(import.meta.dirname, '../../dist/web')

// The floor, React and its router, is 98 kB.
const MOST_SCRIPT = 128_000
const MOST_STYLE = 12_000

/** Compressed with gzip; a tiny file has no compressed copy. */
const sizeOf = (file: string): Promise<number> =>
  stat(join(BUILT, `${file}.gz`))
    .catch(() => stat(join(BUILT, file)))
    .then(({ size }) => size)

/** All that the page's links and scripts name, which is everything it loads untouched. */
async function weigh(url: string) {
  const { body } = await app.http.inject({ method: 'GET', url })
  const names = new Set(
    [...body.matchAll(/(?:href|src)="\/([^"]+\.(?:js|css))"/g)].map(([, name]) => name ?? ''),
  )
  const sum = async (ending: string) => {
    const sizes = await Promise.all([...names].filter((name) => name.endsWith(ending)).map(sizeOf))
    return sizes.reduce((all, size) => all + size, 0)
  }
  return {
    screens: [...names].filter((name) => /-screen-|articles?-|selling-/.test(name)),
    script: await sum('.js'),
    style: await sum('.css'),
  }
}

test('a public page links all it needs, and weighs little', async () => {
  const seller = await app.signUp()
  const { partslug } = await makeQuickListing(seller.api)
  const pages = [
    '/',
    '/parts',
    `/parts/${partslug}`,
    `/parts/${partslug}/buy`,
    '/orders',
    '/cart',
    `/sellers/${seller.user.sellerSlug}`,
    '/help',
    '/garage',
    '/help/grades',
    '/messages',
    '/support',
    '/terms-of-service',
    '/about-us',
    '/careers',
  ]
  for (const path of pages) {
    const { screens, script, style } = await weigh(path)
    expect([path, screens.length > 0, script < MOST_SCRIPT, style < MOST_STYLE]).toEqual([
      path,
      true,
      true,
      true,
    ])
  }
  const { script } = await weigh('/no/such/page')
  expect(script).toBeLessThan(MOST_SCRIPT)
})
