import { gunzipSync } from 'node:zlib'
import type { Browser, Page } from '@playwright/test'
import { ownAddress, expect, startedApp, test } from '#tests/e2e/support/story.ts'

/* Public pages are there when they arrive: complete without scripts, kept as they are by them, and light. */

const pages = ['/', '/parts', '/parts?q=alternator', '/help', '/terms-of-service', '/support', '/no/such/page']

/** The first part of the list, and a landing page that it links to, if there is one. */
async function findMore(page: Page): Promise<string[]> {
  await page.goto('/parts')
  const part = await page.getByRole('article').first().getByRole('link').first().getAttribute('href')
  return [part ?? '']
}

test('every public page comes alive without a word, and keeps what the server wrote', async ({ page }) => {
  const problems: string[] = []
  page.on('console', (line) => {
    // The browser itself reports a page with status 404.
    if (/error|warning/.test(line.type()) && !/status of 404/.test(line.text())) problems.push(line.text())
  })
  const more = await findMore(page)
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => Object.assign(window, { was: document.querySelector('h1') })),
  )
  for (const path of [...pages, ...more]) {
    await page.goto(path, { waitUntil: 'networkidle' })
    const is = await page.evaluate(() => ({
      kept: Reflect.get(window, 'was') === document.querySelector('h1'),
      alive: Object.keys(document.querySelector('#app') ?? {}).some((key) => key.startsWith('__react')),
      titles: document.querySelectorAll('title').length,
    }))
    expect([path, is]).toEqual([path, { kept: true, alive: true, titles: 1 }])
  }
  expect(problems).toEqual([])
})

test('from a public page into the app and back is one visit, with the right titles', async ({ page }) => {
  await page.goto('/parts')
  await page.evaluate(() => Object.assign(window, { visit: 'one' }))
  await page.getByRole('link', { name: 'Login To Your Account' }).first().click()
  await expect(page.getByLabel('Email')).toBeVisible()
  await expect(page).toHaveTitle(/^Login.* \| PartHarbor$/)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Find Auto Parts' })).toBeVisible()
  await expect(page).toHaveTitle('Find Auto Parts | PartHarbor')
  expect(await page.evaluate(() => Reflect.get(window, 'visit'))).toBe('one')
})

test('without scripts a buyer searches, filters, turns pages, opens a part and writes to its seller', async ({
  browser,
  baseURL,
}) => {
  const page = await openWithoutScripts(browser, baseURL)
  await page.goto('/')
  await page.getByLabel('Part or part number').fill('door')
  await page.getByRole('button', { name: 'Find parts' }).click()
  await expect(page).toHaveURL(/q=door/)
  await page.getByLabel('Manufacturer').selectOption({ label: 'Ford' })
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page).toHaveURL(/manuId=/)
  await expect(page.getByRole('article').first()).toContainText('Ford')
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: 'Next page' }).first().click()
  await expect(page).toHaveURL(/page=2/)
  await page.getByRole('article').first().getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByLabel('Name').first().fill('Lee Park')
  await page.getByLabel('Email').first().fill('lee@buyer.example')
  await page.getByLabel('Message').first().fill('Is the connector intact?')
  await page.getByRole('button', { name: /send/i }).first().click()
  await expect(page.getByText(/sent/i).first()).toBeVisible()
  await page.context().close()
})

async function openWithoutScripts(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    baseURL: baseURL ?? startedApp().address,
    extraHTTPHeaders: ownAddress(),
  })
  return context.newPage()
}

// What a phone loads of a public page until five seconds after it is there, with nobody touching it.
const MOST_SCRIPT = 125_000
const MOST_STYLE = 12_000

test('a public page weighs little, also after a while', async ({ page, baseURL }) => {
  const more = await findMore(page)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true })
  for (const path of ['/', '/parts', ...more]) {
    const names = new Set<string>()
    page.on('request', (request) => {
      if (/\.(js|css)$/.test(new URL(request.url()).pathname)) names.add(new URL(request.url()).pathname)
    })
    await page.goto(path, { waitUntil: 'load' })
    await page.waitForTimeout(5_000)
    page.removeAllListeners('request')
    const sum = { js: 0, css: 0 }
    for (const name of names) {
      sum[name.endsWith('.js') ? 'js' : 'css'] += await sizeOf(`${baseURL}${name}`)
    }
    console.log(`${path}: ${sum.js} bytes of script, ${sum.css} of style, gzipped`)
    expect([path, sum.js <= MOST_SCRIPT, sum.css <= MOST_STYLE]).toEqual([path, true, true])
  }
})

/** As gzip, which every browser takes. */
async function sizeOf(url: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const { get } = await import('node:http')
  get(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
    const parts: Buffer[] = []
    response.on('data', (part) => parts.push(part))
    response.on('end', () => {
      const bytes = Buffer.concat(parts)
      if (response.headers['content-encoding'] === 'gzip') gunzipSync(bytes)
      resolve(bytes.byteLength)
    })
  }).on('error', reject)
  return promise
}
