/*
 * Starts the program as a person does, kills one of its processes with -9 at a random moment, and looks whether
 * anything stays running; at the end the program must start on the very same data. `npm run chaos -- start 20`
 * does so twenty times. Prints a table; status 1 when something stayed or the last start failed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { descendantsOf, whatIsLeft } from '#tests/support/processes.ts'
import { startProgram } from '#tests/support/program.ts'

// A second start takes 2 s on an idle machine, and this is not for idle ones only.
const LONGEST_MS = 8_000
// Killed programs are gone at once; the database may write its checkpoint first, and is cut short after 5 s.
const GONE_MS = 10_000

type Round = {
  'after ms': number
  killed: string
  'was ready': boolean
  'gone after ms': number
  left: string
}

const settingsFor = (dataDir: string) => ({ DATA_DIR: dataDir, PORT: '0' })

/** Names for people; whoever else is in the tree (initdb, a build, a backend) goes by its program. */
function nameOf(command: string): string {
  if (/^npm/.test(command)) return 'npm'
  const role = /main\.ts (start|api|worker|demo)/.exec(command)?.[1]
  if (role) return role === 'start' ? 'supervisor' : role
  if (command.includes('database-guard')) return 'database guard'
  return command.replace(/^\S*\//, '').slice(0, 30)
}

async function round(dataDir: string): Promise<Round> {
  const program = startProgram({ npm: true, settings: settingsFor(dataDir) })
  const npm = program.child.pid ?? 0
  let ready = false
  void program.ready.then(
    () => {
      ready = true
    },
    () => undefined,
  )
  const afterMs = Math.round(Math.random() * LONGEST_MS)
  await sleep(afterMs)
  const all = [{ pid: npm, command: 'npm start' }, ...descendantsOf(npm)]
  const victim = all[Math.floor(Math.random() * all.length)] ?? { pid: npm, command: 'npm start' }
  const wasReady = ready
  kill(victim.pid)
  // A part that is replaced leaves the whole running, as it should: then the whole is killed too.
  const supervisor = all.find(({ command }) => nameOf(command) === 'supervisor')
  if (victim.pid !== npm && victim.pid !== supervisor?.pid) {
    await sleep(Math.random() * 1_000)
    kill(supervisor?.pid ?? npm)
  }
  const begin = performance.now()
  const left = await whatIsLeft(dataDir, GONE_MS)
  await program.ended
  return {
    'after ms': afterMs,
    killed: nameOf(victim.command),
    'was ready': wasReady,
    'gone after ms': Math.round(performance.now() - begin),
    left: left.map((line) => nameOf(line.replace(/^\d+ /, ''))).join(', '),
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself in the meantime.
  }
}

type LastStart = { seconds: number; status: number; ended: unknown; left: string[] }

async function lastStart(dataDir: string): Promise<LastStart> {
  const begin = performance.now()
  const program = startProgram({ npm: true, settings: settingsFor(dataDir) })
  const address = await program.ready
  const seconds = Math.round((performance.now() - begin) / 100) / 10
  const { status } = await fetch(`${address}/readyz`)
  program.child.kill('SIGTERM')
  return { seconds, status, ended: await program.ended, left: await whatIsLeft(dataDir, GONE_MS) }
}

export async function chaosStart(howOften: number): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partharbor-chaos-'))
  // The first rounds meet the making of the database and the demo data, the later ones a program that is ready.
  const rounds: Round[] = []
  for (let number = 0; number < howOften; number += 1) rounds.push(await round(dataDir))
  console.table(rounds)
  const last = await lastStart(dataDir)
  console.log('last start', last)
  await rm(dataDir, { recursive: true, force: true })
  return rounds.every(({ left }) => left === '') && last.status === 200 && last.left.length === 0
}
