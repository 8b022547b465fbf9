import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readlink, rm, utimes, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { EndpointTable, ErrorReply } from '#contract/endpoint.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { catchErrors } from '#server/platform/http/error-boundary.ts'
import { openHttp } from '#server/platform/http/fastify-app.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { mount } from '#server/platform/http/mount.ts'
import { describeApi } from '#server/platform/http/openapi.ts'
import { sweepUploads } from '#server/platform/http/uploads.ts'
import { openLog } from '#server/platform/log.ts'
import { ApiClient } from '#tests/support/api-client.ts'
import { createTestDatabase } from '#tests/support/test-database.ts'

/*
 * An endpoint of its own, to test the adapter’s rules and not those of an import.
 */
const MB = 1024 * 1024
const table = {
  sendFile: {
    method: 'POST',
    path: '/send-file',
    summary: 'Takes a file',
    access: 'anyone',
    limit: 'read',
    query: z.object({ refuse: z.string().optional(), wait: z.string().optional() }),
    body: z.object({ mapping: z.string().optional(), mode: z.string().optional() }),
    upload: 'file',
    reply: z.object({
      body: z.record(z.string(), z.unknown()),
      file: z
        .object({ filename: z.string(), mimeType: z.string(), bytes: z.number(), sha256: z.string() })
        .optional(),
      read: z.array(z.string()),
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
  },
} as const satisfies EndpointTable

const dir = await mkdtemp(join(tmpdir(), 'partharbor-uploads-'))
afterAll(() => rm(dir, { recursive: true, force: true }))
const testDatabase = await createTestDatabase()
afterAll(() => testDatabase.drop())
const log = openLog({ role: 'test', level: 'silent' })
const database = openDatabase(testDatabase.url, { max: 2, applicationName: 'uploads under test' })
afterAll(() => database.close())

/** Calls that wait inside their handler until the test releases them. */
let letGo = Promise.withResolvers<void>()

const handlers: Handlers<typeof table> = {
  sendFile: async ({ query, body, upload }) => {
    if (query.refuse) throw new AppError('NOT_FOUND', 'Not yours.')
    const file = await upload()
    if (query.wait) await letGo.promise
    const sent = await body()
    if (sent.mode === 'fail') throw new AppError('VALIDATION_FAILED', 'As the test wants it.')
    if (!file) return { body: sent, read: [] }
    const { open, ...known } = file
    const contents = await Promise.all([buffer(open()), buffer(open())])
    return { body: sent, file: known, read: contents.map(sha256) }
  },
}

const http = await openHttp({ log, trustedProxies: [], bodyTimeoutMs: 1_000 })
await describeApi(http, { title: 'Uploads', version: '1' })
catchErrors(http, { methodsAt: () => [], web: undefined })
mount(http, table, handlers, {
  db: database.db,
  authenticate: async () => undefined,
  uploads: { dir, mostBytes: 2 * MB, stalledAfterMs: 300 },
})
await http.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => http.close())
const api = new ApiClient({ http })

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const content = Buffer.from('partname,price\n'.repeat(20_000))
const csv = (bytes: Buffer = content) => new File([new Uint8Array(bytes)], 'parts.csv', { type: 'text/csv' })

function form(...entries: [string, string | File][]): FormData {
  const data = new FormData()
  for (const [name, value] of entries) data.append(name, value)
  return data
}

type Told = {
  body: object
  file?: { filename: string; mimeType: string; bytes: number; sha256: string }
  read: string[]
}

/** What this process still has open in the folder; undefined where the system does not report it. */
async function openFiles(): Promise<string[] | undefined> {
  const names = await readdir('/proc/self/fd').catch(() => undefined)
  const targets = await Promise.all((names ?? []).map((n) => readlink(`/proc/self/fd/${n}`).catch(() => '')))
  return names && targets.filter((target) => target.startsWith(dir))
}

async function expectNothingLeft(): Promise<void> {
  await expect.poll(async () => (await openFiles()) ?? []).toEqual([])
  expect(await readdir(dir)).toEqual([])
}

describe('a file of any size', () => {
  test.each([
    ['first', form(['file', csv()], ['mapping', '{}'], ['mode', 'add'])],
    ['last', form(['mapping', '{}'], ['mode', 'add'], ['file', csv()])],
  ])('arrives complete when it is the %s part, and can be read repeatedly', async (_name, data) => {
    const { status, body } = await api.post<Told>('/send-file', data)
    expect(status).toBe(200)
    expect(body).toEqual({
      body: { mapping: '{}', mode: 'add' },
      file: { filename: 'parts.csv', mimeType: 'text/csv', bytes: content.length, sha256: sha256(content) },
      read: [sha256(content), sha256(content)],
    })
    await expectNothingLeft()
  })

  test('an empty file is a file; an empty file input is not', async () => {
    const empty = await api.post<Told>('/send-file', form(['file', csv(Buffer.alloc(0))]))
    expect(empty.body.file?.bytes).toBe(0)
    const none = await api.post<Told>('/send-file', form(['mode', 'add'], ['file', new File([], '')]))
    expect(none.body).toEqual({ body: { mode: 'add' }, read: [] })
    expect((await api.post<Told>('/send-file', form(['mode', 'add']))).body.file).toBeUndefined()
  })

  test('a failing handler leaves nothing behind', async () => {
    const answer = await api.post<ErrorReply>('/send-file', form(['file', csv()], ['mode', 'fail']))
    expect(answer.body.code).toBe('VALIDATION_FAILED')
    await expectNothingLeft()
  })

  test('a handler that refuses the caller does not read the file', async () => {
    const answer = await api.post<ErrorReply>('/send-file?refuse=1', 'not a form at all', {
      'content-type': 'multipart/form-data; boundary=x',
    })
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND'])
  })
})

describe('an invalid upload is refused in words', () => {
  const big = Buffer.alloc(2 * MB + 1, 'x')

  test.each([
    ['a JSON body', { mapping: '{}' }, 415, 'WRONG_TYPE', 'form data'],
    ['a file too large', form(['file', csv(big)], ['mode', 'add']), 413, 'TOO_LARGE', 'larger than 2 MB'],
    ['a field too large', form(['mapping', 'x'.repeat(MB + 1)]), 413, 'TOO_LARGE', 'longer than 1 MB'],
    ['an unexpected name', form(['picture', csv()]), 422, 'VALIDATION_FAILED', '“picture”'],
    ['two files', form(['file', csv()], ['file', csv()]), 422, 'VALIDATION_FAILED', 'one file'],
    [
      'too many fields',
      form(...Array.from({ length: 40 }, (_, n): [string, string] => [`f${n}`, ''])),
      400,
      'MALFORMED',
      'too many parts',
    ],
    ['a NUL in a field', form(['file', csv()], ['mode', 'a\0b']), 400, 'MALFORMED', 'characters'],
  ])('%s', async (...[_name, body, status, code, words]) => {
    const answer = await api.post<ErrorReply>('/send-file', body)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(answer.body.error).toContain(words)
    await expectNothingLeft()
  })

  test('a form that is cut off', async () => {
    const answer = await api.post<ErrorReply>('/send-file', openForm, { 'content-type': formType })
    expect([answer.status, answer.body.code]).toEqual([400, 'MALFORMED'])
    await expectNothingLeft()
  })

  test('a length that is too large is refused before the body is sent', async () => {
    const socket = await begin(`content-length: ${5_000 * MB}`)
    expect(await firstLine(socket)).toContain('413')
    socket.destroy()
  })
})

const formType = 'multipart/form-data; boundary=x'
const openForm =
  '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\npartname'

async function begin(
  framing = 'content-length: 1000000',
  path = '/send-file',
  type = formType,
): Promise<Socket> {
  const { port } = http.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(
    `POST /api${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\n${framing}\r\n\r\n${openForm}`,
  )
  return socket
}

async function firstLine(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer]
  return data.toString().split('\r\n')[0] ?? ''
}

