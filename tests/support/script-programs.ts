import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { Refusal } from '#server/platform/errors.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { GiveUp } from '#server/platform/jobs/job-definition.ts'
import { joinSupervisor, SUPERVISED } from '#server/platform/processes/supervisor-link.ts'
import { type ScriptProgram, ScriptRefusal } from '#server/platform/scripts/script-program.ts'
import { serveScript } from '#server/platform/scripts/serve-script.ts'
import { badScripts } from './script-definitions.ts'

type Work = ScriptProgram['work']

const never = () => sleep(600_000)
// Its process is found by what stands in its command line.
const sleeper = (mark: unknown, ...more: string[]) =>
  spawn(process.execPath, ['-e', `${more.join('')}setInterval(() => '${mark}', 1000)`], { stdio: 'inherit' })

const WORK: Record<string, Work> = {
  'tells-all': async (run) => {
    console.log('flags', JSON.stringify(run.flags))
    console.log('source', JSON.stringify(run.source ?? null))
    return { flags: run.flags, source: run.source ? { ...run.source } : null, checkpoint: run.checkpoint }
  },
  throws: async () => {
    throw new TypeError('nobody thought of that')
  },
  refuses: async () => {
    throw new ScriptRefusal('The file is not there.')
  },
  'gives-up': async () => {
    throw new GiveUp('never again')
  },
  exits: async ({ flags }) => process.exit(Number(flags.count ?? 0)),
  'kills-itself': async ({ flags }) => {
    process.kill(process.pid, String(flags.text))
    await never()
    return undefined
  },
  rejects: async () => {
    void Promise.reject(new Error('nobody caught it'))
    await never()
    return undefined
  },
  'ignores-sigterm': async ({ flags }) => {
    process.removeAllListeners('SIGTERM')
    process.on('SIGTERM', () => console.log('not now'))
    sleeper(flags.text, `process.on('SIGTERM', () => {});`)
    console.log('ignoring')
    await never()
    return undefined
  },
  'ends-when-asked': async (run) => {
    console.log('ready')
    await sleep(600_000, undefined, { signal: run.signal }).catch(() => undefined)
    console.log('trimmedValue up')
    run.signal.throwIfAborted()
    return undefined
  },
  'blocks-and-forks': async ({ flags }) => {
    sleeper(flags.text)
    sleeper(flags.text, `require('node:child_process').spawn('sleep', ['600']);`)
    console.log('blocking')
    for (;;);
  },
  'leaves-a-child': async ({ flags }) => {
    sleeper(flags.text)
    console.log('gone')
    return undefined
  },
  'leaves-the-group': async ({ flags }) => {
    const child = spawn('sleep', [String(flags.count)], { detached: true, stdio: 'inherit' })
    console.log(`left ${child.pid}`)
    return { pid: child.pid ?? 0 }
  },
  // In pieces of 100 kB.
  floods: async ({ flags }) => {
    const block = Array.from({ length: 10 }, () => 'x'.repeat(9_999)).join('\n')
    for (let left = Number(flags.count); left > 0; left -= 1) console.log(block)
    console.log('the end')
    return { rss: Math.round(process.memoryUsage.rss() / 1e6) }
  },
  prints: async ({ flags }) => {
    for (let line = 0; line < Number(flags.count); line += 1) {
      console.log(`out ${line}`)
      console.error(`err ${line}`)
      if (line % 97 === 0) await sleep(1)
    }
    writeSync(1, Buffer.from(String(flags.text), 'base64'))
    return undefined
  },
  listens: async (run) => {
    const heard: string[] = []
    const enough = Promise.withResolvers<void>()
    run.onInput((line) => {
      console.log(`heard ${line}`)
      heard.push(line)
      if (line === 'enough') enough.resolve()
    })
    console.log('listening')
    await enough.promise
    return heard
  },
  asks: async (run) => {
    console.log('before the question')
    const name = await run.ask('name', 'What is your name?')
    const form = await run.askFor(
      'form',
      'How many?',
      z.object({ many: z.int('Give a whole number').max(5) }),
    )
    return { name, ...form }
  },
  steps: async (run) => {
    const from = Number(run.checkpoint ?? 0)
    for (let step = from; step < Number(run.flags.count); step += 1) {
      run.progress(step + 1, Number(run.flags.count), `step ${step}`)
      await run.withFence(async (trx) => {
        await sql`insert into script_trace values (${run.jobId}, ${step}, ${run.runNo})`.execute(trx)
        await run.saveCheckpoint(step + 1, trx)
      })
      console.log(`step ${step}`)
      await sleep(50)
    }
    await run.artifact('a/report?.csv', 'what,value\nsteps,3\n')
    return { from }
  },
}

/** Scripts that behave badly, for tests; started by a worker as server/commands/run-script.ts is. */
export async function runBadScript([scriptId = '', ...words]: readonly string[]): Promise<never> {
  const settings = await joinSupervisor()
  const definition = badScripts.find((script) => script.scriptId === scriptId)
  const work = WORK[scriptId]
  if (!definition || !work) throw new Error(`no script ${scriptId}`)
  const own = words.filter((word) => word !== SUPERVISED)
  const files = await openFileStore({ kind: 'fs', dir: settings.FILES ?? '' })
  try {
    const databaseUrl = settings.DATABASE_URL ?? ''
    const openai = { apiKey: undefined, baseUrl: undefined, model: 'gpt-5-mini' }
    await serveScript({ definition, work }, own, { databaseUrl, files, openai })
  } catch (error) {
    console.error(error instanceof Refusal ? error.message : error)
    process.exit(1)
  }
  process.exit(0)
}
