/*
 * Starts the program as a person does, kills one of its processes at a random moment, and checks that nothing keeps
 * running; at the end the program must start on the very same data.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { signalProcess } from '#tests/support/installation.ts'
import { descendantsOf, whatIsLeft } from '#tests/support/processes.ts'
import { startProgram } from '#tests/support/program.ts'

// A second start takes 2 s on an idle machine, and this runs on busy ones, too.
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

const start = (dataDir: string) => startProgram({ npm: true, settings: { DATA_DIR: dataDir, PORT: '0' } })

/** What people call a process; any other in the tree (initdb, a build) goes by its program. */
function nameOf(command: string): string {
  if (/^npm/.test(command)) return 'npm'
  const role = /main\.ts (start|api|worker|demo)/.exec(command)?.[1]
  if (role) return role === 'start' ? 'supervisor' : role
  if (command.includes('database-guard')) return 'database guard'
  return command.replace(/^\S*\//, '').slice(0, 30)
}

async function playRound(dataDir: string): Promise<Round> {
  const program = start(dataDir)
  let isReady = false
  void program.ready.then(
    () => {
      isReady = true
    },
    () => undefined,
  )
  const afterMs = Math.round(Math.random() * LONGEST_MS)
  await sleep(afterMs)
  const npm = { pid: program.child.pid ?? 0, command: 'npm start' }
  const all = [npm, ...descendantsOf(npm.pid)]
  const victim = all[Math.floor(Math.random() * all.length)] ?? npm
  const wasReady = isReady
  signalProcess(victim.pid, 'SIGKILL')
  // The supervisor replaces its children and keeps running, as it should: then it is killed, too.
  const supervisor = all.find(({ command }) => nameOf(command) === 'supervisor') ?? npm
  if (victim !== npm && victim !== supervisor) {
    await sleep(Math.random() * 1_000)
    signalProcess(supervisor.pid, 'SIGKILL')
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

async function lastStart(dataDir: string) {
  const begin = performance.now()
  const program = start(dataDir)
  const address = await program.ready
  const seconds = Math.round((performance.now() - begin) / 100) / 10
  const { status } = await fetch(`${address}/readyz`)
  program.child.kill('SIGTERM')
  return { seconds, status, ended: await program.ended, left: await whatIsLeft(dataDir, GONE_MS) }
}

/** Prints a table; returns whether nothing was left running and the last start succeeded. */
export async function chaosStart([count = '20']: string[]): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partharbor-chaos-'))
  // The first rounds meet a database and demo data in the making, the later ones a program that is ready.
  const rounds: Round[] = []
  while (rounds.length < Number(count)) rounds.push(await playRound(dataDir))
  console.table(rounds)
  const last = await lastStart(dataDir)
  console.log('last start', last)
  await rm(dataDir, { recursive: true, force: true })
  return rounds.every(({ left }) => left === '') && last.status === 200 && last.left.length === 0
}
