import { readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#server/platform/log.ts'
import { READY, tellSupervisor } from './supervisor-link.ts'

export type StopRequest = {
  /** Resolves once someone asks the program to stop; never rejects. */
  readonly asked: Promise<void>
  isAsked(): boolean
  /** Asks from inside: the parent vanished, a part of the program is lost. */
  ask(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * From here on the first signal asks for a graceful stop instead of ending the process, and a second one calls
 * `force`, for whoever does not want to wait (D6). Call it before anything is started that would need stopping.
 */
export function listenForStop(force: () => void): StopRequest {
  let askedAlready = false
  let resolveAsked: () => void = () => undefined
  const asked = new Promise<void>((resolve) => {
    resolveAsked = resolve
  })
  const ask = () => {
    askedAlready = true
    resolveAsked()
  }
  const onSignal = () => (askedAlready ? force() : ask())
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return { asked, isAsked: () => askedAlready, ask }
}

export type Service = { close(): Promise<void> }

// What an orchestrator grants before it kills (Kubernetes: 30 s); requests take less, jobs checkpoint.
const STOP_MS = 30_000

/**
 * The life of one process: start, tell the supervisor, serve until asked to stop, finish what runs, exit 0. `start`
 * may throw; whoever called shows it. Never returns before the end.
 */
export async function runUntilStopped(start: () => Promise<Service>, log: Log): Promise<never> {
  const stop = listenForStop(() => process.exit(1))
  const service = await Promise.race([start(), stop.asked])
  if (!service) process.exit(0)
  tellSupervisor(READY)
  log.info('ready')
  // At its end it would be too late for one that is killed; what lies there already is not written again.
  flushCompileCache()
  await stop.asked
  log.info('stopping')
  const inTime = await Promise.race([service.close().then(() => true), sleep(STOP_MS, false)])
  if (!inTime) log.error(`still busy after ${STOP_MS / 1000} s, ended anyway`)
  process.exit(inTime ? 0 : 1)
}

// Nobody waits on us any more; half a second later we begin to stop.
const POLL_MS = 500

/**
 * Resolves when the process that started this one is gone (killed with -9, it cannot tell us): the system then gives
 * us another parent. Keeps no process alive.
 */
export function whenParentIsGone(): Promise<void> {
  const parent = process.ppid
  if (wasOrphanedBefore(parent)) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(timer)
      resolve()
    }, POLL_MS)
    timer.unref()
  })
}

/** The parent died while this process was loading: process 1 took over, and it is not itself the one that starts us. */
function wasOrphanedBefore(parent: number): boolean {
  if (parent !== 1) return false
  try {
    return !/^(npm|node|yarn|pnpm|bun|sh|bash)/.test(readFileSync('/proc/1/comm', 'utf8'))
  } catch {
    return false
  }
}
