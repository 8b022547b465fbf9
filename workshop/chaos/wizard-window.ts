import type { Browser, BrowserContext, Page, Route } from '@playwright/test'
import pRetry from 'p-retry'
import type { User } from '#contract/account/accounts.ts'

const WIZARD = '/dashboard/seller/create-bulk-auto-part-listing'
const CHUNKS = '**/api/pro/bulk/parts/csv*'
// A page that was cut off while it loaded, or that no process serves at the moment, is loaded again, as a person would.
const PATIENTLY = { retries: 30, minTimeout: 300, maxTimeout: 2_000 }
const LOADED_MS = 10_000

/** What a browser keeps of a user who signed in. */
export type SignedIn = { readonly token: string; readonly user: User }
export type Lost = 'request lost' | 'answer lost'

/** One person's browser: its tabs with the wizard, and the chunks that get lost on their way. */
export class WizardWindow {
  readonly #context: BrowserContext
  readonly #address: string
  readonly #lost: Lost[] = []
  /** Errors on a page that nothing caught. */
  readonly faults: string[] = []
  /** A chunk or its answer got lost: the sender has to wait and to try again. */
  onLost: () => void = () => undefined
  /** Chunks that were sent, repetitions included. */
  sendings = 0

  private constructor(context: BrowserContext, address: string) {
    this.#context = context
    this.#address = address
  }

  static async open(browser: Browser, address: string, session: SignedIn): Promise<WizardWindow> {
    const auth = { name: 'auth', value: JSON.stringify(session) }
    const storageState = { cookies: [], origins: [{ origin: address, localStorage: [auth] }] }
    const context = await browser.newContext({ locale: 'en-US', storageState })
    const window = new WizardWindow(context, address)
    context.on('weberror', (error) => window.faults.push(`uncaught: ${error.error().message}`))
    context.on('dialog', (dialog) => void dialog.accept().catch(() => undefined))
    await context.route(CHUNKS, (route) => window.#carry(route))
    return window
  }

  /** Oldest first: the oldest is the one that sends, unless it gave way. */
  get tabs(): Page[] {
    return this.#context.pages()
  }

  async openTab(tab = 'guide'): Promise<Page> {
    const page = await this.#context.newPage()
    await this.#load(page, () => page.goto(`${this.#address}${WIZARD}?tab=${tab}`))
    return page
  }

  async reload(page: Page): Promise<void> {
    await this.#load(page, () => page.reload({ timeout: LOADED_MS }))
  }

  async #load(page: Page, load: () => Promise<unknown>): Promise<void> {
    await pRetry(async () => {
      await load()
      await page.getByRole('tablist', { name: 'Bulk import steps' }).waitFor({ timeout: LOADED_MS })
    }, PATIENTLY)
  }

  lose(what: Lost, times: number): void {
    this.#lost.push(...Array<Lost>(times).fill(what))
  }

  async setOffline(isOffline: boolean): Promise<void> {
    await this.#context.setOffline(isOffline)
  }

  /** The text of its pages, which shows why nothing moves. */
  async text(): Promise<string> {
    const texts = this.tabs.map((page) => page.getByRole('tabpanel').textContent({ timeout: 2_000 }))
    const read = await Promise.allSettled(texts)
    return read
      .map((one) => (one.status === 'fulfilled' ? one.value : 'a page that does not respond'))
      .join('\n')
  }

  async close(): Promise<void> {
    await this.#context.close()
  }

  async #carry(route: Route): Promise<void> {
    this.sendings += 1
    try {
      const lost = this.#lost.shift()
      if (lost === undefined) return await route.continue()
      if (lost === 'answer lost') await route.fetch({ timeout: LOADED_MS })
      this.onLost()
      await route.abort('connectionreset')
    } catch {
      // Its page is gone meanwhile, or the service: the request fails as it should.
      await route.abort('connectionreset').catch(() => undefined)
    }
  }
}
