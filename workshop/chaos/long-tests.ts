import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

// Whole files that the suite leaves out (vitest.config.ts).
const ONLY_HERE = ['tests/ground/job-streams.test.ts']

/** What the suite runs briefly or not at all, at full length: files that import `at-length.ts`, and stories tagged @long. */
export async function runLongTests(): Promise<boolean> {
  const files = readdirSync(join(ROOT, 'tests'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('tests', name))
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => readFileSync(join(ROOT, path), 'utf8').includes('support/at-length.ts'))
  const passed = await runTests('full', [...files, ...ONLY_HERE])
  return (await run('playwright', ['test', '--grep', '@long'], 'full')) && passed
}

/** All tests of the API with PgBouncer before the database, or those named. */
export const runPooledTests = (files: readonly string[]): Promise<boolean> =>
  runTests('pooled', ['--project', 'api', ...files])

/** All tests of the API with the files in a bucket instead of a folder, or those named. */
export const runTestsOnS3 = (files: readonly string[]): Promise<boolean> =>
  runTests('s3', ['--project', 'api', ...files])

type Chaos = 'full' | 'pooled' | 's3'

const runTests = (chaos: Chaos, args: readonly string[]): Promise<boolean> =>
  run('vitest', ['run', ...args], chaos)

async function run(program: string, args: readonly string[], chaos: Chaos): Promise<boolean> {
  const child = spawn(join(ROOT, 'node_modules/.bin', program), args, {
    cwd: ROOT,
    env: { ...process.env, CHAOS: chaos },
    stdio: 'inherit',
  })
  const [status] = await once(child, 'exit')
  return status === 0
}
