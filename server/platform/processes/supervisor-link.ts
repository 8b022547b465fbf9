import { z } from 'zod'

/** The argument that tells a process that it belongs to a supervisor and must not outlive it. */
export const SUPERVISED = '--supervised'
export const READY = 'ready'

const settingsSchema = z.record(z.string(), z.string())

/**
 * From here on this process ends with its supervisor: the channel breaks when that is killed, and the database ends
 * too, so nothing could be finished. Resolves with the settings to run with, once they are known.
 */
export function joinSupervisor(): Promise<Record<string, string>> {
  process.once('disconnect', () => process.exit(1))
  if (!process.connected) process.exit(1)
  return new Promise((resolve) => {
    process.once('message', (message) => resolve(settingsSchema.parse(message)))
  })
}

export function tellSupervisor(message: typeof READY): void {
  process.send?.(message)
}