const canTell = (await openFiles()) !== undefined

describe.runIf(canTell)('clients that disconnect', () => {
  test('in the middle of a file leave no descriptor, no file and no slot', async () => {
    // More than the limit: if a slot leaked, the last ones would have to wait.
    for (let round = 0; round < 4; round++) {
      const sockets = await Promise.all(Array.from({ length: 6 }, () => begin()))
      await expect.poll(async () => (await openFiles())?.length).toBe(6)
      for (const socket of sockets) socket.destroy()
      await expectNothingLeft()
    }
    expect((await api.post('/send-file', form(['file', csv()]))).status).toBe(200)
  })

  test.each([
    ['a file', '/send-file'],
    ['a file that was refused', '/send-file?refuse=1'],
    ['a body for an unknown call', '/no-such-call'],
  ])('a client that trickles %s is dropped', async (_name, path) => {
    const socket = await begin(undefined, path)
    const trickle = setInterval(() => socket.write('x'), 20)
    await new Promise((resolve) => socket.once('close', resolve))
    clearInterval(trickle)
    await expectNothingLeft()
  })

  test('a file may take longer than other bodies as long as data arrives', async () => {
    const socket = await begin('content-length: 2000000')
    const stream = setInterval(() => socket.write(Buffer.alloc(15_000, 'x')), 20)
    await sleep(1_500)
    expect((await openFiles())?.length).toBe(1)
    clearInterval(stream)
    socket.destroy()
    await expectNothingLeft()
  })

  test.each([
    ['a file', 413, formType],
    ['JSON', 413, 'application/json'],
    ['an unsupported type', 415, 'text/plain'],
  ])('a client that keeps sending after %s is refused gets the reply', async (_name, status, type) => {
    const socket = await begin(`content-length: ${19 * MB}`, '/send-file', type)
    const answered = firstLine(socket)
    const chunk = Buffer.alloc(MB, 'x')
    // More than the socket buffers, and sent quickly enough that even a busy machine does not count the caller as slow.
    for (let sent = 0; sent < 8; sent++) {
      expect(socket.destroyed).toBe(false)
      if (!socket.write(chunk)) await once(socket, 'drain')
    }
    expect(await answered).toContain(String(status))
    socket.destroy()
    await expectNothingLeft()
  })
})

