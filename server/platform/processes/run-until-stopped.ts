import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#server/platform/log.ts'
import { listenForStop } from './stop-request.ts'
import { READY, tellSupervisor } from './supervisor-link.ts'

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
