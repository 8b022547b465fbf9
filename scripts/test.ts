import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/*
 * `npm test`: every check of the project, one after another, with one count at the end. `npm test -- unit api` runs the
 * named stages only. A stage that ran nothing has failed: an empty selection must never look like a success.
 */

const ROOT = join(import.meta.dirname, '..')
const PROGRAMS = join(ROOT, 'node_modules/.bin')
const REPORTS = mkdtempSync(join(tmpdir(), 'partharbor-reports-'))

// A hung stage must not take the others with it; the slowest takes 4 minutes on 2 cores.
const STAGE_TIMEOUT_MS = 15 * 60_000

interface Outcome {
  passed: number
  failures: string[]
}

interface Step {
  /** What the list of failures calls it. */
  name: string
  command: [program: string, ...args: string[]]
  env?: Record<string, string>
  /** How to count what ran; a step without it is one check that passes with status 0. */
  read?: () => Outcome
}

/** Steps of one stage run at the same time. */
const STAGES: Record<string, Step[]> = {
  typecheck: [
    { name: 'types of the server', command: ['tsc', '--noEmit', '-p', '.'] },
    { name: 'types of the web app', command: ['tsc', '--noEmit', '-p', 'web'] },
    { name: 'types of the stories', command: ['tsc', '--noEmit', '-p', 'tests/e2e'] },
  ],
  lint: [
    { name: 'biome', command: ['biome', 'check', '--error-on-warnings', '.'] },
    { name: 'knip', command: ['knip'] },
  ],
  unit: [vitest('unit')],
  api: [vitest('api')],
  ground: [vitest('ground')],
  e2e: [playwright()],
}

function vitest(project: string): Step {
  const report = join(REPORTS, `${project}.json`)
  const reporters = [
    '--silent=passed-only',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  return {
    name: project,
    command: ['vitest', 'run', '--project', project, ...reporters],
    read: () => readVitest(report),
  }
}

function playwright(): Step {
  const report = join(REPORTS, 'e2e.json')
  return {
    name: 'e2e',
    command: ['playwright', 'test', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    read: () => readPlaywright(report),
  }
}

interface VitestReport {
  testResults: {
    name: string
    status: string
    assertionResults: { fullName: string; status: string }[]
  }[]
}

function readVitest(report: string): Outcome {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as VitestReport
  const tests = testResults.flatMap((file) => file.assertionResults)
  const failed = tests.filter((test) => test.status === 'failed').map((test) => test.fullName)
  // A file that could not be loaded, or whose hooks failed, has no failed test of its own.
  const brokenFiles = testResults
    .filter(
      (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
    )
    .map((file) => `${file.name.replace(`${ROOT}/`, '')} (the file itself)`)
  return {
    passed: tests.filter((test) => test.status === 'passed').length,
    failures: [...failed, ...brokenFiles],
  }
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs: {
    title: string
    file: string
    tests: { status: 'expected' | 'unexpected' | 'flaky' | 'skipped' }[]
  }[]
}

function readPlaywright(report: string): Outcome {
  const specsOf = (suite: PlaywrightSuite): PlaywrightSuite['specs'] => [
    ...suite.specs,
    ...(suite.suites ?? []).flatMap(specsOf),
  ]
  const { suites } = JSON.parse(readFileSync(report, 'utf8')) as { suites: PlaywrightSuite[] }
  const runs = suites
    .flatMap(specsOf)
    .flatMap(({ title, file, tests }) => tests.map(({ status }) => ({ title: `${file}: ${title}`, status })))
  return {
    passed: runs.filter((run) => run.status === 'expected').length,
    failures: runs
      .filter((run) => run.status === 'unexpected' || run.status === 'flaky')
      .map((run) => run.title),
  }
}

const running = new Set<ChildProcess>()

/** Ends with the exit status, or with the reason in words. Its output goes to ours as it comes. */
function run({ command: [program, ...args], env }: Step): Promise<number | string> {
  const child = spawn(join(PROGRAMS, program), args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    // The pinned Node comes first, also when this file was not started by npm.
    env: { ...process.env, PATH: `${PROGRAMS}${delimiter}${process.env.PATH}`, ...env },
    timeout: STAGE_TIMEOUT_MS,
  })
  running.add(child)
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (status, signal) => {
      running.delete(child)
      resolve(status ?? `ended by ${signal}`)
    })
  })
}

async function runStep(step: Step): Promise<Outcome> {
  const status = await run(step)
  if (!step.read) return status === 0 ? { passed: 1, failures: [] } : { passed: 0, failures: [step.name] }
  try {
    const { passed, failures } = step.read()
    if (passed + failures.length === 0) return { passed, failures: ['ran no test at all'] }
    // Leaked connections, unhandled errors and failed teardowns show in the status alone.
    if (status !== 0 && failures.length === 0) return { passed, failures: [`ended with status ${status}`] }
    return { passed, failures }
  } catch {
    return { passed: 0, failures: [`wrote no report (status ${status})`] }
  }
}

async function runStage(name: string, steps: Step[]): Promise<Outcome> {
  const start = performance.now()
  console.log(`\n── ${name} ──`)
  const outcomes = await Promise.all(steps.map(runStep))
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
  const failures = outcomes.flatMap((outcome) => outcome.failures).map((failure) => `${name}: ${failure}`)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`── ${name}: ${passed} passed, ${failures.length} failed in ${seconds} s`)
  return { passed, failures }
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(STAGES, name))
if (unknown.length > 0) {
  console.error(`No stage ${unknown.join(', ')}. There are: ${Object.keys(STAGES).join(', ')}.`)
  process.exit(2)
}

// The runners end what they started (database, app, browser), so we wait for them. A Ctrl-C reaches them from the
// terminal; a SIGTERM is sent to us alone and has to be passed on.
let stopped = false
process.on('SIGINT', () => {
  stopped = true
})
process.on('SIGTERM', () => {
  stopped = true
  for (const child of running) child.kill('SIGTERM')
})

const total: Outcome = { passed: 0, failures: [] }
for (const [name, steps] of Object.entries(STAGES)) {
  if (stopped || (asked.length > 0 && !asked.includes(name))) continue
  const { passed, failures } = await runStage(name, steps)
  total.passed += passed
  total.failures.push(...failures)
}
rmSync(REPORTS, { recursive: true, force: true })

if (stopped) total.failures.push('stopped before the end')
if (total.failures.length > 0)
  console.log(`\nFailed:\n${total.failures.map((name) => `  ${name}`).join('\n')}`)
console.log(`\n${total.passed} passed, ${total.failures.length} failed`)
process.exitCode = total.failures.length > 0 ? 1 : 0
