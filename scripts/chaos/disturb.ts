import { setTimeout as sleep } from 'node:timers/promises'
import { type Installation, type InstalledProcess, signalProcess } from '#tests/support/installation.ts'
import type { Disturbance } from './seed-plan.ts'

/** Does it, and resolves when everything runs again. `onAway` hears when nothing can go on, and when it can again. */
export async function disturb(
  installation: Installation,
  disturbance: Disturbance,
  onAway: (away: boolean) => void,
): Promise<void> {
  if (disturbance.target === 'connection') return killConnection(installation, disturbance.which)
  if (disturbance.target !== 'database') {
    const chosen = installation.ofRole(disturbance.target)[disturbance.which]
    if (!chosen) throw new Error(`there is no ${disturbance.target} ${disturbance.which}`)
    return disturbance.kind === 'kill'
      ? inTurn(chosen, () => killProcess(chosen, disturbance.backAfterMs))
      : pauseProcess(chosen, disturbance.forMs)
  }
  onAway(true)
  if (disturbance.kind === 'stop') await pauseDatabase(installation, disturbance.forMs)
  else await inTurn(installation, () => killDatabase(installation, disturbance.backAfterMs))
  onAway(false)
}

const lastTurns = new WeakMap<object, Promise<void>>()

/** Two kills of the same process come one after the other: started twice at one moment, there would be two of it. */
function inTurn(victim: object, kill: () => Promise<void>): Promise<void> {
  const turn = (lastTurns.get(victim) ?? Promise.resolve()).then(kill)
  lastTurns.set(
    victim,
    turn.catch(() => undefined),
  )
  return turn
}

async function killProcess(process: InstalledProcess, backAfterMs: number): Promise<void> {
  await process.kill()
  await sleep(backAfterMs)
  await process.startUntilReady()
}

async function pauseProcess(process: InstalledProcess, forMs: number): Promise<void> {
  const { pid } = process
  signalProcess(pid, 'SIGSTOP')
  await sleep(forMs)
  // Killed and replaced in the meantime: then nobody has that number any more.
  signalProcess(pid, 'SIGCONT')
}

async function killDatabase(installation: Installation, backAfterMs: number): Promise<void> {
  const [server] = installation.databasePids()
  if (server === undefined) throw new Error('the database to kill is not running')
  signalProcess(server, 'SIGKILL')
  await sleep(backAfterMs)
  await installation.restartDatabase()
}

async function pauseDatabase(installation: Installation, forMs: number): Promise<void> {
  // The server first, so that it starts nobody new behind our back.
  const pids = installation.databasePids()
  for (const pid of pids) signalProcess(pid, 'SIGSTOP')
  await sleep(forMs)
  for (const pid of pids.toReversed()) signalProcess(pid, 'SIGCONT')
}

/** One process of the database that serves a client: the server then cuts off all the others and recovers. */
async function killConnection(installation: Installation, which: number): Promise<void> {
  const clients = installation.databaseConnections()
  const chosen = clients[Math.floor((which / 2) * clients.length)]
  if (chosen !== undefined) signalProcess(chosen, 'SIGKILL')
}
