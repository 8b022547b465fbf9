import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { delimiter, join, resolve as resolvePath } from 'node:path'
import { type Outcome, readPlaywright, readVitest } from './test-reports.ts'

/*
 * `npm test`: every check of the project, with one count at the end. `npm test -- unit api` runs the named stages only.
 * A stage that ran nothing has failed: an empty selection must never look like a success.
 */

const ROOT = join(import.meta.dirname, '..')
const PROGRAMS = join(ROOT, 'node_modules/.bin')
// A file system in memory, on Linux.
const IN_MEMORY = '/dev/shm'
// The Node that runs this, since some platforms have no pinned one.
const NODE = process.execPath
// Reports, and whatever tests write. A test's database is a thousand files, and ext4 searches for file numbers that were
// not deleted within the last minute: with two connections one takes 600 ms of processor time on disk and 80 in memory.
const SCRATCH = mkdtempSync(join(hasRoomInMemory() ? IN_MEMORY : tmpdir(), `partharbor-test-${process.pid}-`))
// As root, without setpriv, a database runs as nobody and has to pass through to its own folder.
chmodSync(SCRATCH, 0o711)

// Every test file loads the server again; without this, a fifth of that time would be stripping types.
const COMPILED = join(ROOT, '.cache/compiled')

// A hung stage must not take the others with it; the slowest takes minutes on 2 cores.
const STAGE_TIMEOUT_MS = 25 * 60_000

interface Step {
  /** Its name in the list of failures. */
  name: string
  /** A program of ours in `node_modules/.bin`, or one by its whole path. */
  command: [program: string, ...args: string[]]
  env?: Record<string, string>
  /** Takes only what others leave of the cores. */
  isPatient?: boolean
  /** Counts the results; a step without it is one check that passes with status 0. */
  read?: () => Outcome
  /** The same step for these files only, to retry failed ones. */
  again?: (files: string[]) => Step
}

interface Stage {
  name: string
  /** Run at the same time. */
  steps: Step[]
  /**
   * Runs beside the others from the start, and is shown when it is done: because it leaves a core idle most of the time, or
   * because it can wait for the time that they leave idle.
   */
  beside?: 'idle' | 'patient'
}

const STAGES: Stage[] = [
  {
    name: 'typecheck',
    beside: 'patient',
    steps: [
      { name: 'types of the server', command: typesOf('.') },
      { name: 'types of the web app', command: typesOf('web') },
      { name: 'types of the stories and odd files', command: typesOf('tests/e2e') },
      // Short, and its database answers too late for its own timeouts where others leave it nothing.
      {
        name: 'types and text of the schema',
        command: [NODE, 'scripts/db-types.ts', '--check'],
        isPatient: false,
      },
      { name: 'the generated pages of docs/', command: [NODE, 'scripts/write-docs.ts', '--check'] },
    ],
  },
  {
    name: 'lint',
    beside: 'patient',
    steps: [
      { name: 'biome', command: ['biome', 'check', '--error-on-warnings', '.'] },
      { name: 'knip', command: ['knip'] },
    ],
  },
  // Pure rules, and screens in a made-up browser.
  { name: 'unit', steps: [vitest('unit', '--project=web')] },
  // Half of its time is waiting for jobs and timeouts, so twice as many workers help.
  { name: 'api', steps: [vitest('api', '--maxWorkers=4')] },
  { name: 'ground', steps: [vitest('ground')], beside: 'idle' },
  // Alone: two browsers and a whole PartHarbor fill two cores.
  { name: 'e2e', steps: [playwright()] },
]

/** For several times what tests write at once. Runs that were killed gave back none of what they had. */
function hasRoomInMemory(): boolean {
  const roomBytes = 4 * 1024 ** 3
  try {
    for (const name of readdirSync(IN_MEMORY)) {
      const pid = /^partharbor-test-(\d+)-/.exec(name)?.[1]
      if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(IN_MEMORY, name), { recursive: true, force: true })
    }
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= roomBytes && process.availableMemory() >= 2 * roomBytes
  } catch {
    return false
  }
}

/** The threads of a compiler check shared types again, each of them: one thread needs half the CPU of four. */
function typesOf(project: string): Step['command'] {
  // What was checked is kept beside the sources: the next run checks what has changed since, in a fifth of the time.
  const kept = join(ROOT, '.cache/types', `${project.replaceAll(/\W/g, '-')}.json`)
  return ['tsc', '--noEmit', '--singleThreaded', '--incremental', '--tsBuildInfoFile', kept, '-p', project]
}

function vitest(project: string, ...options: string[]): Step {
  return {
    ...vitestOf(project, options),
    again: (files) => vitestOf(project, [...options, ...files]),
  }
}

function vitestOf(project: string, options: string[]): Step {
  const report = join(SCRATCH, `${project}.json`)
  const reporters = [
    '--silent=passed-only',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  return {
    name: project,
    command: ['vitest', 'run', '--project', project, ...reporters, ...options],
    read: () => readVitest(report, ROOT),
  }
}

function playwright(): Step {
  const report = join(SCRATCH, 'e2e.json')
  return {
    name: 'e2e',
    command: ['playwright', 'test', '--reporter=list,json'],
    env: {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      PLAYWRIGHT_TRANSFORM_CACHE_DIR: join(ROOT, '.cache/stories'),
    },
    read: () => readPlaywright(report),
  }
}

const running = new Set<ChildProcess>()

/** Runs a program to its end: the exit status, or the reason in words. */
function run({ command: [program, ...args], env, isPatient }: Step, show: Show): Promise<number | string> {
  const child = spawn(resolvePath(PROGRAMS, program), args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // The pinned Node comes first, also when this file was not started by npm.
      PATH: `${PROGRAMS}${delimiter}${process.env.PATH}`,
      TMPDIR: SCRATCH,
      NODE_COMPILE_CACHE: COMPILED,
      ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
      ...env,
    },
    timeout: STAGE_TIMEOUT_MS,
  })
  child.stdout.on('data', show)
  child.stderr.on('data', show)
  running.add(child)
  // What it starts inherits it.
  if (isPatient && child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (status, signal) => {
      running.delete(child)
      resolve(status ?? `ended by ${signal}`)
    })
  })
}

