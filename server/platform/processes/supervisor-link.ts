import { z } from 'zod'

/** The argument of a process that belongs to a supervisor and must not outlive it. */
export const SUPERVISED = '--supervised'
export const READY = 'ready'

const settingsSchema = z.record(z.string(), z.string())

/**
 * Makes this process end with its supervisor: if that is killed, the channel breaks and the database ends too, so no
 * work could be finished. Resolves with the settings once they arrive.
 */
export function joinSupervisor(): Promise<Record<string, string>> {
  process.once('disconnect', () => process.exit(1))
  if (!process.connected) process.exit(1)
  return new Promise((resolve) => {
    process.once('message', (message) => resolve(settingsSchema.parse(message)))
  })
}

export function notifySupervisor(message: typeof READY): void {
  process.send?.(message)
}
