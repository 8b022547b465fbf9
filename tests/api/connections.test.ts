import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openHttp } from '#server/platform/http/fastify-app.ts'
import type { ConnectionLimits } from '#server/platform/http/limits/connections.ts'
import { openLog } from '#server/platform/log.ts'

/* Over real sockets, with deadlines of milliseconds. The attacks at full length are in workshop/attack/slow-readers.ts. */

const MB = 1024 * 1024
// More than the system buffers for a connection.
const LARGE = Buffer.alloc(24 * MB, 'x')
const LIMITS: Partial<ConnectionLimits> = {
  perAddress: 3,
  inLine: 2,
  largeMs: 1_500,
  smallMs: 60_000,
  crowdedBytes: 200 * MB,
  crowdedMs: 200,
  sweepMs: 50,
}

let sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  sockets = []
})

async function serve({ limits = {}, proxies = [] as string[] } = {}) {
  const http = await openHttp({
    log: openLog({ role: 'test', level: 'silent' }),
    trustedProxies: proxies,
    connections: { ...LIMITS, ...limits },
  })
  afterAll(() => http.close())
  const begun: string[] = []
  const held: (() => void)[] = []
  http.get('/large', (_request, reply) => reply.type('image/png').send(LARGE))
  http.get('/stream', (_request, reply) => reply.type('image/png').send(Readable.from(pieces())))
  http.get('/held/:name', async (request) => {
    begun.push((request.params as { name: string }).name)
    await new Promise<void>((resolve) => held.push(resolve))
    return { name: begun.at(-1) }
  })
  http.get('/quick', () => ({ ok: true }))
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as { port: number }
  const open = async () => {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  return { open, begun, letGo: () => held.shift()?.(), server: http.server }
}

async function* pieces() {
  const piece = Buffer.alloc(64 * 1024, 'y')
  for (let sent = 0; sent < 24 * MB; sent += piece.length) yield piece
}

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`
const isOpen = (socket: Socket) => !socket.destroyed && !socket.readableEnded

/** Everything the socket gets until it is closed or its text contains this. */
function readUntil(socket: Socket, end: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (data: Buffer) => {
      text += data.toString('latin1')
      if (text.includes(end)) resolve(text)
    })
    socket.once('close', () => resolve(text))
  })
}

/** Whether the server closed a socket that nobody reads: what it sent before is read now. */
async function isClosed(socket: Socket): Promise<boolean> {
  if (socket.destroyed) return true
  socket.resume()
  const closed = new Promise<true>((resolve) => socket.once('close', () => resolve(true)))
  return Promise.race([closed, sleep(2_000, false)])
}

test('pipelined requests wait for the reply before them, in order', async () => {
  const { open, begun, letGo } = await serve()
  const socket = await open()
  const replies = readUntil(socket, '"third"')
  socket.write(ask('/held/first') + ask('/held/second') + ask('/held/third'))
  await expect.poll(() => begun).toEqual(['first'])
  letGo()
  await expect.poll(() => begun).toEqual(['first', 'second'])
  letGo()
  await expect.poll(() => begun).toEqual(['first', 'second', 'third'])
  letGo()
  expect([...(await replies).matchAll(/"name":"(\w+)"/g)].map(([, name]) => name)).toEqual(begun)
})

test('a client that pipelines too many is disconnected, and none of them is answered', async () => {
  const { open, begun } = await serve()
  const socket = await open()
  socket.write(['first', 'second', 'third', 'fourth'].map((name) => ask(`/held/${name}`)).join(''))
  expect(await isClosed(socket)).toBe(true)
  expect(begun).toEqual(['first'])
})

test('a client that reads nothing of a large reply is disconnected; a slow reader gets all of it', async () => {
  const { open } = await serve()
  const [idle, slow] = [await open(), await open()]
  let got = 0
  slow.on('data', (data: Buffer) => {
    got += data.length
    slow.pause()
    setTimeout(() => slow.resume(), 2)
  })
  idle.pause()
  idle.write(ask('/large'))
  slow.write(ask('/large'))
  await expect.poll(() => got, { timeout: 15_000 }).toBeGreaterThan(LARGE.length)
  expect(isOpen(slow)).toBe(true)
  await sleep(2_000)
  expect(await isClosed(idle)).toBe(true)
  expect(idle.bytesRead).toBeLessThan(LARGE.length)
})

test('a stream that is not read holds little and stays for longer, unless too much waits for all readers', async () => {
  const patient = await (await serve()).open()
  const crowded = await (await serve({ limits: { crowdedBytes: 1 } })).open()
  for (const socket of [patient, crowded]) {
    socket.pause()
    socket.write(ask('/stream'))
  }
  await sleep(1_000)
  expect(await isClosed(crowded)).toBe(true)
  patient.resume()
  await expect.poll(() => patient.bytesRead, { timeout: 15_000 }).toBeGreaterThan(24 * MB)
})

test('a connection that was opened ahead of need and not used is closed without a reply to nothing', async () => {
  const { open, server } = await serve()
  const accepted = once(server, 'connection')
  const silent = await open()
  const received: Buffer[] = []
  silent.on('data', (bytes) => received.push(bytes))
  const [socket] = (await accepted) as [Socket]
  // Node's clock for headers goes off.
  const timeout = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  server.emit('clientError', timeout, socket)
  await once(silent, 'close')
  expect(Buffer.concat(received).toString()).toBe('')

  const later = once(server, 'connection')
  const slow = await open()
  const [served] = (await later) as [Socket]
  const reply = once(slow, 'data')
  slow.write('GET /quick HTTP/1.1\r\nhost:')
  await expect.poll(() => served.bytesRead).toBeGreaterThan(0)
  server.emit('clientError', timeout, served)
  expect(String(await reply)).toMatch(/^HTTP\/1.1 400 /)
})

test('one connection too many of an address is refused while the others are in use', async () => {
  const { open } = await serve({ limits: { sweepMs: 60_000 } })
  await Promise.all([open(), open(), open()])
  const refused = await open()
  expect(await readUntil(refused, '}')).toMatch(/^HTTP\/1\.1 503 .*retry-after: 5\r\n.*"code":"BUSY"/s)
})

test('one connection too many of an address replaces an idle one', async () => {
  const { open, begun } = await serve()
  const [busy, waiting] = [await open(), await open()]
  const alsoBusy = await open()
  busy.write(ask('/held/first'))
  alsoBusy.write(ask('/held/second'))
  await expect.poll(() => begun).toHaveLength(2)
  await sleep(200)
  const admitted = await open()
  admitted.write(ask('/quick'))
  expect(await readUntil(admitted, '}')).toContain('200 OK')
  expect(await isClosed(waiting)).toBe(true)
  expect([busy, alsoBusy].map(isOpen)).toEqual([true, true])
})

test('a connection keeps its place if this process was too busy to read its next request', async () => {
  const { open } = await serve()
  const own = await Promise.all([open(), open(), open()])
  for (const socket of own) {
    socket.write(ask('/quick'))
    await once(socket, 'data')
  }
  const oneMore = open()
  // It is on its way before the requests are, so the server sees it first.
  await new Promise<void>((resolve) => process.nextTick(resolve))
  const replies = own.map((socket) => readUntil(socket, '}'))
  for (const socket of own) socket.write(ask('/quick'))
  const busyUntil = Date.now() + 300
  while (Date.now() < busyUntil);
  expect(await readUntil(await oneMore, '}')).toContain('503')
  for (const reply of replies) expect(await reply).toContain('200 OK')
})

test('a trusted proxy may open more connections and pipeline more', async () => {
  const { open, begun } = await serve({ proxies: ['127.0.0.0/8'] })
  const all = await Promise.all([1, 2, 3, 4, 5].map(() => open()))
  const last = all.at(-1)
  last?.write(ask('/quick').repeat(10) + ask('/held/last'))
  await expect.poll(() => begun).toEqual(['last'])
  expect(all.filter(isOpen)).toHaveLength(5)
})
