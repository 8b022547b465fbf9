import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './attack.ts'
import { inWords, whileProbed } from './probe.ts'

/* Clients that ask for much and read nothing. Before connections were bounded: 1,646 MB for 150 sockets, 2.7 GB for 400. */

const AHEAD = 8
const MOST_MB = 400
const MOST_P99_MS = 250
// Longer than any deadline for what waits as a whole.
const WATCHED_MS = 45_000

const request = (host: string, path: string) => `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`

function open(url: string, path: string): Socket {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port) || 80, hostname)
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(request(host, path).repeat(AHEAD))
  return socket
}

function crowd(sockets: number, path: string): Attack {
  return {
    name: `${sockets} sockets ask ${AHEAD} times for ${path} and never read`,
    async run({ url }) {
      let open_: Socket[] = []
      let dropped = 0
      const noticed = await whileProbed(url, '/readyz', async () => {
        open_ = Array.from({ length: sockets }, () => open(url, path))
        await sleep(WATCHED_MS)
        dropped = await countClosed(open_)
      })
      for (const socket of open_) socket.destroy()
      const isSmall = noticed.peakMb === undefined || noticed.peakMb < MOST_MB
      return {
        held: dropped === sockets && isSmall && noticed.failures === 0 && noticed.p99Ms < MOST_P99_MS,
        figure: `${dropped} dropped after ${WATCHED_MS / 1000} s; /readyz ${inWords(noticed)}`,
      }
    },
  }
}

/** A socket that nobody reads learns that it was closed only by reading on. */
async function countClosed(sockets: readonly Socket[]): Promise<number> {
  let closed = 0
  for (const socket of sockets) {
    if (socket.destroyed) closed += 1
    else socket.once('close', () => (closed += 1)).resume()
  }
  for (let waited = 0; waited < 20 && closed < sockets.length; waited += 1) await sleep(1_000)
  return closed
}

/** One that reads slowly, but reads, must get everything. */
const slowDownload: Attack = {
  name: 'a slow reader gets a whole file, at 40 kB a second',
  async run({ url }) {
    const path = '/api/docs/static/swagger-ui-bundle.js'
    const { hostname, port, host } = new URL(url)
    const whole = (await (await fetch(url + path)).arrayBuffer()).byteLength
    const socket = connect(Number(port) || 80, hostname)
    let got = 0
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.on('data', (data: Buffer) => {
      got += data.length
      socket.pause()
      setTimeout(() => socket.resume(), (data.length / 40_000) * 1000)
    })
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    await Promise.race([closed, sleep(120_000, undefined, { ref: false })])
    socket.destroy()
    return { held: got > whole, figure: `${got} of ${whole} bytes and a head` }
  },
}

export const slowReaders: Attack = crowd(150, '/api/openapi.json')

export const slowReaderAttacks: readonly Attack[] = [
  slowReaders,
  crowd(400, '/api/openapi.json'),
  crowd(150, '/api/carmodels'),
  slowDownload,
]
