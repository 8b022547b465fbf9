import { setTimeout as sleep } from 'node:timers/promises'
import { type Installation, type InstalledProcess, signalProcess } from '#tests/support/installation.ts'

/** A process is killed and started again `forMs` later, or paused for that long. */
export type Disturbance = {
  readonly kind: 'kill' | 'stop'
  /** A connection is one process of the database that serves a client; it is only ever killed. */
  readonly target: 'api' | 'worker' | 'database' | 'connection'
  /** Of two processes of a role. */
  readonly which: number
  readonly forMs: number
}

/** "kill worker 1". */
export function describeDisturbance({ kind, target, which }: Disturbance): string {
  return `${kind} ${target}${target === 'api' || target === 'worker' ? ` ${which + 1}` : ''}`
}

/** Does it, and resolves when everything runs again. Reports when nobody can make progress, and when they can again. */
export async function disturb(
  installation: Installation,
  { kind, target, which, forMs }: Disturbance,
  onAway: (isAway: boolean) => void = () => undefined,
): Promise<void> {
  if (target === 'connection') return killConnection(installation, which)
  if (target !== 'database') {
    const chosen = installation.ofRole(target)[which]
    if (!chosen) throw new Error(`there is no ${target} ${which}`)
    return kind === 'kill' ? killProcess(chosen, forMs) : pause([chosen.pid], forMs)
  }
  onAway(true)
  // The server comes first, so that it starts no new process behind our back.
  if (kind === 'stop') await pause(installation.databasePids(), forMs)
  else await killDatabase(installation, forMs)
  onAway(false)
}

const lastTurns = new WeakMap<object, Promise<void>>()

/** Two kills of the same process wait for each other: started twice at one moment, there would be two of it. */
function inTurn(victim: object, kill: () => Promise<void>): Promise<void> {
  const turn = (lastTurns.get(victim) ?? Promise.resolve()).then(kill)
  lastTurns.set(
    victim,
    turn.catch(() => undefined),
  )
  return turn
}

function killProcess(process: InstalledProcess, forMs: number): Promise<void> {
  return inTurn(process, async () => {
    await process.kill()
    await sleep(forMs)
    await process.startUntilReady()
  })
}

function killDatabase(installation: Installation, forMs: number): Promise<void> {
  return inTurn(installation, async () => {
    const [server] = installation.databasePids()
    if (server === undefined) throw new Error('the database to kill is not running')
    signalProcess(server, 'SIGKILL')
    await sleep(forMs)
    await installation.restartDatabase()
  })
}

async function pause(pids: readonly number[], forMs: number): Promise<void> {
  for (const pid of pids) signalProcess(pid, 'SIGSTOP')
  await sleep(forMs)
  // One that was killed and replaced in the meantime no longer has this number.
  for (const pid of pids.toReversed()) signalProcess(pid, 'SIGCONT')
}

/** The server then closes all other connections as well and recovers. */
async function killConnection(installation: Installation, which: number): Promise<void> {
  const clients = installation.databaseConnections()
  const chosen = clients[Math.floor((which / 2) * clients.length)]
  if (chosen !== undefined) signalProcess(chosen, 'SIGKILL')
}
