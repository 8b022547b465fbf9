import type { Config } from '#server/config.ts'
import type { Log } from '#server/platform/log.ts'
import { runUntilStopped } from '#server/platform/processes/run-until-stopped.ts'
import { startWorker } from '#server/worker.ts'
import { requireCurrentSchema } from './database-of.ts'

/** Runs jobs until stopped. */
export async function worker(config: Config, log: Log): Promise<never> {
  const begin = async () => {
    await requireCurrentSchema(config)
    return startWorker(config, log)
  }
  return runUntilStopped(begin, log)
}
