import type { BrowserContext, Page } from '@playwright/test'
import { expect, hydrated, test } from '#tests/e2e/support/story.ts'

/* Public pages are there when they arrive: scripts keep what the server wrote, and weigh little. */

async function findPart(page: Page): Promise<string> {
  await page.goto('/parts')
  const link = page.getByRole('article').first().getByRole('link').first()
  return (await link.getAttribute('href')) ?? ''
}

test('every public page shows itself before its scripts load, hydrates without a message and keeps the server’s HTML', async ({
  page,
}) => {
  const part = await findPart(page)
  await page.goto(part)
  const yard = await page.locator('a[href^="/sellers/"]').first().getAttribute('href')
  const problems: string[] = []
  page.on('console', (line) => {
    // The browser itself reports a page with status 404.
    if (/error|warning/.test(line.type()) && !/status of 404/.test(line.text())) problems.push(line.text())
  })
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => Object.assign(window, { was: document.querySelector('h1') })),
  )
  const paths = [
    '/',
    '/parts',
    '/parts?q=alternator&sort=price-low',
    part,
    yard ?? '',
    '/help',
    '/help/grades',
    '/support',
  ]
  for (const path of [...paths, '/terms-of-service', '/about-us', '/no/such/page']) {
    await page.goto(path)
    await hydrated(page)
    const seen = await page.evaluate(() => ({
      kept: Reflect.get(window, 'was') === document.querySelector('h1'),
      titles: document.querySelectorAll('title').length,
    }))
    expect([path, seen]).toEqual([path, { kept: true, titles: 1 }])
    await expectPaintBeforeScripts(page, path)
  }
  expect(problems).toEqual([])
})

async function expectPaintBeforeScripts(page: Page, path: string): Promise<void> {
  const { painted, styles, scripts } = await page.evaluate(() => {
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const begun = (ending: string) =>
      files
        .filter(({ name }) => /\/assets\//.test(name) && name.endsWith(ending))
        .map((file) => file.startTime)
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    return { painted: paint?.startTime ?? 0, styles: begun('.css'), scripts: begun('.js') }
  })
  expect(Math.max(...styles), path).toBeLessThan(painted)
  expect(Math.min(...scripts), path).toBeGreaterThan(painted)
  expect(scripts.length, path).toBeGreaterThan(2)
}

test('what a visitor did before the scripts came is done when they come; into the app and back is one visit', async ({
  page,
}) => {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await arrived
    await route.continue()
  })
  await page.goto('/parts', { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Switch to dark mode' }).click()
  await page.getByLabel('Sort').selectOption('price-low')
  await expect(page).toHaveURL(/\/parts$/)
  arrive()
  await expect(page).toHaveURL(/sort=price-low/)
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')

  await page.evaluate(() => Object.assign(window, { visit: 'one' }))
  await page.getByRole('link', { name: 'Login To Your Account' }).first().click()
  await expect(page.getByLabel('Email')).toBeVisible()
  await expect(page).toHaveTitle(/^Login.* \| PartHarbor$/)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Find Auto Parts' })).toBeVisible()
  await expect(page).toHaveTitle('Find Auto Parts | PartHarbor')
  expect(await page.evaluate(() => Reflect.get(window, 'visit'))).toBe('one')
  // From inside of the app as well, where the page came empty.
  await page.goto('/login')
  await page.getByRole('link', { name: 'Find Auto Parts' }).first().click()
  await expect(page).toHaveTitle('Find Auto Parts | PartHarbor')
})

// Script is asked for by name, and counted as it comes over the line, compressed.
const MOST_SCRIPT = 125_000
const MOST_STYLE = 12_000

test('an untouched public page has loaded little after five seconds', { tag: '@long' }, async ({
  page,
  context,
}) => {
  const part = await findPart(page)
  const weights = await Promise.all(['/', '/parts', part].map((path) => weigh(context, path)))
  for (const { path, script, style } of weights) {
    expect(script, `script of ${path}`).toBeLessThanOrEqual(MOST_SCRIPT)
    expect(style, `style of ${path}`).toBeLessThanOrEqual(MOST_STYLE)
  }
})

async function weigh(context: BrowserContext, path: string) {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  const types = new Map<string, string>()
  const bytes = { Script: 0, Stylesheet: 0 }
  session.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId)
    if (type === 'Script' || type === 'Stylesheet') bytes[type] += encodedDataLength
  })
  await page.goto(path, { waitUntil: 'load' })
  await page.waitForTimeout(5_000)
  await page.close()
  return { path, script: bytes.Script, style: bytes.Stylesheet }
}
