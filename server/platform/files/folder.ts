import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Log } from '#server/platform/log.ts'
import { type Drive, type StoredFile, undefinedIfMissing } from './file-store.ts'

// Inside the folder, so that it is on the same disk and renames are atomic. No key starts with a dot.
const PARTS = '.parts'
// No write takes minutes; a part this old was left by a killed process.
const ABANDONED_AFTER_MS = 3_600_000

/**
 * Files in a folder shared by any number of processes. Safe against kill -9 and power cuts: a file gets its name only
 * after all of it is on the disk.
 */
export function openFolder(root: string): Drive {
  const parts = join(root, PARTS)
  const look = async (key: string): Promise<StoredFile> => {
    const { mtime, size } = await stat(join(root, key))
    return { key, modifiedAt: mtime, bytes: size }
  }
  return {
    write: (key, bytes) => writeWhole(parts, join(root, key), bytes),
    // Opens the file first, so that a missing file fails here and not later in the stream.
    read: async (key) => (await open(join(root, key))).createReadStream(),
    look,
    remove: (key) => rm(join(root, key)),
    list: async function* (folder) {
      for await (const key of keysBelow(root, folder)) {
        const file = await look(key).catch(undefinedIfMissing)
        if (file) yield file
      }
    },
    sweep: () => removeAbandoned(parts),
  }
}

/**
 * Closes the folder to other users of the machine: inventory files and messages' pictures are private. A folder of
 * another user is left unchanged, since its owner may share it on purpose.
 */
export async function restrictToOwner(root: string, log: Log): Promise<void> {
  // NTFS has no such modes.
  if (process.platform === 'win32') return
  try {
    await mkdir(dirname(root), { recursive: true })
    await mkdir(root, { recursive: true, mode: OURS_ALONE })
    const { mode, uid } = await stat(root)
    if ((mode & OTHERS) === 0) return
    if (uid !== process.getuid?.()) throw new Error('it belongs to another user')
    await chmod(root, OURS_ALONE)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ folder: root, reason }, 'other users of this machine may be able to read the files')
  }
}

const OURS_ALONE = 0o700
const OTHERS = 0o077

async function writeWhole(parts: string, target: string, bytes: Uint8Array): Promise<void> {
  const part = join(parts, randomUUID())
  await mkdir(parts, { recursive: true })
  const firstCreated = await mkdir(dirname(target), { recursive: true })
  try {
    await writeToDisk(part, bytes)
    await rename(part, target)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  // A file's name is an entry in its folder, and a new folder's name an entry in its parent.
  await syncFolder(dirname(target))
  if (firstCreated !== undefined) await syncFolder(dirname(firstCreated))
}

async function writeToDisk(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders; NTFS journals names itself.
  if (process.platform === 'win32') return
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Reads folders as streams, so that a million pictures are never in memory as one list. */
async function* keysBelow(root: string, folder: string): AsyncGenerator<string> {
  const entries = await opendir(join(root, folder)).catch(undefinedIfMissing)
  if (!entries) return
  for await (const entry of entries) {
    // Not a key; usually our own folder of parts.
    if (entry.name.startsWith('.')) continue
    const key = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* keysBelow(root, key)
    else if (entry.isFile()) yield key
  }
}

/** Keeps recent parts, which other processes may be writing. */
async function removeAbandoned(parts: string): Promise<number> {
  let removed = 0
  const entries = await opendir(parts).catch(undefinedIfMissing)
  if (!entries) return removed
  for await (const { name } of entries) {
    const part = join(parts, name)
    const modifiedMs = (await stat(part).catch(undefinedIfMissing))?.mtimeMs
    if (modifiedMs === undefined || modifiedMs > Date.now() - ABANDONED_AFTER_MS) continue
    await rm(part, { force: true })
    removed += 1
  }
  return removed
}
