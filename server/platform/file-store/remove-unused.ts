import type { FileStore, StoredFile } from './file-store.ts'

const AT_ONCE = 500

export type UnusedFiles = {
  readonly folder: string
  /** Younger files stay: what names them may not be committed yet. */
  readonly before: Date
  /** By which name a file is used (several may have one); undefined for a key that is none of ours: such a file stays. */
  readonly nameIn: (key: string) => string | undefined
  /** Those of the names that are still used. */
  readonly listUsed: (names: readonly string[]) => Promise<ReadonlySet<string>>
  readonly signal: AbortSignal
}

/**
 * Removes the files of a folder that nothing uses any more, a page at a time; safe to break off anywhere. Whoever means to
 * use a file that may be there already writes it anew, so that it is young until what names it is committed.
 */
export async function removeUnused(
  files: FileStore,
  { folder, before, nameIn, listUsed, signal }: UnusedFiles,
): Promise<{ files: number; bytes: number }> {
  const removed = { files: 0, bytes: 0 }
  for await (const page of inPages(files.list(folder))) {
    signal.throwIfAborted()
    const old = page.flatMap((file) => {
      const name = file.modifiedAt < before ? nameIn(file.key) : undefined
      return name === undefined ? [] : [{ ...file, name }]
    })
    const used = await listUsed([...new Set(old.map(({ name }) => name))])
    for (const { key, name, bytes } of old) {
      if (used.has(name) || !(await isStillOld(files, key, before))) continue
      await files.delete(key)
      removed.files += 1
      removed.bytes += bytes
    }
  }
  return removed
}

/** Asked again at the last moment: the same content may just have been stored anew, and is not yet named. */
async function isStillOld(files: FileStore, key: string, before: Date): Promise<boolean> {
  const file = await files.find(key)
  return file !== undefined && file.modifiedAt < before
}

async function* inPages(files: AsyncIterable<StoredFile>): AsyncGenerator<StoredFile[]> {
  let page: StoredFile[] = []
  for await (const file of files) {
    page.push(file)
    if (page.length < AT_ONCE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
