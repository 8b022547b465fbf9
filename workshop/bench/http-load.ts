/*
 * A client that requests pages over a number of connections, each the next page as soon as the one before has come. It is
 * a process of its own on bare sockets: whatever it costs is taken from the server, which has the same two cores.
 */
import { connect, type Socket } from 'node:net'
import { replyTo } from './programs.ts'
import { percentile } from './report.ts'

export type LoadOrder = {
  port: number
  paths: string[]
  token: string
  connections: number
  warmupMs: number
  ms: number
  /** Only this many requests. */
  most?: number
  /** Takes brotli, as browsers do. Pages are always asked for this way: kept ones are packed already. */
  packed?: true
  /** Asks with the ETag of each page's last reply, which may be a 304. */
  revalidate?: true
}

/** Milliseconds of half, 95% and 99% of the requests, and the length of the last reply. */
export type LoadFigures = {
  perSecond: number
  p50: number
  p95: number
  p99: number
  failures: number
  bytes: number
}

type Run = {
  begin: number
  end: number
  times: number[]
  failures: number
  bytes: number
  turn: number
  etags: Map<string, string>
}

async function load(asked: LoadOrder): Promise<LoadFigures> {
  const begin = performance.now() + asked.warmupMs
  const run: Run = {
    begin,
    end: begin + asked.ms,
    times: [],
    failures: 0,
    bytes: 0,
    turn: 0,
    etags: new Map(),
  }
  await Promise.all(Array.from({ length: asked.connections }, () => askOverOne(asked, run)))
  const { times, failures, bytes } = run
  return {
    perSecond: (times.length / Math.min(asked.ms, performance.now() - begin)) * 1_000,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    p99: percentile(times, 0.99),
    failures,
    bytes,
  }
}

/** One keep-alive connection until the time is up. */
function askOverOne(order: LoadOrder, run: Run): Promise<void> {
  const { port, paths, most } = order
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let asked = 0
    let path = ''
    const ask = () => {
      asked = performance.now()
      if (asked >= run.end || run.turn === most) {
        socket.destroy()
        resolve()
        return
      }
      path = paths[run.turn++ % paths.length] ?? '/'
      socket.write(requestOf(path, order, run))
    }
    socket.once('connect', ask)
    socket.on('error', reject)
    readReplies(socket, ({ status, etag, bytes }) => {
      const answered = performance.now()
      if (status !== 200 && status !== 304) run.failures += 1
      if (etag !== undefined) run.etags.set(path, etag)
      if (asked >= run.begin && answered <= run.end) run.times.push(answered - asked)
      run.bytes = bytes
      ask()
    })
  })
}

function requestOf(path: string, { token, packed, revalidate }: LoadOrder, { etags }: Run): string {
  const etag = revalidate && etags.get(path)
  const headers = [
    'host: 127.0.0.1',
    ...(packed || !path.startsWith('/api/') ? ['accept-encoding: br'] : []),
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(etag ? [`if-none-match: ${etag}`] : []),
  ]
  return `GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`
}

const HEAD_END = Buffer.from('\r\n\r\n')

type Reply = { status: number; etag: string | undefined; bytes: number }

/** Reports every reply; one is on its way at a time, and each but a 304 has a content-length. */
function readReplies(socket: Socket, report: (reply: Reply) => void): void {
  let head: Buffer = Buffer.alloc(0)
  let missing = 0
  let reply: Reply = { status: 0, etag: undefined, bytes: 0 }
  socket.on('data', (data: Buffer) => {
    if (missing > 0) missing -= data.length
    else {
      head = head.length > 0 ? Buffer.concat([head, data]) : data
      const end = head.indexOf(HEAD_END)
      if (end < 0) return
      const text = head.toString('latin1', 0, end)
      const bytes = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
      reply = { status: Number(text.slice(9, 12)), etag: /\r\netag: (.+)/i.exec(text)?.[1], bytes }
      missing = bytes - (head.length - end - HEAD_END.length)
      head = Buffer.alloc(0)
    }
    if (missing <= 0) report(reply)
  })
}

replyTo(load)
