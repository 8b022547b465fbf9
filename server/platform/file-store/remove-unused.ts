import type { FileStore, StoredFile } from './file-store.ts'

const AT_ONCE = 500

export type UnusedFiles = {
  readonly folder: string
  /** Younger files stay: what names them may not be committed yet. */
  readonly before: Date
  /** Of these keys, those that are still named by something. */
  readonly listUsed: (keys: readonly string[]) => Promise<ReadonlySet<string>>
  readonly signal: AbortSignal
}

/** Removes the files of a folder that nothing names any more, a page at a time; safe to break off anywhere. */
export async function removeUnused(
  files: FileStore,
  { folder, before, listUsed, signal }: UnusedFiles,
): Promise<{ files: number; bytes: number }> {
  const removed = { files: 0, bytes: 0 }
  for await (const page of inPages(files.list(folder))) {
    signal.throwIfAborted()
    const old = page.filter(({ modifiedAt }) => modifiedAt < before)
    const used = await listUsed(old.map(({ key }) => key))
    for (const { key, bytes } of old) {
      if (used.has(key)) continue
      await files.delete(key)
      removed.files += 1
      removed.bytes += bytes
    }
  }
  return removed
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
