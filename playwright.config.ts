import { defineConfig } from '@playwright/test'
import { findBrowser } from '#tests/support/browser.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results/e2e',
  globalSetup: './tests/e2e/support/global-setup.ts',
  forbidOnly: true,
  // What takes long and repeats a rule: part of `npm run chaos -- tests`.
  ...(process.env.CHAOS !== 'full' && { grepInvert: /@long/ }),
  // A story that fails runs once more, now with a trace (which costs every story a quarter of its time). The list names
  // those that passed only then as flaky, with how they failed at first.
  retries: 1,
  // Two browsers, the app, its worker and PostgreSQL already share what is often two cores.
  workers: 3,
  // Both are busy to the end, whichever file the last stories are in.
  fullyParallel: true,
  timeout: 60_000,
  // All stories take five minutes. What is still running then hangs, and is named as failed.
  globalTimeout: 15 * 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    launchOptions: await findBrowser(),
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
    // Otherwise a click on what is covered or gone waits for as long as its story may take, which is up to four minutes.
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
  },
})
