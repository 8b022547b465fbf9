import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** The suite runs these briefly (`atLength`) or not at all; here they run at full length. */
const FILES = [
  'tests/api/promotion-killed.test.ts',
  'tests/api/job-streams-resume.test.ts',
  'tests/api/billing-webhooks.test.ts',
  'tests/ground/job-streams.test.ts',
]

export const runLongTests = (): Promise<boolean> => runTests('full', FILES)

/** All tests of the API with PgBouncer before the database, or those named. */
export const runPooledTests = (files: readonly string[]): Promise<boolean> =>
  runTests('pooled', ['--project', 'api', ...files])

/** All tests of the API with the files in a bucket instead of a folder, or those named. */
export const runTestsOnS3 = (files: readonly string[]): Promise<boolean> =>
  runTests('s3', ['--project', 'api', ...files])

async function runTests(chaos: 'full' | 'pooled' | 's3', args: readonly string[]): Promise<boolean> {
  const vitest = spawn(join(ROOT, 'node_modules/.bin/vitest'), ['run', ...args], {
    cwd: ROOT,
    env: { ...process.env, CHAOS: chaos },
    stdio: 'inherit',
  })
  const [status] = await once(vitest, 'exit')
  return status === 0
}
