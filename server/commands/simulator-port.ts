import type { Config } from '#server/config.ts'
import { httpOrigin } from '#server/platform/http-origin.ts'
import { type HeldPort, holdPort } from '#server/platform/port.ts'

// Links to test payments in an open tab should still lead somewhere after a restart.
const nextTo = (port: number) => port + 1
const LAST_PORT = 65_535

/**
 * The config with a free port for test payments, held until the simulator comes: the one after the web app's, so that it
 * stays the same, or any other where that is taken. Nothing is held without a simulator.
 */
export async function withSimulatorPort(
  config: Config,
): Promise<Pick<HeldPort, 'release'> & { config: Config }> {
  const { payments, host, port } = config
  if (payments.kind !== 'simulator') return { config, release: async () => undefined }
  const wanted = nextTo(port) <= LAST_PORT ? nextTo(port) : 0
  const held = await holdPort(wanted, host).catch(() => holdPort(0, host))
  const url = httpOrigin(host, held.port)
  return { config: { ...config, payments: { ...payments, url } }, release: held.release }
}
