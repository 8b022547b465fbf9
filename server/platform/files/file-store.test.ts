import { mkdtemp, open, rm, utimes } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '#server/platform/errors.ts'
import { startS3Server } from '#tests/support/s3-server.ts'
import {
  checkFileKey,
  type FileStore,
  isFileKey,
  isMissingFile,
  removeUnused,
  type StoredFile,
  storageFailure,
  type UnusedFiles,
} from './file-store.ts'
import { openFileStore } from './open-file-store.ts'

describe('a key of the file store', () => {
  test.each([
    'a',
    'health/check',
    'images/3f/3fa1b2-440.webp',
    'ecomm/rust-belt-auto/2026-03-01/parts-3f2a.json',
    'with_underscore/and-dash',
    'x'.repeat(512),
  ])('may be %s', (key) => {
    expect(checkFileKey(key)).toBe(key)
  })

  test.each([
    '',
    '/',
    '/etc/passwd',
    'images/',
    'images//a',
    '.',
    '..',
    'images/../../etc/passwd',
    'images/..',
    'a..b',
    '.parts/a',
    'images/.hidden',
    'images/a.',
    'Images/A.webp',
    'images\\a',
    'images/a b',
    'images/a\0.webp',
    'images/%2e%2e/a',
    'images/ａ',
    'images/a\n',
    'c:/windows',
    'x'.repeat(513),
  ])('may not be %j', (key) => {
    expect(isFileKey(key)).toBe(false)
    expect(() => checkFileKey(key)).toThrow(RangeError)
  })
})

// Disks and servers, possibly on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const bytes = (text: string) => new TextEncoder().encode(text)
const contentOf = async (stream: Readable | undefined) => stream && (await buffer(stream)).toString()
async function filesIn(files: FileStore, folder: string): Promise<StoredFile[]> {
  const found: StoredFile[] = []
  for await (const file of files.list(folder)) found.push(file)
  return found
}
const keysIn = async (files: FileStore, folder: string) =>
  (await filesIn(files, folder)).map(({ key }) => key).sort()

async function openTemporaryFolder() {
  const dir = await mkdtemp(join(tmpdir(), 'partharbor-files-'))
  return {
    settings: { kind: 'fs' as const, dir: join(dir, 'not', 'made', 'yet') },
    close: () => rm(dir, { recursive: true, force: true }),
  }
}

describe.each([
  ['a folder', openTemporaryFolder],
  ['a bucket', startS3Server],
])('a file store in %s', (_, start) => {
  let files: FileStore
  let close: () => Promise<void>

  beforeAll(async () => {
    const started = await start()
    close = started.close
    files = await openFileStore(started.settings)
  })
  afterAll(() => close())

  test('returns what was put, byte for byte', async () => {
    const every = Uint8Array.from({ length: 70_000 }, (_, n) => n % 256)
    await files.put('put/every-byte.bin', every)
    const stream = await files.get('put/every-byte.bin')
    expect(stream && new Uint8Array(await buffer(stream))).toEqual(every)
  })

  test('a second put replaces the first', async () => {
    await files.put('put/again', bytes('a first text'))
    await files.put('put/again', bytes('second'))
    expect(await contentOf(await files.get('put/again'))).toBe('second')
  })

  test('an empty file is kept as a file', async () => {
    await files.put('put/empty', new Uint8Array())
    expect(await contentOf(await files.get('put/empty'))).toBe('')
  })

  test('a missing file is undefined, not an error', async () => {
    expect(await files.get('nowhere/at-all')).toBeUndefined()
    expect(await files.find('nowhere/at-all')).toBeUndefined()
    expect(await files.exists('nowhere/at-all')).toBe(false)
    await expect(files.delete('nowhere/at-all')).resolves.toBeUndefined()
    expect(await keysIn(files, 'nowhere')).toEqual([])
  })

  test('a deleted file is gone', async () => {
    await files.put('gone/soon', bytes('x'))
    expect(await files.exists('gone/soon')).toBe(true)
    await files.delete('gone/soon')
    expect(await files.exists('gone/soon')).toBe(false)
  })

  test('knows when a file was last written, and its length', async () => {
    const before = Date.now()
    await files.put('dated/file', bytes('four'))
    const found = await files.find('dated/file')
    expect(found).toMatchObject({ key: 'dated/file', bytes: 4 })
    // S3 gives whole seconds.
    expect(found?.modifiedAt.getTime()).toBeGreaterThan(before - 2_000)
    expect(found?.modifiedAt.getTime()).toBeLessThan(Date.now() + 2_000)
  })

  test('lists a folder and its subfolders, but nothing beside it', async () => {
    for (const key of ['tree/a', 'tree/b/c', 'tree/b/d/e.webp', 'tree-house/f']) {
      await files.put(key, bytes(key))
    }
    expect(await keysIn(files, 'tree')).toEqual(['tree/a', 'tree/b/c', 'tree/b/d/e.webp'])
    const [first] = await filesIn(files, 'tree/b/d')
    expect(first).toMatchObject({ key: 'tree/b/d/e.webp', bytes: 15, modifiedAt: expect.any(Date) })
  })

  test('concurrent puts leave one complete file', async () => {
    const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(100_000))
    await Promise.all(texts.map((text) => files.put('race/one', bytes(text))))
    expect(texts).toContain(await contentOf(await files.get('race/one')))
    expect(await keysIn(files, 'race')).toEqual(['race/one'])
  })

  test.each(['../outside', '/etc/passwd', '.parts/a', 'Upper', 'a/../../b', ''])(
    'refuses the key %j in every call',
    async (key) => {
      await expect(files.put(key, bytes('x'))).rejects.toThrow(RangeError)
      await expect(files.get(key)).rejects.toThrow(RangeError)
      await expect(files.exists(key)).rejects.toThrow(RangeError)
      await expect(files.find(key)).rejects.toThrow(RangeError)
      await expect(files.delete(key)).rejects.toThrow(RangeError)
      await expect(filesIn(files, key)).rejects.toThrow(RangeError)
    },
  )

  test('a healthy store passes its check', async () => {
    await expect(files.check()).resolves.toBeUndefined()
  })
})