type Show = (output: string | Buffer) => void

async function runStep(step: Step, show: Show): Promise<Outcome> {
  const status = await run(step, show)
  const failed = (reason: string): Outcome => ({ passed: 0, failures: [reason], skipped: 0 })
  if (!step.read) return status === 0 ? { passed: 1, failures: [], skipped: 0 } : failed(step.name)
  try {
    const outcome = step.read()
    if (outcome.passed + outcome.failures.length === 0) return failed('ran no test at all')
    // Leaked connections, unhandled errors and failed teardowns show in the status alone.
    if (status === 0 || outcome.failures.length > 0) return outcome
    return { ...outcome, failures: [`every test passed, but the run ended with status ${status}`] }
  } catch {
    return failed(`wrote no report (status ${status})`)
  }
}

// More than a few failures are not a coincidence on a busy machine.
const MAX_RETRIED_FILES = 3

/** Retries a file with a failed test once by itself; tests that pass only then are counted, and listed at the end. */
async function runStepTwice(step: Step, show: Show): Promise<Outcome> {
  const first = await runStep(step, show)
  const files = first.failedFiles ?? []
  if (!step.again || files.length === 0 || files.length > MAX_RETRIED_FILES || stopped) return first
  show(`\n── retrying by themselves: ${files.map(({ path }) => path).join(', ')} ──\n`)
  const second = await runStep(step.again(files.map(({ path }) => path)), show)
  const isStillFailing = new Set(second.failures)
  return {
    passed: first.passed - files.reduce((sum, { passed }) => sum + passed, 0) + second.passed,
    failures: second.failures,
    skipped: first.skipped,
    retried: first.failures.filter((name) => !isStillFailing.has(name)),
  }
}

/** How long each stage took, in the order they ended; stages that run beside each other share the cores. */
const took: { name: string; seconds: number }[] = []

function printTimes(): void {
  console.log('\nStage      seconds')
  for (const { name, seconds } of [...took, { name: 'all', seconds: performance.now() / 1000 }]) {
    console.log(`${name.padEnd(11)}${seconds.toFixed(1).padStart(7)}`)
  }
}

async function runStage({ name, steps, beside }: Stage, show: Show): Promise<Outcome> {
  const start = performance.now()
  show(`\n── ${name} ──\n`)
  const isPatient = beside === 'patient'
  const outcomes = await Promise.all(steps.map((step) => runStepTwice({ isPatient, ...step }, show)))
  const outcome = sumOf(outcomes)
  const seconds = (performance.now() - start) / 1000
  took.push({ name, seconds })
  const skipped = outcome.skipped > 0 ? `, ${outcome.skipped} skipped` : ''
  show(
    `── ${name}: ${outcome.passed} passed, ${outcome.failures.length} failed${skipped} in ${seconds.toFixed(1)} s\n`,
  )
  return { ...outcome, failures: outcome.failures.map((failure) => `${name}: ${failure}`) }
}

function sumOf(outcomes: Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failures: outcomes.flatMap(({ failures }) => failures),
    skipped: outcomes.reduce((sum, { skipped }) => sum + skipped, 0),
    retried: outcomes.flatMap(({ retried }) => retried ?? []),
  }
}

/** Runs a stage and shows all of its output at its end. */
async function runBeside(stage: Stage, show: Show): Promise<Outcome> {
  const output: (string | Buffer)[] = []
  const outcome = await runStage(stage, (part) => output.push(part))
  for (const part of output) show(part)
  return outcome
}

async function runStages(stages: Stage[]): Promise<Outcome> {
  const show: Show = (part) => void process.stdout.write(part)
  const isBeside = ({ beside }: Stage) => beside !== undefined && stages.length > 1
  const besides = stages.filter(isBeside).map((stage) => runBeside(stage, show))
  const outcomes: Outcome[] = []
  for (const stage of stages) {
    if (!isBeside(stage) && !stopped) outcomes.push(await runStage(stage, show))
  }
  return sumOf([...outcomes, ...(await Promise.all(besides))])
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !STAGES.some((stage) => stage.name === name))
if (unknown.length > 0) {
  console.error(`No stage ${unknown.join(', ')}. There are: ${STAGES.map(({ name }) => name).join(', ')}.`)
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

const {
  passed,
  failures,
  retried = [],
} = await runStages(STAGES.filter(({ name }) => asked.length === 0 || asked.includes(name)))
// A database that was cut off keeps writing for a moment.
rmSync(SCRATCH, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })

if (stopped) failures.push('stopped early')
if (retried.length > 0)
  console.log(`\nPassed only on the second try:\n${retried.map((name) => `  ${name}`).join('\n')}`)
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((name) => `  ${name}`).join('\n')}`)
printTimes()
console.log(`\n${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length > 0 ? 1 : 0