test('one caller can have six uploads at once, and the next learns when to retry', async () => {
  letGo = Promise.withResolvers()
  const six = Array.from({ length: 6 }, () => api.post('/send-file?wait=1', form(['file', csv()])))
  await expect.poll(async () => (await readdir(dir)).length === 0 && (await openFiles())?.length).toBe(6)
  const seventh = await api.post<ErrorReply>('/send-file', form(['file', csv()]))
  expect([seventh.status, seventh.body.code, seventh.headers['retry-after']]).toEqual([503, 'BUSY', '2'])
  const other = await api.as({ ip: '203.0.113.5' }).post('/send-file', form(['file', csv()]))
  expect(other.status).toBe(200)
  letGo.resolve()
  expect((await Promise.all(six)).map(({ status }) => status)).toEqual(Array(6).fill(200))
  await expectNothingLeft()
})

test('a full disk is reported in words, leaves nothing, and accepts files again once there is room', async ({
  skip,
}) => {
  const run = promisify(execFile)
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'partharbor-test', dir]).then(
    () => true,
    () => false,
  )
  if (!mounted) skip('mounting a small disk needs root on Linux')
  try {
    const big = form(['file', csv(Buffer.alloc(1.5 * MB, 'x'))])
    for (let round = 0; round < 8; round++) {
      const answer = await api.post<ErrorReply>('/send-file', big)
      expect([answer.status, answer.body.code]).toEqual([507, 'STORAGE_FULL'])
    }
    await expectNothingLeft()
    expect((await api.post('/send-file', form(['file', csv()]))).status).toBe(200)
  } finally {
    await run('umount', [dir])
  }
})

test('the sweep removes what a killed process left and nothing that is in use', async () => {
  await writeFile(join(dir, 'left'), 'x')
  await writeFile(join(dir, 'young'), 'x')
  const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000)
  await utimes(join(dir, 'left'), twoHoursAgo, twoHoursAgo)
  await sweepUploads(dir)
  expect(await readdir(dir)).toEqual(['young'])
  await rm(join(dir, 'young'))
  await sweepUploads(join(dir, 'never made'))
})

test('the API document lists the file among the fields', async () => {
  const { paths } = http.swagger()
  expect(paths?.['/api/send-file']).toMatchObject({
    post: {
      requestBody: {
        content: {
          'multipart/form-data': {
            schema: {
              properties: { file: { type: 'string', format: 'binary' }, mapping: { type: 'string' } },
            },
          },
        },
      },
    },
  })
})
