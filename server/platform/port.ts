import { createServer } from 'node:net'
import { Refusal } from './refusal.ts'

/**
 * The port a server can listen on: the one asked for, or a free one for 0. Refuses a taken port now, with a sentence,
 * rather than after a minute of starting everything else.
 */
export async function claimPort(port: number, host: string): Promise<number> {
  try {
    return await tryPort(port, host)
  } catch (error) {
    throw new Refusal(
      `${reasonFor(error, port, host)} Choose another, for example PORT=${port === 3001 ? 3002 : 3001}.`,
      {
        cause: error,
      },
    )
  }
}

/** Free at this moment; another program may take it in the next, so the caller tries again then. */
export function freePort(host: string): Promise<number> {
  return tryPort(0, host)
}

function tryPort(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port))
    })
  })
}

function reasonFor(error: unknown, port: number, host: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `Port ${port} is already in use by another program.`
  if (code === 'EACCES') return `This user may not open port ${port}.`
  if (code === 'EADDRNOTAVAIL') return `HOST ${host} is not an address of this machine.`
  return `Port ${port} on ${host} cannot be opened (${String(code ?? error)}).`
}
