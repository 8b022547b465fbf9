import { readFileSync } from 'node:fs'

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
