import type { Logger } from 'pino'
import { pino } from 'pino'
import { activeIds } from './tracing/tracing.ts'

export type Log = Logger

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Where a logged object could contain a credential; the value is replaced, the key stays. */
const SECRET_PATHS = ['authorization', 'cookie', 'password', 'token', 'secret', 'databaseUrl'].flatMap(
  (key) => [key, `*.${key}`, `*.*.${key}`, `*.*.*.${key}`],
)

/**
 * Logs one JSON object per line to stdout, so text from outside can never forge a second line. `role` names the process
 * (`api`, `worker`), so that lines of several processes can share one terminal or collector.
 */
export function openLog(options: { role: string; level: LogLevel }): Log {
  return pino({
    level: options.level,
    base: { role: options.role, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    // Trace ids, if the work is traced.
    mixin: activeIds,
    redact: { paths: SECRET_PATHS, censor: '[hidden]' },
  })
}
