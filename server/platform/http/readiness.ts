import type { Log } from '#server/platform/log.ts'

/** Resolves when the part is well; throws with a sentence when it is not. */
export type ReadinessCheck = () => Promise<void>

// A check that takes longer than this is as good as failed: the one who asks polls every few seconds.
const CHECK_TIMEOUT_MS = 3_000

/**
 * Runs all checks at once and answers one word for each: why one failed is in the log, not on a public page. It is
 * logged when a check begins to fail and when it is well again, not each time that somebody asks meanwhile.
 */
export function openReadiness(checks: Record<string, ReadinessCheck>, log: Log) {
  const failing = new Set<string>()
  const stateOf = async (name: string, check: ReadinessCheck): Promise<'ok' | 'failing'> => {
    try {
      await inTime(check())
      if (failing.delete(name)) log.info({ check: name }, 'readiness check is well again')
      return 'ok'
    } catch (error) {
      if (!failing.has(name)) log.warn({ check: name, reason: reasonOf(error) }, 'readiness check fails')
      failing.add(name)
      return 'failing'
    }
  }
  return async (): Promise<Record<string, 'ok' | 'failing'>> => {
    const states = Object.entries(checks).map(async ([name, check]) => [name, await stateOf(name, check)])
    return Object.fromEntries(await Promise.all(states))
  }
}

function inTime(work: Promise<void>): Promise<void> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('timed out')), CHECK_TIMEOUT_MS).unref()
  })
  return Promise.race([work, late])
}

/** Sentences alone, the cause's too: errors of drivers carry whole clients, addresses and passwords included. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const parts = error instanceof AggregateError ? error.errors : []
  const causes = [...parts, ...(error.cause === undefined ? [] : [error.cause])].map(reasonOf)
  return [error.message, ...causes].filter((text) => text !== '').join(': ')
}
