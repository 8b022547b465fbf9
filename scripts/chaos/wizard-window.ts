import type { Browser, BrowserContext, Page, Route } from '@playwright/test'
import pRetry from 'p-retry'
import type { SignedIn } from './wizard-seller.ts'

const WIZARD = '/dashboard/seller/create-bulk-auto-part-listing'
const CHUNKS = '**/api/pro/bulk/parts/csv*'
// A page whose pieces were cut off on their way, or that nobody serves at the moment, is loaded again, as a person would.
const LOADS = 30
const LOADED_MS = 10_000

export type Lost = 'request lost' | 'answer lost'

/** One person's browser: its tabs with the wizard, and the chunks that get lost on their way. */
export class WizardWindow {
  readonly #context: BrowserContext
  readonly #address: string
  readonly #lost: Lost[] = []
  readonly #faults: string[] = []
  /** A chunk or its answer got lost: whoever sends has to wait and to try again. */
  onLost: () => void = () => undefined
  /** Chunks that went off, those that were sent again included. */
  sendings = 0

  private constructor(context: BrowserContext, address: string) {
    this.#context = context
    this.#address = address
  }

  static async open(browser: Browser, address: string, session: SignedIn): Promise<WizardWindow> {
    const auth = { name: 'auth', value: JSON.stringify(session) }
    const kept = { cookies: [], origins: [{ origin: address, localStorage: [auth] }] }
    const context = await browser.newContext({ locale: 'en-US', storageState: kept })
    const window = new WizardWindow(context, address)
    context.on('weberror', (error) => window.#faults.push(`uncaught: ${error.error().message}`))
    context.on('dialog', (dialog) => void dialog.accept().catch(() => undefined))
    await context.route(CHUNKS, (route) => window.#carry(route))
    return window
  }

  /** The oldest first: it is the one that sends, unless it gave way. */
  get tabs(): Page[] {
    return this.#context.pages()
  }

  /** What a page threw that nobody caught. */
  get faults(): readonly string[] {
    return this.#faults
  }

  async openTab(tab = 'guide'): Promise<Page> {
    const page = await this.#context.newPage()
    await pRetry(() => this.#load(page, () => page.goto(`${this.#address}${WIZARD}?tab=${tab}`)), PATIENTLY)
    return page
  }

  async reload(page: Page): Promise<void> {
    await pRetry(() => this.#load(page, () => page.reload({ timeout: LOADED_MS })), PATIENTLY)
  }

  async #load(page: Page, load: () => Promise<unknown>): Promise<void> {
    await load()
    await page.getByRole('tablist', { name: 'Bulk import steps' }).waitFor({ timeout: LOADED_MS })
  }

  lose(what: Lost, times: number): void {
    this.#lost.push(...Array<Lost>(times).fill(what))
  }

  async setOffline(isOffline: boolean): Promise<void> {
    await this.#context.setOffline(isOffline)
  }

  /** What stands on its pages, for whoever wonders why nothing moves. */
  async words(): Promise<string> {
    const texts = this.tabs.map((page) => page.getByRole('tabpanel').textContent({ timeout: 2_000 }))
    const told = await Promise.allSettled(texts)
    return told
      .map((one) => (one.status === 'fulfilled' ? one.value : 'a page that does not answer'))
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

const PATIENTLY = { retries: LOADS, minTimeout: 300, maxTimeout: 2_000 }
