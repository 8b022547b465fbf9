import { startApi } from '#server/api.ts'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/platform/log.ts'
import { holdPort } from '#server/platform/net/port.ts'
import { runUntilStopped } from '#server/platform/processes/run-until-stopped.ts'
import { requireCurrentSchema } from './database-of.ts'

/** Serves the web app and the API until stopped. */
export async function api(config: Config, log: Log): Promise<never> {
  const begin = async () => {
    const held = await holdPort(config.port, config.host)
    await requireCurrentSchema(config)
    await held.release()
    return startApi(config, log)
  }
  return runUntilStopped(begin, log)
}
