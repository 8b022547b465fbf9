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
}

/** Milliseconds of half and 99% of the requests, and the length of the last reply. */
export type LoadFigures = { perSecond: number; p50: number; p99: number; failures: number; bytes: number }

type Run = { begin: number; end: number; times: number[]; failures: number; bytes: number; turn: number }

async function load(asked: LoadOrder): Promise<LoadFigures> {
  const begin = performance.now() + asked.warmupMs
  const run: Run = { begin, end: begin + asked.ms, times: [], failures: 0, bytes: 0, turn: 0 }
  await Promise.all(Array.from({ length: asked.connections }, () => askOverOne(asked, run)))
  const { times, failures, bytes } = run
  return {
    perSecond: (times.length / asked.ms) * 1_000,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    failures,
    bytes,
  }
}

/** One keep-alive connection until the time is up. */
function askOverOne({ port, paths, token }: LoadOrder, run: Run): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let asked = 0
    const ask = () => {
      asked = performance.now()
      if (asked >= run.end) {
        socket.destroy()
        resolve()
        return
      }
      const path = paths[run.turn++ % paths.length] ?? '/'
      socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`)
    }
    socket.once('connect', ask)
    socket.on('error', reject)
    readReplies(socket, (status, bytes) => {
      const answered = performance.now()
      if (status !== 200) run.failures += 1
      if (asked >= run.begin && answered <= run.end) run.times.push(answered - asked)
      run.bytes = bytes
      ask()
    })
  })
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** Reports the status and length of every reply; one is on its way at a time, and each has a content-length. */
function readReplies(socket: Socket, report: (status: number, bytes: number) => void): void {
  let head: Buffer = Buffer.alloc(0)
  let missing = 0
  let status = 0
  let length = 0
  socket.on('data', (data: Buffer) => {
    if (missing > 0) missing -= data.length
    else {
      head = head.length > 0 ? Buffer.concat([head, data]) : data
      const end = head.indexOf(HEAD_END)
      if (end < 0) return
      const text = head.toString('latin1', 0, end)
      status = Number(text.slice(9, 12))
      length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1])
      missing = length - (head.length - end - HEAD_END.length)
      head = Buffer.alloc(0)
    }
    if (missing <= 0) report(status, length)
  })
}

replyTo(load)
