import { createServer } from 'node:http'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/platform/log.ts'
import type { Service } from '#server/platform/processes/run-service.ts'

export async function startApi(config: Config, _log: Log): Promise<Service> {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/healthz' || request.url === '/readyz' ? 200 : 404
    response.end()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.port, config.host, resolve)
  })
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
}
