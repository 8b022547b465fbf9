import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Passphrase, sealedBytes } from '#server/platform/backup/sealed.ts'
import { Refusal } from '#server/platform/errors.ts'
import {
  type Drive,
  type FileStore,
  isMissingFile,
  type StoredFile,
  undefinedIfMissing,
} from '#server/platform/files/file-store.ts'
import { openFolder } from '#server/platform/files/folder.ts'

/*
 * Sealed copies of the stored files, in a folder next to the archives. All backups share it: a stored file never
 * changes, so it is copied once. The date of a copy is that of the last backup that it belongs to.
 */

/** A folder of copies is named by the scrypt salt of its passphrase: with another passphrase, another one begins. */
const FOLDER = /^files-([\da-f]{32})$/
const CHECK = 'check'

export class FileCopies {
  readonly folder: string
  readonly passphrase: Passphrase
  readonly #path: string
  readonly #drive: Drive

  private constructor(dir: string, folder: string, passphrase: Passphrase) {
    this.folder = folder
    this.passphrase = passphrase
    this.#path = join(dir, folder)
    this.#drive = openFolder(this.#path)
  }

  /** The folder that this passphrase opens, or a new one. */
  static async forWriting(dir: string, text: string): Promise<FileCopies> {
    for (const name of await listFolders(dir)) {
      const salt = Buffer.from(FOLDER.exec(name)?.[1] ?? '', 'hex')
      const copies = new FileCopies(dir, name, new Passphrase(text, salt))
      if (await copies.#fits()) return copies
    }
    const salt = Passphrase.newSalt()
    const passphrase = new Passphrase(text, salt)
    const copies = new FileCopies(dir, `files-${salt.toString('hex')}`, passphrase)
    await copies.#drive.write(CHECK, await passphrase.seal(CHECK, Buffer.alloc(0)))
    return copies
  }

  static forReading(dir: string, folder: string, passphrase: Passphrase): FileCopies {
    return new FileCopies(dir, folder, passphrase)
  }

  async #fits(): Promise<boolean> {
    try {
      await this.passphrase.open(CHECK, await this.#bytes(CHECK))
      return true
    } catch (error) {
      if (error instanceof Refusal || isMissingFile(error)) return false
      throw error
    }
  }

  /** Copies a file unless it was copied before; 'gone' if it was deleted since it was listed. */
  async keep(files: FileStore, { key, bytes }: StoredFile, at: Date): Promise<'copied' | 'kept' | 'gone'> {
    const path = join(this.#path, key)
    const found = await this.#drive.look(key).catch(undefinedIfMissing)
    if (found?.bytes === sealedBytes(bytes)) {
      if (found.modifiedAt < at) await utimes(path, at, at)
      return 'kept'
    }
    const stream = await files.get(key)
    if (!stream) return 'gone'
    await this.#drive.write(key, await this.passphrase.seal(key, Buffer.concat(await stream.toArray())))
    // The clock of a disk elsewhere may be another.
    await utimes(path, at, at)
    return 'copied'
  }

  /** @throws Refusal if the copy is missing or was changed */
  async read(key: string): Promise<Buffer> {
    const bytes = await this.#bytes(key).catch(undefinedIfMissing)
    if (!bytes) throw new Refusal(`The backup lacks the file ${this.folder}/${key}.`)
    return this.passphrase.open(key, bytes)
  }

  async #bytes(key: string): Promise<Buffer> {
    return Buffer.concat(await (await this.#drive.read(key)).toArray())
  }
}

/** Deletes copies that belong to no backup from `oldest` on, and returns how many. */
export async function removeCopiesBefore(dir: string, oldest: Date): Promise<number> {
  let removed = 0
  for (const folder of await listFolders(dir)) {
    const drive = openFolder(join(dir, folder))
    for await (const { key, modifiedAt } of drive.list('')) {
      if (key === CHECK || modifiedAt >= oldest) continue
      await drive.remove(key)
      removed += 1
    }
    await drive.sweep()
  }
  return removed
}

async function listFolders(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter((name) => FOLDER.test(name))
}