/** A bucket on our own server, for what s3rver cannot do. */
async function openBucketOn(listener: RequestListener, answerTimeoutMs?: number): Promise<FileStore> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return openFileStore({
    kind: 's3',
    bucket: 'partharbor',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forcePathStyle: true,
    credentials: { accessKeyId: 'anyone', secretAccessKey: 'anything' },
    ...(answerTimeoutMs && { answerTimeoutMs }),
  })
}

test('all files of a bucket are listed, even if they do not fit into one S3 response', async () => {
  // s3rver cannot page: it needs a cipher that Node no longer has. This server responds like S3, two files at a time.
  const pages = ['', 'after-b', 'after-d', '']
  const files = await openBucketOn((request, response) => {
    const token = new URL(request.url ?? '', 'http://s3').searchParams.get('continuation-token') ?? ''
    const page = pages.indexOf(token)
    const contents = ['ab', 'cd', 'e'][page]?.replace(
      /./g,
      '<Contents><Key>many/$&</Key><LastModified>2026-03-01T10:00:00.000Z</LastModified><Size>7</Size></Contents>',
    )
    const next = pages[page + 1] ? `<NextContinuationToken>${pages[page + 1]}</NextContinuationToken>` : ''
    response.setHeader('content-type', 'application/xml')
    response.end(`<ListBucketResult>${contents}${next}</ListBucketResult>`)
  })
  const found = await filesIn(files, 'many')
  expect(found.map(({ key }) => key)).toEqual(['many/a', 'many/b', 'many/c', 'many/d', 'many/e'])
  expect(found[0]).toEqual({ key: 'many/a', modifiedAt: new Date('2026-03-01T10:00:00Z'), bytes: 7 })
})

test('a bucket that never replies is reported as busy after the time limit', async () => {
  const files = await openBucketOn(() => undefined, 200)
  for (const call of [() => files.put('a', bytes('x')), () => files.get('a'), () => files.check()]) {
    await expect(call()).rejects.toMatchObject({ code: 'BUSY' })
  }
})

test('a bucket that stalls in the middle of a file ends the read', async () => {
  const files = await openBucketOn((_, response) => {
    response.setHeader('content-length', '1000')
    response.write('the beginning')
  }, 200)
  await expect(contentOf(await files.get('a'))).rejects.toThrow()
})

test('an unreachable bucket is reported as busy when reading, writing, and checking', async () => {
  const { settings, close } = await startS3Server()
  const files = await openFileStore(settings)
  await close()
  const calls = [
    () => files.put('a', bytes('x')),
    () => files.get('a'),
    () => files.exists('a'),
    () => files.check(),
    () => filesIn(files, 'a'),
  ]
  for (const call of calls) {
    const error: unknown = await call().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ code: 'BUSY', retryAfterSeconds: 5 })
  }
})

const DAY = 86_400_000
const dir = await mkdtemp(join(tmpdir(), 'remove-unused-'))
afterAll(() => rm(dir, { recursive: true }))
const files = await openFileStore({ kind: 'fs', dir })

