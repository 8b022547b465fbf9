import { test as base, expect } from '@playwright/test'

export { expect }

let stories = 0

/**
 * `test` for browser stories. Every story is another person at another address of the network, so that limits count them
 * apart. It fails when a page threw an error nobody caught, broke its own content security policy, or asked for
 * anything outside this machine.
 */
export const test = base.extend<{ clean: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
  baseURL: async ({}, use) => {
    const address = process.env.STORY_ADDRESS
    if (address === undefined)
      throw new Error('Run stories with `playwright test`: the global setup starts the app')
    await use(address)
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
  extraHTTPHeaders: async ({}, use, { parallelIndex }) => {
    stories += 1
    await use({ 'x-forwarded-for': `10.${parallelIndex}.${stories >> 8}.${stories & 255}` })
  },

  clean: [
    async ({ context, baseURL }, use) => {
      const faults: string[] = []
      context.on('weberror', (error) =>
        faults.push(`Uncaught: ${error.error().stack ?? error.error().message}`),
      )
      context.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) faults.push(message.text())
      })
      context.on('request', (request) => {
        const { protocol, origin } = new URL(request.url())
        if (protocol.startsWith('http') && origin !== baseURL) faults.push(`Asked for ${request.url()}`)
      })
      await use(undefined)
      expect(faults, 'Faults the browser saw').toEqual([])
    },
    { auto: true },
  ],
})
