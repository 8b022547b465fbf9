import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type CuttingProxy = {
  readonly address: string
  /** Connections that were cut so far. */
  cuts(): number
  /** Breaks all connections now, whatever is on them. */
  cutAll(): void
  close(): Promise<void>
}

export type CuttingProxyOptions = {
  /** One after the other, a connection each. */
  readonly upstreams: readonly string[]
  /** After how many bytes of the answer the next connection is cut; undefined to let it live. */
  readonly nextCut: () => number | undefined
}

/** What a bad line does: connections break in the middle of whatever is on them, at any byte. */
export async function openCuttingProxy({ upstreams, nextCut }: CuttingProxyOptions): Promise<CuttingProxy> {
  let cuts = 0
  let connections = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const { hostname, port } = new URL(upstreams[connections % upstreams.length] ?? '')
    connections += 1
    const upstream = connect(Number(port), hostname)
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        open.delete(socket)
        end()
      })
    }
    client.pipe(upstream)
    let left = nextCut()
    upstream.on('data', (bytes: Buffer) => {
      if (left === undefined || bytes.length < left) {
        if (left !== undefined) left -= bytes.length
        client.write(bytes)
        return
      }
      cuts += 1
      upstream.destroy()
      // The last bytes are on their way before the line breaks.
      client.end(bytes.subarray(0, left))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    cuts: () => cuts,
    cutAll: () => {
      // Both ends of a connection are in it.
      cuts += Math.ceil(open.size / 2)
      for (const socket of open) socket.destroy()
    },
    close: async () => {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
