import {
  createCipheriv,
  createDecipheriv,
  hkdfSync,
  randomBytes,
  type ScryptOptions,
  scrypt,
} from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { Refusal } from '#server/platform/errors.ts'

/*
 * Encrypted files. docs/backup.md describes the format, so that other programs can read one:
 *
 *   header   "PARTHARBOR SEALED 1\n", log2 N, r and p of scrypt (1 byte each), its salt (16), the file's own salt (16)
 *   chunks   65,536 bytes each, the last one shorter or empty, encrypted by AES-256-GCM, each followed by its tag (16)
 *
 * The key of a file is HKDF-SHA256 of scrypt's result (32 bytes), with the file's salt. A chunk's nonce is its number from
 * 0 (11 bytes, big-endian) and 1 for the last chunk, 0 for the others: chunks can be neither reordered nor cut off. Header
 * and name are authenticated with each chunk: files cannot be swapped.
 */

const MAGIC = Buffer.from('PARTHARBOR SEALED 1\n')
const SALT_BYTES = 16
const HEADER_BYTES = MAGIC.length + 3 + 2 * SALT_BYTES
const CHUNK_BYTES = 65_536
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'
const PURPOSE = 'partharbor sealed file'

/** OWASP's recommendation for 32 MB of memory, since a worker may have 128. It takes a third of a second; tests lower it. */
export const scryptCost = { log2N: 15, r: 8, p: 3 }
// A damaged or hostile header must not make us compute for hours.
const MAX_COST = { log2N: 20, r: 32, p: 16 }

/** The size of a sealed file for this many bytes of content. */
export const sealedBytes = (bytes: number): number =>
  HEADER_BYTES + bytes + TAG_BYTES * Math.max(1, Math.ceil(bytes / CHUNK_BYTES))

type Key = { readonly header: Buffer; readonly key: Buffer }

/** Seals and opens files with one passphrase. Every new file of one object has the same scrypt salt. */
export class Passphrase {
  readonly #text: string
  readonly #salt: Buffer
  readonly #derived = new Map<string, Promise<Buffer>>()

  constructor(text: string, salt: Buffer = randomBytes(SALT_BYTES)) {
    this.#text = text.normalize('NFC')
    this.#salt = salt
  }

  static newSalt(): Buffer {
    return randomBytes(SALT_BYTES)
  }

  /** Encrypts a stream under a name; only that name opens it. */
  async sealing(name: string): Promise<Transform> {
    return new Sealing(await this.#newKey(), name)
  }

  /** Decrypts a stream. Fails with a Refusal if it was changed, cut off or sealed with another passphrase. */
  opening(name: string): Transform {
    return new Opening((header) => this.#keyOf(header), name)
  }

  async seal(name: string, bytes: Uint8Array): Promise<Buffer> {
    const key = await this.#newKey()
    const chunks = Array.from({ length: Math.max(1, Math.ceil(bytes.length / CHUNK_BYTES)) }, (_, number) =>
      sealChunk(key, name, {
        number,
        isLast: (number + 1) * CHUNK_BYTES >= bytes.length,
        bytes: bytes.subarray(number * CHUNK_BYTES, (number + 1) * CHUNK_BYTES),
      }),
    )
    return Buffer.concat([key.header, ...chunks.flat()])
  }

  /** @throws Refusal */
  async open(name: string, bytes: Buffer): Promise<Buffer> {
    const key = await this.#keyOf(bytes.subarray(0, HEADER_BYTES))
    const pieces = new Pieces(CHUNK_BYTES + TAG_BYTES)
    const chunks = [...pieces.push(bytes.subarray(HEADER_BYTES)), pieces.rest()]
    return Buffer.concat(chunks.map((chunk) => openChunk(key, name, chunk)))
  }

  async #newKey(): Promise<Key> {
    const costs = Buffer.from([scryptCost.log2N, scryptCost.r, scryptCost.p])
    return this.#keyOf(Buffer.concat([MAGIC, costs, this.#salt, randomBytes(SALT_BYTES)]))
  }

  async #keyOf(header: Buffer): Promise<Key> {
    const saltAt = MAGIC.length + 3
    const known = header.toString('hex', MAGIC.length, saltAt + SALT_BYTES)
    const derived = this.#derived.get(known) ?? derive(this.#text, header)
    this.#derived.set(known, derived)
    const fileSalt = header.subarray(saltAt + SALT_BYTES)
    return { header, key: Buffer.from(hkdfSync('sha256', await derived, fileSalt, PURPOSE, 32)) }
  }
}

