import { execFile, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FileStore } from './file-store.ts'
import { openFileStore } from './open-file-store.ts'

// Disks and servers, possibly on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let dir: string
let files: FileStore

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'partharbor-folder-'))
  files = await openFileStore({ kind: 'fs', dir })
})
afterEach(() => rm(dir, { recursive: true, force: true }))

test('a folder of ours is closed to other users; one of somebody else stays, with a warning', async ({
  skip,
}) => {
  if (process.platform === 'win32') return skip('NTFS has no such modes')
  const lines: { msg: string; reason: string }[] = []
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) })
  const modeOf = async (folder: string) => ((await stat(folder)).mode & 0o777).toString(8)
  const root = join(dir, 'data', 'files')
  await openFileStore({ kind: 'fs', dir: root }, log)
  expect(await modeOf(root)).toBe('700')
  await chmod(root, 0o755)
  await openFileStore({ kind: 'fs', dir: root }, log)
  expect([await modeOf(root), lines]).toEqual(['700', []])
  await chmod(root, 0o750)
  const getuid = vi.spyOn(process, 'getuid').mockReturnValue(4_242)
  await openFileStore({ kind: 'fs', dir: root }, log)
  getuid.mockRestore()
  expect(await modeOf(root)).toBe('750')
  expect(lines).toMatchObject([{ reason: 'it belongs to another user' }])
})

test('parts left by killed writes are swept once they are old; recent ones are kept', async () => {
  await files.put('kept/file', new Uint8Array(10))
  const parts = join(dir, '.parts')
  await mkdir(parts, { recursive: true })
  await writeFile(join(parts, 'old'), 'half')
  await writeFile(join(parts, 'young'), 'half')
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  await utimes(join(parts, 'old'), longAgo, longAgo)
  expect(await files.sweep()).toBe(1)
  expect(await readdir(parts)).toEqual(['young'])
  expect(await files.exists('kept/file')).toBe(true)
})

test('files that other programs put into the folder are not listed', async () => {
  await files.put('images/ours.webp', new Uint8Array(1))
  for (const name of ['.DS_Store', 'Copy of ours (1).webp', 'größe.webp']) {
    await writeFile(join(dir, 'images', name), 'x')
  }
  const keys: string[] = []
  for await (const { key } of files.list('images')) keys.push(key)
  expect(keys).toEqual(['images/ours.webp'])
})

test('sweeping an empty store is not an error', async () => {
  expect(await files.sweep()).toBe(0)
})

test('a failed write leaves no part behind', async () => {
  await files.put('taken', new Uint8Array(1))
  // There is a file where the key needs a folder.
  await expect(files.put('taken/inner', new Uint8Array(1))).rejects.toThrow()
  await mkdir(join(dir, 'folder'))
  await expect(files.put('folder', new Uint8Array(1))).rejects.toThrow()
  expect(await readdir(join(dir, '.parts'))).toEqual([])
})

const FILE_BYTES = 2 * 1024 * 1024
const WRITER = `
  import { openFileStore } from '#server/platform/files/open-file-store.ts'
  const files = await openFileStore({ kind: 'fs', dir: process.argv[1] })
  for (let n = 0; ; n += 1) {
    await files.put('kill/file-' + n % 5, new Uint8Array(${FILE_BYTES}).fill(n))
    if (n === 0) process.stdout.write('begun')
  }
`

test('kill -9 during writes leaves only complete files', async () => {
  for (const delayMs of [1, 7, 20, 45]) {
    const writer = spawn(process.execPath, ['--input-type=module', '-e', WRITER, dir], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => writer.once('exit', resolve))
    await new Promise((resolve) => writer.stdout.once('data', resolve))
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    writer.kill('SIGKILL')
    await ended
    let found = 0
    for await (const { key } of files.list('kill')) {
      found += 1
      const stream = await files.get(key)
      const content = stream ? await buffer(stream) : Buffer.alloc(0)
      expect(content.equals(Buffer.alloc(FILE_BYTES, content[0]))).toBe(true)
    }
    expect(found).toBeGreaterThan(0)
  }
})

test('a full disk is reported clearly, leaves nothing behind, and works again once there is room', async ({
  skip,
}) => {
  const run = promisify(execFile)
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'partharbor-test', dir]).then(
    () => true,
    () => false,
  )
  if (!mounted) skip('mounting a small disk needs root on Linux')
  try {
    await files.check()
    await files.put('images/first', new Uint8Array(600_000))
    await expect(files.put('images/second', new Uint8Array(600_000))).rejects.toMatchObject({
      code: 'STORAGE_FULL',
      message: 'The file store is full, so nothing was saved. Please try again later.',
    })
    expect(await files.exists('images/second')).toBe(false)
    expect(await readdir(join(dir, '.parts'))).toEqual([])
    expect(await files.exists('images/first')).toBe(true)

    const fresh = await openFileStore({ kind: 'fs', dir })
    await files.put('images/rest', new Uint8Array(360_000))
    await expect(fresh.check()).rejects.toMatchObject({ code: 'STORAGE_FULL' })

    await files.delete('images/first')
    await fresh.check()
    await files.put('images/second', new Uint8Array(500_000))
    expect(await files.exists('images/second')).toBe(true)
  } finally {
    await run('umount', [dir])
  }
})

test('a check is renewed beside the reply, and waited for once the last one is too old', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    await files.check()
    // Nothing can be written below a file.
    await rm(join(dir, 'health'), { recursive: true })
    await writeFile(join(dir, 'health'), '')
    await files.check()
    vi.advanceTimersByTime(6_000)
    await files.check()
    await vi.waitFor(() => expect(files.check()).rejects.toThrow())

    await rm(join(dir, 'health'))
    await files.check()
    await rm(join(dir, 'health'), { recursive: true })
    await writeFile(join(dir, 'health'), '')
    vi.advanceTimersByTime(21_000)
    await expect(files.check()).rejects.toThrow()
  } finally {
    vi.useRealTimers()
  }
})
