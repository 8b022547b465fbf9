import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { FlagsOf } from '#contract/scripts.ts'
import type { JsonObject } from '#db/schema.gen.ts'
import { probeDatabase, probeFiles } from '#server/features/automation/probes.ts'
import { defineScript, ScriptRefusal, type ScriptRun } from '#server/platform/scripts/script-program.ts'

type Run = ScriptRun<FlagsOf<'self-check'>>

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
  const started = readProgress(run.checkpoint)
  console.log(
    started.lines === 0
      ? `Self-check, run ${run.runNo}`
      : `Going on after line ${started.lines} (run ${run.runNo})`,
  )
  const found = await measure(run)
  const reply = flags.ask ? await askPerson(run) : undefined
  const lines = await printLines(run, started.lines, reply?.lines)
  if (flags.dryRun) console.log('Dry run: the report is not kept.')
  else await run.artifact('self-check.csv', reportOf({ ...found, lines }))
  if (flags.fail) throw new ScriptRefusal('Failed as asked: the flag Fail is on.')
  console.log('Everything works.')
  return { ...found, lines, ...(reply && { answer: reply.answer }) }
})

type Measured = Record<string, number | string>

async function measure(run: Run): Promise<Measured> {
  const database = await probeDatabase(run.db)
  console.log(
    `Database: PostgreSQL ${database.version}, round trip ${ms(database.fastestMs)} to ${ms(database.slowestMs)}, jobs not ended: ${database.jobs}`,
  )
  await run.withFence(async () => undefined)
  console.log('Fenced transaction: committed, the job is ours')
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

const answer = z.object({
  go: z.enum(['yes', 'no'], 'Choose yes or no').describe('Shall it go on?'),
  lines: z
    .int('Give a whole number')
    .min(0, 'At least 0 lines')
    .max(1_000_000, 'At most 1,000,000 lines')
    .optional()
    .describe('How many lines to print, if not as started'),
  note: z.string().max(200, 'At most 200 characters').optional().describe('A note for the result'),
})

async function askPerson(run: Run) {
  console.log('Waiting for an answer …')
  const given = await run.askFor('go-on', 'Shall the self-check go on?', answer)
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

const progress = z.object({ lines: z.int().min(0) })

function readProgress(checkpoint: unknown): z.output<typeof progress> {
  const read = progress.safeParse(checkpoint)
  return read.success ? read.data : { lines: 0 }
}

function reportOf(found: Measured): string {
  const rows = Object.entries(found).map(([what, value]) => `${what},${value}`)
  return `what,value\n${rows.join('\n')}\n`
}

const tenth = (value: number) => Math.round(value * 10) / 10
const ms = (value: number) => `${tenth(value)} ms`
