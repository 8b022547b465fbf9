import type { Config } from '#server/config.ts'
import type { Log } from '#server/platform/log.ts'
import type { Service } from '#server/platform/processes/run-until-stopped.ts'

export async function startWorker(_config: Config, _log: Log): Promise<Service> {
  const heartbeat = setInterval(() => undefined, 60_000)
  return { close: async () => clearInterval(heartbeat) }
}
