import { createHash, randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { storageFailure } from '#server/platform/files/file-store.ts'
import type { SpooledFile } from './handler.ts'
import { UploadSlots, uploaderOf } from './limits/upload-slots.ts'
import { refuseUnreadableText } from './readable-text.ts'

/**
 * Each file upload takes a file descriptor, disk space, and up to 16 × 1 MB of fields while its call runs. No network
 * gets more than half of the slots.
 */
const filePlaces = new UploadSlots({ all: 40, perCaller: 6, perNetwork: 20 })

/** Bytes on disk for the duration of a call. */
type Spool = {
  readonly bytes: number
  /** In hex. */
  readonly sha256: string
  /** Reads from the start; may be called more than once, and readers are independent. */
  open(): Readable
  /** For random access. */
  blob(): Promise<Blob>
  close(): Promise<void>
}

// Windows cannot delete an open file. Elsewhere the file is unlinked at once, so that a killed process leaves nothing.
const KEEPS_NAME = process.platform === 'win32'
// No call runs this long, so an older file was left by a killed process.
const LEFT_OVER_MS = 60 * 60 * 1000
const READ_BYTES = 256 * 1024

/**
 * Writes a stream to a file in `dir` and hashes it on the way. If the stream fails, the file is deleted.
 * @throws whatever the stream or the file system throws
 */
async function spoolUpload(dir: string, source: AsyncIterable<Buffer>): Promise<Spool> {
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
    // The unlinked file is still reachable through its descriptor.
    const blob = () => openAsBlob(KEEPS_NAME ? path : `/dev/fd/${file.fd}`)
    return { bytes, sha256: hash.digest('hex'), open, blob, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Uses the handle, not the descriptor number: after closing, a late reader fails instead of reading another file. */
async function* readFromStart(file: FileHandle): AsyncGenerator<Buffer> {
  let position = 0
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Deletes files left by killed processes: on Windows any, elsewhere those killed between opening and unlinking. */
export async function sweepUploads(dir: string): Promise<void> {
  const names = await readdir(dir).catch(() => [])
  for (const name of names) {
    const path = join(dir, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > LEFT_OVER_MS) await rm(path, { force: true })
  }
}

export type UploadRules = {
  /** Where files are stored while their call runs. */
  dir: string
  mostBytes: number
  /** A client that sends less than 64 KiB in this time is disconnected. */
  stalledAfterMs: number
}

export type ReadUpload = {
  body: Record<string, string>
  upload?: SpooledFile
  /** Closes the file and releases its slot; to be called when the call has ended. */
  close(): Promise<void>
}

const MB = 1024 * 1024
const GB = 1024 * MB

/** 1 GB is enough for three million rows. 64 KiB in 30 s is 17 kbit/s, slower than any yard's connection. */
export const uploadRules = (dir: string): UploadRules => ({ dir, mostBytes: GB, stalledAfterMs: 30_000 })

const MIN_BYTES = 64 * 1024
// A mapping of a thousand columns is below 100 kB.
const limits = { files: 2, fields: 16, fieldSize: MB, parts: 18 }
// For the fields and the boundaries between the parts.
const FORM_OVERHEAD = (limits.fields + 1) * MB

type Form = {
  fields: Map<string, string>
  /** The file while it arrives. */
  arriving?: Readable
  spool?: Spool
  name?: { filename: string; mimeType: string }
}

/**
 * Reads multipart/form-data with one file under `fileField` and text fields, in any order. Spools the file to disk.
 * @throws AppError WRONG_TYPE, TOO_LARGE, BUSY, STORAGE_FULL, MALFORMED, VALIDATION_FAILED
 */
export async function readUpload(
  request: FastifyRequest,
  fileField: string,
  rules: UploadRules,
): Promise<ReadUpload> {
  refuseUnfit(request, fileField, rules)
  const place = filePlaces.take(uploaderOf(request))
  const stopWatching = disconnectIfStalled(request, rules.stalledAfterMs)
  const form: Form = { fields: new Map() }
  const close = async () => {
    await form.spool?.close()
    place.leave()
  }
  try {
    await Promise.race([readParts(request, form, { fileField, rules }), place.lost])
    place.arrived()
    return readForm(form, close)
  } catch (error) {
    form.arriving?.destroy()
    await close()
    drain(request)
    throw uploadFailure(error)
  } finally {
    stopWatching()
  }
}

async function readParts(
  request: FastifyRequest,
  form: Form,
  { fileField, rules }: { fileField: string; rules: UploadRules },
): Promise<void> {
  for await (const part of request.parts({ limits: { ...limits, fileSize: rules.mostBytes } })) {
    if (part.type === 'field') addField(form, part)
    else if (part.fieldname === fileField) await addFile(form, part, rules)
    else throw new AppError('VALIDATION_FAILED', `This call accepts no file named “${part.fieldname}”.`)
  }
}

/** Rejects requests by their headers alone, before anything is written to disk. */
function refuseUnfit(request: FastifyRequest, fileField: string, rules: UploadRules): void {
  if (!request.isMultipart()) {
    const sentence = `Send the file as form data (multipart/form-data), under the name “${fileField}”.`
    throw new AppError('WRONG_TYPE', sentence)
  }
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > rules.mostBytes + FORM_OVERHEAD) throw tooLarge(rules)
}

function addField(form: Form, part: MultipartValue): void {
  const { fieldname, value, valueTruncated } = part
  if (valueTruncated) throw new AppError('TOO_LARGE', `The field ${fieldname} is longer than 1 MB.`)
  // Parts of type application/json arrive parsed.
  form.fields.set(fieldname, typeof value === 'string' ? value : JSON.stringify(value))
}

async function addFile(form: Form, part: MultipartFile, rules: UploadRules): Promise<void> {
  if (form.spool) throw new AppError('VALIDATION_FAILED', 'Send one file at a time.')
  const { file } = part
  form.arriving = file
  // Otherwise the parser would end the truncated file as if it were complete.
  file.once('limit', () => file.destroy())
  form.spool = await spoolUpload(rules.dir, file).catch((error: unknown) => {
    throw file.truncated ? tooLarge(rules) : error
  })
  if (file.truncated) throw tooLarge(rules)
  form.name = { filename: (part.filename ?? '').slice(0, 255), mimeType: part.mimetype }
}

function readForm({ fields, spool, name }: Form, close: ReadUpload['close']): ReadUpload {
  refuseUnreadableText(name?.filename)
  const body = Object.fromEntries(fields)
  // Browsers send an empty part without a filename for an empty file input.
  if (!spool || !name || (name.filename === '' && spool.bytes === 0)) return { body, close }
  const { bytes, sha256, open, blob } = spool
  return { body, upload: { ...name, bytes, sha256, open, blob }, close }
}

function tooLarge({ mostBytes }: UploadRules): AppError {
  const limit = mostBytes >= GB ? `${mostBytes / GB} GB` : `${mostBytes / MB} MB`
  return new AppError('TOO_LARGE', `The file is larger than ${limit}. Split it, or send it compressed (.gz).`)
}

/** Enforces the minimum rate of every upload. Returns a function that stops watching. */
export function disconnectIfStalled(request: FastifyRequest, stalledAfterMs: number): () => void {
  const { raw } = request
  let seen = raw.socket.bytesRead
  const timer = setInterval(() => {
    const received = raw.socket.bytesRead - seen
    seen = raw.socket.bytesRead
    if (received < MIN_BYTES && !raw.complete) raw.destroy()
  }, stalledAfterMs).unref()
  return () => clearInterval(timer)
}

/** Discards the rest of the body so that the client can read the reply; `endSlowBodies` limits the time. */
export function drain({ raw }: FastifyRequest): void {
  raw.unpipe()
  raw.resume()
}

function uploadFailure(error: unknown): unknown {
  if (error instanceof AppError) return error
  if (error instanceof Error && 'syscall' in error) return storageFailure(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const sentence = /^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(code)
    ? `The form has too many parts. Send one file and up to ${limits.fields} fields.`
    : 'The form could not be read: it is incomplete or malformed.'
  return new AppError('MALFORMED', sentence, { cause: error })
}