// Two files of one picture, another picture, and a file from another source; all but one are two days old.
const KEYS = ['images/a.webp', 'images/a-small.webp', 'images/b.webp', 'images/note.txt', 'images/young.webp']
beforeEach(async () => {
  const then = new Date(Date.now() - 2 * DAY)
  for (const key of KEYS) {
    await files.put(key, Buffer.from('12345'))
    if (key !== 'images/young.webp') await utimes(join(dir, key), then, then)
  }
})

const remove = (
  listUsed: UnusedFiles['listUsed'],
  { signal } = new AbortController(),
  isHeld = async () => false,
) =>
  removeUnused(files, {
    folder: 'images',
    before: new Date(Date.now() - DAY),
    nameIn: (key) => /^images\/([a-z]+)(?:-small)?\.webp$/.exec(key)?.[1],
    listUsed,
    isHeld,
    signal,
  })

async function leftKeys(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of files.list('images')) keys.push(key)
  return keys.sort()
}

test('removes old unused files and asks about each name once', async () => {
  const listUsed = vi.fn(async () => new Set(['b']))
  expect(await remove(listUsed)).toEqual({ files: 2, bytes: 10 })
  expect(await leftKeys()).toEqual(['images/b.webp', 'images/note.txt', 'images/young.webp'])
  const asked = listUsed.mock.calls.flat(2)
  expect(asked.sort()).toEqual(['a', 'b'])
})

test('a file stored again after the check is kept', async () => {
  const listUsed = async () => {
    await files.put('images/a.webp', Buffer.from('12345'))
    return new Set<string>()
  }
  expect(await remove(listUsed)).toEqual({ files: 2, bytes: 10 })
  expect(await leftKeys()).toEqual(['images/a.webp', 'images/note.txt', 'images/young.webp'])
})

test('stops when asked to, before anything is removed', async () => {
  const ending = new AbortController()
  ending.abort()
  await expect(remove(async () => new Set(), ending)).rejects.toThrow(/abort/i)
  expect(await leftKeys()).toEqual([...KEYS].sort())
})

const failure = (fields: object) => Object.assign(new Error('said by the store'), fields)
const codeOf = (error: unknown) => (error instanceof AppError ? error.code : undefined)

describe('a failure of the file store', () => {
  test.each([
    [{ code: 'ENOSPC' }, 'STORAGE_FULL'],
    [{ code: 'EDQUOT' }, 'STORAGE_FULL'],
    [{ code: 'EROFS' }, 'BUSY'],
    [{ name: 'XMinioStorageFull', $metadata: { httpStatusCode: 507 } }, 'STORAGE_FULL'],
    [{ name: 'QuotaExceeded', $metadata: { httpStatusCode: 403 } }, 'STORAGE_FULL'],
    [{ code: 'ECONNREFUSED' }, 'BUSY'],
    [{ name: 'TimeoutError' }, 'BUSY'],
    [{ name: 'SlowDown', $metadata: { httpStatusCode: 503 } }, 'BUSY'],
    [{ name: 'InternalError', $metadata: { httpStatusCode: 500 } }, 'BUSY'],
    [{ name: 'TooManyRequests', $metadata: { httpStatusCode: 429 } }, 'BUSY'],
  ])('%j is reported as %s', (fields, code) => {
    const cause = failure(fields)
    const reported = storageFailure(cause)
    expect(codeOf(reported)).toBe(code)
    expect(reported).toMatchObject({ cause })
  })

  test.each([{ code: 'EACCES' }, { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } }, {}])(
    '%j is unexpected and passed on unchanged',
    (fields) => {
      const error = failure(fields)
      expect(storageFailure(error)).toBe(error)
    },
  )

  test.skipIf(process.platform !== 'linux')('the kernel’s code for a full disk is recognized', async () => {
    const full = await open('/dev/full', 'w')
    const error = await full.writeFile('x').catch((thrown: unknown) => thrown)
    await full.close()
    expect(codeOf(storageFailure(error))).toBe('STORAGE_FULL')
  })

  test('a refused connection is recognized', async () => {
    const error = await new Promise((resolve) => connect(1, '127.0.0.1').once('error', resolve))
    expect(codeOf(storageFailure(error))).toBe('BUSY')
  })

  test.each([{ code: 'ENOENT' }, { name: 'NoSuchKey' }, { $metadata: { httpStatusCode: 404 } }])(
    '%j means the file does not exist',
    (fields) => {
      expect(isMissingFile(failure(fields))).toBe(true)
    },
  )

  test('other errors do not mean that', () => {
    expect(isMissingFile(failure({ code: 'EACCES' }))).toBe(false)
    expect(isMissingFile('ENOENT')).toBe(false)
  })
})