function derive(text: string, header: Buffer): Promise<Buffer> {
  const [log2N = 0, r = 0, p = 0] = header.subarray(MAGIC.length)
  const isFair = log2N <= MAX_COST.log2N && r <= MAX_COST.r && p <= MAX_COST.p
  if (!header.subarray(0, MAGIC.length).equals(MAGIC) || !isFair) {
    throw new Refusal('This is not a backup file, or its beginning is damaged.')
  }
  const salt = header.subarray(MAGIC.length + 3, MAGIC.length + 3 + SALT_BYTES)
  const options: ScryptOptions = { N: 2 ** log2N, r, p, maxmem: 256 * 2 ** log2N * r }
  return new Promise((resolve, reject) => {
    scrypt(text, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

type Chunk = { readonly number: number; readonly isLast: boolean; readonly bytes: Uint8Array }

function nonceOf({ number, isLast }: Chunk): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number), 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

function sealChunk({ header, key }: Key, name: string, chunk: Chunk): [Buffer, Buffer] {
  const cipher = createCipheriv(CIPHER, key, nonceOf(chunk))
  cipher.setAAD(Buffer.concat([header, Buffer.from(name)]))
  const sealed = Buffer.concat([cipher.update(chunk.bytes), cipher.final()])
  return [sealed, cipher.getAuthTag()]
}

function openChunk({ header, key }: Key, name: string, chunk: Chunk): Buffer {
  const end = chunk.bytes.length - TAG_BYTES
  try {
    const decipher = createDecipheriv(CIPHER, key, nonceOf(chunk))
    decipher.setAAD(Buffer.concat([header, Buffer.from(name)]))
    decipher.setAuthTag(chunk.bytes.subarray(end))
    return Buffer.concat([decipher.update(chunk.bytes.subarray(0, end)), decipher.final()])
  } catch (error) {
    const reason =
      chunk.number === 0
        ? `The passphrase does not open ${name}, or the file was changed or cut off.`
        : `The content of ${name} was changed or cut off after ${chunk.number * CHUNK_BYTES} bytes.`
    throw new Refusal(reason, { cause: error })
  }
}

/**
 * Cuts a stream into pieces of one size. The last piece must be marked, so a full piece waits until more data arrives.
 */
class Pieces {
  readonly #size: number
  #waiting: Buffer[] = []
  #length = 0
  #number = 0

  constructor(size: number) {
    this.#size = size
  }

  *push(bytes: Buffer): Generator<Chunk> {
    this.#waiting.push(bytes)
    this.#length += bytes.length
    if (this.#length <= this.#size) return
    const all = Buffer.concat(this.#waiting)
    let at = 0
    for (; all.length - at > this.#size; at += this.#size) {
      yield { number: this.#number, isLast: false, bytes: all.subarray(at, at + this.#size) }
      this.#number += 1
    }
    this.#waiting = [all.subarray(at)]
    this.#length = all.length - at
  }

  rest(): Chunk {
    return { number: this.#number, isLast: true, bytes: Buffer.concat(this.#waiting) }
  }
}

class Sealing extends Transform {
  readonly #key: Key
  readonly #name: string
  readonly #pieces = new Pieces(CHUNK_BYTES)

  constructor(key: Key, name: string) {
    super()
    this.#key = key
    this.#name = name
    this.push(key.header)
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    for (const chunk of this.#pieces.push(bytes)) this.#seal(chunk)
    done()
  }

  override _flush(done: TransformCallback): void {
    this.#seal(this.#pieces.rest())
    done()
  }

  #seal(chunk: Chunk): void {
    for (const bytes of sealChunk(this.#key, this.#name, chunk)) this.push(bytes)
  }
}

class Opening extends Transform {
  readonly #keyOf: (header: Buffer) => Promise<Key>
  readonly #name: string
  readonly #pieces = new Pieces(CHUNK_BYTES + TAG_BYTES)
  #header: Buffer = Buffer.alloc(0)
  #key: Key | undefined

  constructor(keyOf: (header: Buffer) => Promise<Key>, name: string) {
    super()
    this.#keyOf = keyOf
    this.#name = name
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#take(bytes).then(() => done(), done)
  }

  override _flush(done: TransformCallback): void {
    try {
      if (!this.#key) throw new Refusal(`The beginning of ${this.#name} is cut off.`)
      this.push(openChunk(this.#key, this.#name, this.#pieces.rest()))
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  }

  async #take(bytes: Buffer): Promise<void> {
    if (this.#key) return this.#open(this.#key, bytes)
    const begun = Buffer.concat([this.#header, bytes])
    if (begun.length < HEADER_BYTES) {
      this.#header = begun
      return
    }
    this.#key = await this.#keyOf(begun.subarray(0, HEADER_BYTES))
    this.#open(this.#key, begun.subarray(HEADER_BYTES))
  }

  #open(key: Key, bytes: Buffer): void {
    for (const chunk of this.#pieces.push(bytes)) this.push(openChunk(key, this.#name, chunk))
  }
}
