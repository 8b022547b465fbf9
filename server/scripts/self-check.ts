import { createHash, randomBytes } from 'node:crypto'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import type { FlagsOf } from '#contract/admin/scripts.ts'
import type { JsonObject } from '#db/schema.gen.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { defineScript, ScriptRefusal, type ScriptRun } from '#server/platform/scripts/script-program.ts'

type Run = ScriptRun<FlagsOf<'self-check'>>

const progress = z.object({ lines: z.int().min(0) })

const LINES = 100
const TEST_LINES = 10
const SECONDS = 2
// Every 10th line goes to stderr.
const WARN_EVERY = 10
// Often enough to resume close to where a lost worker stopped, rarely enough to cost nothing.
const CHECKPOINT_MS = 1_000

/** Exercises everything a script can do and reports whether it works and how fast it is. */
export const selfCheck = defineScript('self-check', async (run) => {
  const { flags } = run
  run.onInput((line) => console.log(`Received: ${line}`))
  const started = progress.safeParse(run.checkpoint).data ?? { lines: 0 }
  console.log(
    started.lines === 0
      ? `Self-check, run ${run.runNo}`
      : `Continuing after line ${started.lines} (run ${run.runNo})`,
  )
  const found = await measure(run)
  const reply = flags.ask ? await askPerson(run) : undefined
  const lines = await printLines(run, started.lines, reply?.lines)
  if (flags.dryRun) console.log('Dry run: no report was saved.')
  else await run.artifact('self-check.csv', reportOf({ ...found, lines }))
  if (flags.fail) throw new ScriptRefusal('Failed as requested: the Fail flag is on.')
  console.log('Everything works.')
  return { ...found, lines, ...(reply && { answer: reply.answer }) }
})

async function measure(run: Run) {
  const database = await probeDatabase(run.db)
  console.log(
    `Database: PostgreSQL ${database.version}, round trip ${ms(database.fastestMs)} to ${ms(database.slowestMs)}, unfinished jobs: ${database.jobs}`,
  )
  await run.withFence(async () => undefined)
  console.log('Fenced transaction: committed, this run owns the job')
  const files = await probeFiles(run.files, `artifacts/${run.jobId}/self-check`)
  console.log(
    `File store: ${files.bytes / 1024} kB written in ${ms(files.writeMs)}, read in ${ms(files.readMs)}, removed in ${ms(files.deleteMs)}`,
  )
  const startMs = performance.now()
  console.log(
    `Process: Node ${process.version}, ${Math.round(process.memoryUsage.rss() / 1e6)} MB, ready after ${ms(startMs)}`,
  )
  return {
    databaseVersion: database.version,
    roundTripMs: tenth(database.fastestMs),
    fileWriteMs: tenth(files.writeMs),
    fileReadMs: tenth(files.readMs),
    startMs: tenth(startMs),
  }
}

/** Reads the server's version and the number of unfinished jobs. */
async function readDatabaseState(db: Db): Promise<{ version: string; jobs: number }> {
  const { rows } = await sql<{ version: string; jobs: number }>`
    select current_setting('server_version') as version, count(*) as jobs
    from job where status in ('queued', 'retrying', 'running', 'waiting-manual')`.execute(db)
  const [state] = rows
  if (!state) throw new Error('the database returned no row')
  return state
}

const ROUND_TRIPS = 20

/** Measures the round-trip time to the database. Writes nothing. */
async function probeDatabase(db: Db) {
  const times: number[] = []
  let state = await readDatabaseState(db)
  for (let trip = 0; trip < ROUND_TRIPS; trip += 1) {
    const began = performance.now()
    state = await readDatabaseState(db)
    times.push(performance.now() - began)
  }
  return { ...state, fastestMs: Math.min(...times), slowestMs: Math.max(...times) }
}

// About the size of a picture.
const BYTES = 256 * 1024

/**
 * Writes a file of random bytes, reads it back, compares and deletes it.
 * @throws Error if the bytes differ or the file is not deleted
 */
async function probeFiles(files: FileStore, key: string) {
  const content = randomBytes(BYTES)
  const writeMs = await timed(() => files.put(key, content))
  let read = ''
  const readMs = await timed(async () => {
    read = await digestOf(await files.get(key))
  })
  const deleteMs = await timed(() => files.delete(key))
  if (read !== createHash('sha256').update(content).digest('hex')) {
    throw new Error('The file store returned different bytes than were written.')
  }
  if (await files.exists(key)) throw new Error('The file store kept a deleted file.')
  return { bytes: BYTES, writeMs, readMs, deleteMs }
}

async function digestOf(content: AsyncIterable<Buffer> | undefined): Promise<string> {
  if (!content) throw new Error('The file store lost a file right after it was written.')
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk)
  return hash.digest('hex')
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const answer = z.object({
  go: z.enum(['yes', 'no'], 'Choose yes or no').describe('Continue?'),
  lines: z
    .int('Enter a whole number')
    .min(0, 'The minimum is 0 lines')
    .max(1_000_000, 'The maximum is 1,000,000 lines')
    .optional()
    .describe('Lines to print, if different'),
  note: z.string().max(200, 'The maximum is 200 characters').optional().describe('A note for the result'),
})

async function askPerson(run: Run) {
  console.log('Waiting for an answer…')
  const given = await run.askFor('go-on', 'Continue with the self-check?', answer)
  console.log(`Answered: ${given.go}${given.note ? ` (${given.note})` : ''}`)
  if (given.go === 'no') throw new ScriptRefusal('Stopped: the answer was no.')
  return { lines: given.lines, answer: { go: given.go, note: given.note ?? null } satisfies JsonObject }
}

/** Prints the lines spread over the requested time and returns their total. */
async function printLines(run: Run, from: number, wanted: number | undefined): Promise<number> {
  const { flags, signal } = run
  const requested = wanted ?? flags.lines ?? LINES
  const total = flags.test ? Math.min(requested, TEST_LINES) : requested
  const forMs = (flags.seconds ?? (flags.test ? 0 : SECONDS)) * 1_000
  const began = performance.now()
  let savedAt = began
  for (let line = from; line < total; line += 1) {
    const print = line % WARN_EVERY === WARN_EVERY - 1 ? console.error : console.log
    print(`Line ${line + 1} of ${total}`)
    run.progress(line + 1, total, 'Printing lines')
    await sleepUntil(began + (forMs * (line + 1 - from)) / (total - from), signal)
    // Lets signals and input through even if there is nothing to wait for.
    if (line % WARN_EVERY === 0) await setImmediate()
    if (performance.now() - savedAt < CHECKPOINT_MS) continue
    await run.saveCheckpoint({ lines: line + 1 })
    savedAt = performance.now()
  }
  await sleepUntil(began + forMs, signal)
  return total
}

async function sleepUntil(time: number, signal: AbortSignal): Promise<void> {
  const wait = time - performance.now()
  if (wait > 1) await sleep(wait, undefined, { signal })
}

function reportOf(found: Record<string, number | string>): string {
  const rows = Object.entries(found).map(([what, value]) => `${what},${value}`)
  return `what,value\n${rows.join('\n')}\n`
}

const tenth = (value: number) => Math.round(value * 10) / 10
const ms = (value: number) => `${tenth(value)} ms`
