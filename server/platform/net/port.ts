import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'
import { Refusal } from '#server/platform/errors.ts'

export type HeldPort = { readonly port: number; release(): Promise<void> }

/**
 * Reserves a port for a server that starts later: the given one, or a free one for 0. A port in use fails now instead
 * of after a minute of starting everything else, and no other program can take it meanwhile. Closes incoming
 * connections until then.
 */
export async function holdPort(port: number, host: string): Promise<HeldPort> {
  const server = await (port === 0 ? listenSomewhere(host) : listen(port, host)).catch((error: unknown) => {
    throw new Refusal(
      `${reasonFor(error, port, host)} Choose another, for example PORT=${port === 3001 ? 3002 : 3001}.`,
      {
        cause: error,
      },
    )
  })
  server.on('connection', (socket) => socket.destroy())
  return { port: portOf(server) ?? port, release: () => close(server) }
}

/** A port that is free now. Another program may still take it, so the caller must retry. */
export async function freePort(host: string): Promise<number> {
  const server = await listenSomewhere(host)
  const port = portOf(server)
  await close(server)
  if (port === undefined) throw new Error(`no port of ${host} was assigned`)
  return port
}

// Below 32,768, where Linux begins to give ports to outgoing connections: one of those could take it before its server does.
const LOWEST = 15_000
const HIGHEST = 32_000
const MOST_TRIES = 100

async function listenSomewhere(host: string): Promise<Server> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await listen(randomInt(LOWEST, HIGHEST), host)
    } catch (error) {
      if (tries >= MOST_TRIES || !isTaken(error)) throw error
    }
  }
}

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

function listen(port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => resolve(server))
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}

function portOf(server: Server): number | undefined {
  const address = server.address()
  return address && typeof address === 'object' ? address.port : undefined
}

function reasonFor(error: unknown, port: number, host: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `Port ${port} is already in use by another program.`
  if (code === 'EACCES') return `This user is not allowed to open port ${port}.`
  if (code === 'EADDRNOTAVAIL') return `HOST ${host} is not an address of this machine.`
  return `Port ${port} on ${host} cannot be opened (${String(code ?? error)}).`
}
