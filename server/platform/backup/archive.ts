import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { pipeline as finished } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress, type ZstdCompress } from 'node:zlib'
import { z } from 'zod'
import { Refusal } from '#server/platform/errors.ts'
import type { Passphrase } from './sealed.ts'

/*
 * The archive of a backup: a sealed file (`sealed.ts`) of zstd-compressed records. A record is a kind byte, its length
 * (4 bytes, big-endian) and its content: "J" is an entry in JSON, "D" a piece of the preceding table's rows in COPY's
 * text format.
 */

const table = z.object({
  /** The quoted name with its schema. */
  name: z.string(),
  columns: z.array(z.string()),
  partition: z.object({ of: z.string(), bound: z.string() }).optional(),
})
export type ArchivedTable = z.output<typeof table>

const entrySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('backup'),
    format: z.literal(1),
    madeAt: z.iso.datetime(),
    server: z.string(),
    migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
    /** Tables whose rows are not in the archive, with the reason. */
    leftOut: z.record(z.string(), z.string()),
    /** The folder beside the archive with copies of the files; null if the files stay in their bucket. */
    filesIn: z.string().nullable(),
  }),
  /** The pieces of the table's rows follow, then their number and hash. */
  z.object({ kind: z.literal('table'), table }),
  z.object({ kind: z.literal('rows'), table, rows: z.number(), sha256: z.string() }),
  z.object({ kind: z.literal('sequence'), sequence: z.string(), value: z.string(), isCalled: z.boolean() }),
  z.object({ kind: z.literal('file'), key: z.string(), bytes: z.number() }),
  z.object({ kind: z.literal('end'), tables: z.number(), rows: z.number(), files: z.number() }),
])
type Entry = z.output<typeof entrySchema>
export type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>
/** An entry, or a piece of the preceding table's rows. */
export type ArchiveItem = Entry | Buffer

const NAME = 'the archive'
const ENTRY = 0x4a
const ROWS = 0x44
const HEAD_BYTES = 5
// A piece is what one read of the connection returned, an entry a few hundred bytes.
const MAX_RECORD = 64 * 1024 * 1024
// Batched, because every write is a round trip to another thread.
const WRITTEN_AT_ONCE = 128 * 1024

/** Writes an archive as a stream. After any failure, the file cannot be read to its end. */
export class ArchiveWriter {
  readonly #zstd: ZstdCompress = createZstdCompress()
  readonly #written: Promise<void>
  #waiting: Buffer[] = []
  #length = 0

  private constructor(written: (zstd: ZstdCompress) => Promise<void>) {
    this.#written = written(this.#zstd)
    this.#written.catch(() => undefined)
  }

  static async create(path: string, passphrase: Passphrase): Promise<ArchiveWriter> {
    const sealing = await passphrase.sealing(NAME)
    // The content is on the disk before the file gets its name.
    return new ArchiveWriter((zstd) =>
      finished(zstd, sealing, createWriteStream(path, { flush: true, mode: 0o600 })),
    )
  }

  async write(item: ArchiveItem): Promise<void> {
    const isRows = Buffer.isBuffer(item)
    const content = isRows ? item : Buffer.from(JSON.stringify(item))
    const head = Buffer.alloc(HEAD_BYTES)
    head[0] = isRows ? ROWS : ENTRY
    head.writeUInt32BE(content.length, 1)
    this.#waiting.push(head, content)
    this.#length += HEAD_BYTES + content.length
    if (this.#length >= WRITTEN_AT_ONCE) await this.#flush()
  }

  async close(): Promise<void> {
    await this.#flush()
    this.#zstd.end()
    await this.#written
  }

  async abort(): Promise<void> {
    this.#zstd.destroy()
    await this.#written.catch(() => undefined)
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#length = 0
    if (bytes.length > 0 && !this.#zstd.write(bytes)) {
      // If a full disk ends the pipeline, "drain" never comes.
      await Promise.race([once(this.#zstd, 'drain'), this.#written])
    }
  }
}

/**
 * Reads an archive and verifies it: every byte against the tags of its seal, every table's rows against their hash, and
 * everything against the totals at the end.
 * @throws Refusal if anything differs
 */
export async function* readArchive(path: string, passphrase: Passphrase): AsyncGenerator<ArchiveItem> {
  const found = { kind: 'end', tables: 0, rows: 0, files: 0 }
  let end: EntryOf<'end'> | undefined
  let hash = createHash('sha256')
  for await (const item of readItems(path, passphrase)) {
    if (Buffer.isBuffer(item)) hash.update(item)
    else if (item.kind === 'table') hash = createHash('sha256')
    else if (item.kind === 'file') found.files += 1
    else if (item.kind === 'end') end = item
    else if (item.kind === 'rows') {
      found.tables += 1
      found.rows += item.rows
      if (hash.digest('hex') !== item.sha256) {
        throw new Refusal(`The rows of ${item.table.name} differ from those that were backed up.`)
      }
    }
    yield item
  }
  if (JSON.stringify(end) !== JSON.stringify(found)) {
    throw new Refusal('The archive is incomplete: its totals do not match what was backed up.')
  }
}

async function* readItems(path: string, passphrase: Passphrase): AsyncGenerator<ArchiveItem> {
  const records = createZstdDecompress()
  // The reader below gets the error.
  pipeline(createReadStream(path), passphrase.opening(NAME), records, () => undefined)
  let rest: Buffer = Buffer.alloc(0)
  for await (const bytes of records as AsyncIterable<Buffer>) {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    let at = 0
    for (let end = endOf(all, at); end <= all.length; end = endOf(all, at)) {
      const content = all.subarray(at + HEAD_BYTES, end)
      yield all[at] === ROWS ? content : entrySchema.parse(JSON.parse(content.toString()))
      at = end
    }
    rest = all.subarray(at)
  }
}

/** The end of the record that begins at `at`; infinite if its length has not arrived yet. */
function endOf(bytes: Buffer, at: number): number {
  if (bytes.length - at < HEAD_BYTES) return Number.POSITIVE_INFINITY
  const length = bytes.readUInt32BE(at + 1)
  const isKnown = bytes[at] === ROWS || bytes[at] === ENTRY
  if (!isKnown || length > MAX_RECORD) throw new Refusal('The archive contains a record of an unknown kind.')
  return at + HEAD_BYTES + length
}
