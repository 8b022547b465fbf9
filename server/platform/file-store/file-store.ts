import type { Readable } from 'node:stream'

export type StoredFile = { readonly key: string; readonly modifiedAt: Date; readonly bytes: number }

/**
 * Where the files of all processes are kept: a folder or an S3 bucket. A key is a path of lower-case names
 * (`images/3f/3fa1….webp`). A file is whole or absent: nobody ever reads a half-written one.
 */
export type FileStore = {
  /**
   * Writes a file, over an earlier one of the same key. When it returns, the file survives a power cut.
   * @throws AppError STORAGE_FULL where there is no room, BUSY where the store is out of reach
   */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** The content, or undefined where there is no such file. A stream that is not read must be destroyed. */
  get(key: string): Promise<Readable | undefined>
  /** When it was last written and how long it is, or undefined where there is no such file. */
  find(key: string): Promise<StoredFile | undefined>
  exists(key: string): Promise<boolean>
  /** Removes a file; one that is absent already is no error. */
  delete(key: string): Promise<void>
  /** Every file in a folder (`images`) and the folders in it, in no particular order, a page at a time. */
  list(folder: string): AsyncIterable<StoredFile>
  /** Writes a little: returns if the store takes files, throws as `put` does if not. For `/readyz`. */
  check(): Promise<void>
  /** Removes what writes that were cut off (kill -9, power) left behind; answers how many pieces. */
  sweep(): Promise<number>
}

/**
 * What a kind of storage has to bring. Keys were checked; failures may be the storage's own, a missing file one of
 * those that `isMissingFile` knows.
 */
export type Drive = {
  write(key: string, bytes: Uint8Array): Promise<void>
  read(key: string): Promise<Readable>
  look(key: string): Promise<StoredFile>
  remove(key: string): Promise<void>
  list(folder: string): AsyncIterable<StoredFile>
  sweep(): Promise<number>
}
