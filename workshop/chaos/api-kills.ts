/*
 * Kills the api again and again, as a crash that repeats would: however often, it must be back soon. A growing pause
 * between starts once kept a service away for 33 s after ten kills.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { signalProcess } from '#tests/support/installation.ts'
import { descendantsOf } from '#tests/support/processes.ts'
import { startProgram } from '#tests/support/program.ts'

const EVERY_MS = 24_000
const LONGEST_MS = 5_000
const GIVE_UP_MS = 60_000

async function isReady(url: string): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) })
    await reply.arrayBuffer()
    return reply.ok
  } catch {
    return false
  }
}

/** The time until the service is ready again, in ms. */
async function killOnce(supervisor: number, url: string): Promise<number> {
  const api = descendantsOf(supervisor).find(({ command }) => /main\.ts api\b/.test(command))
  if (!api) throw new Error('the api is not running')
  signalProcess(api.pid, 'SIGKILL')
  const begin = performance.now()
  // What was accepted before the kill may still be answered.
  await sleep(50)
  while (!(await isReady(url)) && performance.now() - begin < GIVE_UP_MS) await sleep(25)
  return Math.round(performance.now() - begin)
}

/** Prints the time of each kill; returns whether all were short. */
export async function chaosApiKills([count = '10']: string[]): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partharbor-kills-'))
  const program = startProgram({ settings: { DATA_DIR: dataDir, PORT: '0' } })
  const away: number[] = []
  try {
    const url = await program.ready
    while (away.length < Number(count)) {
      const next = performance.now() + EVERY_MS
      away.push(await killOnce(program.child.pid ?? 0, url))
      console.log(`kill ${away.length}: ready again after ${away.at(-1)} ms`)
      if (away.length < Number(count)) await sleep(Math.max(0, next - performance.now()))
    }
  } finally {
    program.child.kill('SIGTERM')
    await program.ended
    await rm(dataDir, { recursive: true, force: true })
  }
  console.log(`longest ${Math.max(...away)} ms, allowed ${LONGEST_MS} ms`)
  return away.every((ms) => ms <= LONGEST_MS)
}
