import { createHash, randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

/** Bytes that lie on the disk for as long as their call runs. */
export type Spool = {
  readonly bytes: number
  /** In hex. */
  readonly sha256: string
  /** The bytes from the first one on, however often; every reader has a place of its own. */
  open(): Readable
  /** For readers that jump about in it. */
  blob(): Promise<Blob>
  close(): Promise<void>
}

// Windows cannot delete a file that is open; elsewhere the name goes at once, and a killed process leaves nothing.
const KEEPS_NAME = process.platform === 'win32'
// No call lasts as long as this, so an older file belongs to a process that was killed.
const LEFT_OVER_MS = 60 * 60 * 1000
const READ_BYTES = 256 * 1024

/**
 * Writes a stream to a file in `dir`, hashing it on the way. Where the stream fails, so does this, and nothing is left.
 * @throws what the stream throws, or the error of the file system
 */
export async function spoolUpload(dir: string, source: AsyncIterable<Buffer>): Promise<Spool> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const path = join(dir, randomUUID())
  const file = await open(path, 'wx+', 0o600)
  const close = async () => {
    await file.close()
    if (KEEPS_NAME) await rm(path, { force: true })
  }
  try {
    if (!KEEPS_NAME) await rm(path)
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of source) {
      hash.update(chunk)
      bytes += chunk.length
      await file.appendFile(chunk)
    }
    const open = () => Readable.from(readFromStart(file), { objectMode: false, highWaterMark: READ_BYTES })
    // Without its name the file is still there under its number.
    const blob = () => openAsBlob(KEEPS_NAME ? path : `/dev/fd/${file.fd}`)
    return { bytes, sha256: hash.digest('hex'), open, blob, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Through the handle and not its number: once it is closed a late reader fails instead of reading another's file. */
async function* readFromStart(file: FileHandle): AsyncGenerator<Buffer> {
  let position = 0
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Deletes what a killed process left: everything on Windows, elsewhere what was killed between opening and deleting. */
export async function sweepUploads(dir: string): Promise<void> {
  const names = await readdir(dir).catch(() => [])
  for (const name of names) {
    const path = join(dir, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > LEFT_OVER_MS) await rm(path, { force: true })
  }
}
