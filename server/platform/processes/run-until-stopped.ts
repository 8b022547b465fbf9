import { readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#server/platform/log.ts'
import { closeTracing } from '#server/platform/tracing/tracing.ts'
import { notifySupervisor, READY } from './supervisor-link.ts'

export type StopRequest = {
  /** Resolves when the program is asked to stop; never rejects. */
  readonly asked: Promise<void>
  isAsked(): boolean
  /** Requests a stop from inside, such as when the parent or a part of the program is gone. */
  ask(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A stop of a service reaches us twice: from systemd, which signals all of its processes, and passed on by npm. */
const SAME_REQUEST_MS = 1_000

/**
 * Makes the first signal request a graceful stop instead of ending the process, and one that comes later call `force`. Call
 * it before starting anything that must be stopped.
 */
export function listenForStop(force: () => void): StopRequest {
  let askedAt: number | undefined
  let resolveAsked: () => void = () => undefined
  const asked = new Promise<void>((resolve) => {
    resolveAsked = resolve
  })
  const ask = () => {
    askedAt ??= performance.now()
    resolveAsked()
  }
  const onSignal = () => {
    if (askedAt === undefined) ask()
    else if (performance.now() - askedAt > SAME_REQUEST_MS) force()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return { asked, isAsked: () => askedAt !== undefined, ask }
}

export type Service = { close(): Promise<void> }

// Orchestrators kill after 30 s (Kubernetes); requests take less, and jobs have checkpoints.
const STOP_MS = 30_000

/**
 * Runs one process: start, report ready to the supervisor, serve until asked to stop, finish running work, exit 0. If
 * `start` throws, the caller shows the error. Never returns.
 */
export async function runUntilStopped(start: () => Promise<Service>, log: Log): Promise<never> {
  const stop = listenForStop(() => process.exit(1))
  const service = await Promise.race([start(), stop.asked])
  if (!service) process.exit(0)
  notifySupervisor(READY)
  log.info('ready')
  // Done now, because a killed process never reaches its end; existing files are not rewritten.
  flushCompileCache()
  await stop.asked
  log.info('stopping')
  const closing = service.close().then(closeTracing)
  const inTime = await Promise.race([closing.then(() => true), sleep(STOP_MS, false)])
  if (!inTime) log.error(`still busy after ${STOP_MS / 1000} s, ended anyway`)
  process.exit(inTime ? 0 : 1)
}

// How soon we notice that the parent is gone.
const POLL_MS = 500

/**
 * Resolves when the parent process is gone (after kill -9 it cannot notify us): the system then assigns another parent.
 * Does not keep the process alive.
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

/** Whether the parent died while this process was loading: process 1 took over and did not start us itself. */
function wasOrphanedBefore(parent: number): boolean {
  if (parent !== 1) return false
  try {
    return !/^(npm|node|yarn|pnpm|bun|sh|bash)/.test(readFileSync('/proc/1/comm', 'utf8'))
  } catch {
    return false
  }
}
