import { randomBytes } from 'node:crypto'
import { test as base, type Locator, type Page, expect as plainExpect } from '@playwright/test'
import type { RunningApp } from './running-app.ts'

/**
 * Playwright describes the whole page to itself whenever something is not visible, or an address is not there yet, which
 * took a tenth of the stories' time. Waiting does without; only what did not come is then described.
 */
export const expect = plainExpect.extend({
  async toBeVisible(locator: Locator, options: { timeout?: number } = {}) {
    const came = !this.isNot && (await isIn(locator.waitFor({ timeout: options.timeout ?? this.timeout })))
    if (came) return { pass: true, message: () => '' }
    const left = this.isNot ? options : { timeout: 1 }
    await (this.isNot ? plainExpect(locator).not : plainExpect(locator)).toBeVisible(left)
    return { pass: !this.isNot, message: () => '' }
  },
  async toHaveURL(page: Page, url: string | RegExp, options: { timeout?: number } = {}) {
    const isThere = (now: URL) =>
      typeof url === 'string' ? now.href === new URL(url, now).href : url.test(now.href)
    const timeout = options.timeout ?? this.timeout
    const came = !this.isNot && (await isIn(page.waitForURL(isThere, { timeout, waitUntil: 'commit' })))
    if (came) return { pass: true, message: () => '' }
    const left = this.isNot ? options : { timeout: 1 }
    await (this.isNot ? plainExpect(page).not : plainExpect(page)).toHaveURL(url, left)
    return { pass: !this.isNot, message: () => '' }
  },
})

const isIn = (waiting: Promise<unknown>) =>
  waiting.then(
    () => true,
    () => false,
  )

/** What the global setup started. */
export function startedApp(): Omit<RunningApp, 'stop'> {
  const app = process.env.STORY_APP
  if (app === undefined)
    throw new Error('Run stories with `playwright test`: the global setup starts the app')
  return JSON.parse(app) as Omit<RunningApp, 'stop'>
}

/** A unique network address, so that limits count people separately. */
export function ownAddress(): Record<string, string> {
  return { 'x-forwarded-for': `10.${randomBytes(3).join('.')}` }
}

/** Waits until a public page's scripts, which load after its first paint, have taken over. */
export const hydrated = (page: Page) =>
  page.waitForFunction(() =>
    Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__react')),
  )

/**
 * Goes to another address as the app's own links do, which costs a quarter of a page load. Resolves when another screen
 * appears, or this one at another address.
 */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(async (to) => {
    const [heading, title, { pathname }] = [document.querySelector('h1'), document.title, location]
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
    const isThere = () =>
      location.pathname === pathname || document.title !== title || document.querySelector('h1') !== heading
    while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 20))
  }, path)
}

/**
 * `test` for browser stories. Every story is another person at another network address. It fails when a page throws an
 * uncaught error, breaks its own content security policy, or requests anything outside this machine; only whole pages
 * may be the payment provider’s.
 */
export const test = base.extend<{ clean: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
  baseURL: async ({}, use) => use(startedApp().address),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
  extraHTTPHeaders: async ({}, use) => use(ownAddress()),

  clean: [
    async ({ context, baseURL }, use) => {
      const { payments } = startedApp()
      const faults: string[] = []
      context.on('weberror', (error) =>
        faults.push(`Uncaught: ${error.error().stack ?? error.error().message}`),
      )
      context.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) faults.push(message.text())
      })
      context.on('request', (request) => {
        const { protocol, origin } = new URL(request.url())
        const isHandOver = origin === payments && request.isNavigationRequest()
        if (protocol.startsWith('http') && origin !== baseURL && !isHandOver) {
          faults.push(`Asked for ${request.url()}`)
        }
      })
      await use(undefined)
      expect(faults, 'Faults the browser saw').toEqual([])
    },
    { auto: true },
  ],
})
