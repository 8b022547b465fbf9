import { defineConfig } from 'vitest/config'

/** Every project: a stray `.only` or an empty selection is a failure, and nothing reaches the internet. */
const everywhere = {
  allowOnly: false,
  passWithNoTests: false,
  setupFiles: ['tests/support/deny-network.ts'],
  // A second, which is the default, passes by on a busy machine before anything happened.
  expect: { poll: { timeout: 10_000 } },
}

// Node itself loads and strips the sources, as it does when the program runs; only screens need Vite's transforms.
const asInProduction = { viteModuleRunner: false }

export default defineConfig({
  test: {
    // What workshop/bench and the reviews run on; more workers than cores only make timings meaningless.
    maxWorkers: 2,
    // Below it a test gets no line of its own in the output.
    slowTestThreshold: 10_000,
    experimental: { diagnostics: false },
    projects: [
      {
        test: {
          ...everywhere,
          name: 'unit',
          // A file loads little of its own, and a process for each took as long as all tests do.
          isolate: false,
          // Properties are tried on thousands of inputs, which takes a busy machine longer than the 5 s of the default.
          testTimeout: 20_000,
          // Its files name each other as only bundlers understand.
          server: { deps: { inline: ['@zxing/library'] } },
          include: [
            '{contract,server,db,web,scripts,workshop}/**/*.test.{ts,tsx}',
            'tests/{structure,odd-files/*}.test.ts',
          ],
        },
      },
      {
        oxc: { jsx: { development: false } },
        test: {
          ...everywhere,
          name: 'web',
          // React as people get it.
          env: { NODE_ENV: 'production' },
          // Whole screens in a made-up browser, with a made-up server.
          environment: 'happy-dom',
          // Nothing fades in or out: what is there can be found at once.
          environmentOptions: { happyDOM: { settings: { device: { prefersReducedMotion: 'reduce' } } } },
          include: ['tests/web/**/*.test.tsx'],
          setupFiles: [
            ...everywhere.setupFiles,
            '@testing-library/jest-dom/vitest',
            'tests/web/support/browser.ts',
          ],
          // A worker loads the app once, and not for each of its files.
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...everywhere,
          experimental: asInProduction,
          name: 'api',
          include: ['tests/api/**/*.test.ts'],
          // A worker loads the server once and not for each of its files, which took a third of the time. What files share
          // then is code: databases, folders and settings are each file's own.
          isolate: false,
          globalSetup: ['tests/support/template-database.ts', 'tests/support/web-build.ts'],
          // Argon2id, picture encoding and a clone of the template take their time on a busy machine.
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          ...everywhere,
          experimental: asInProduction,
          name: 'ground',
          include: ['tests/ground/**/*.test.ts'],
          // Two api and two worker processes that are killed in turn: part of `npm run chaos -- tests`.
          exclude: process.env.CHAOS === 'full' ? [] : ['tests/ground/job-streams.test.ts'],
          // Whole programs are started, killed and started again: one file at a time, or they starve each other.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
