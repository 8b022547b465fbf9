import { get, setMany } from 'idb-keyval'
import { keptImports, openDeviceStore } from '#web/api/device-copies.ts'
import { currentSession } from '#web/api/session.ts'
import type { RunOrder } from './import-run.ts'

/**
 * The import of this device in a database of the browser, with the file itself: after a reload or a closed laptop it goes
 * on without anybody choosing anything. Where the browser keeps nothing, the same file can be chosen again.
 */

/** `sending` goes on by itself, `stopped` when somebody says so; of a `draft` nothing is under way. */
export type KeptPhase = 'draft' | 'sending' | 'stopped'
export type KeptImport = { phase: KeptPhase; order: RunOrder }

type Kept = KeptImport & { version: number; userId: string; atMs: number }

/** Of what is kept; another version of the page may keep something else. */
const VERSION = 1
/** The server gives up what stays incomplete for so long. */
const LONGEST_MS = 7 * 24 * 60 * 60 * 1_000

/** The file that lies there already: it is copied once, not with every change around it. */
let keptFile: File | undefined

const store = openDeviceStore(keptImports, 'imports', () => {
  keptFile = undefined
})

const ownId = () => currentSession().user?.id

/** Whether it is kept; a file that is larger than what the browser leaves to a site is not. */
export async function keepImport({ phase, order }: KeptImport): Promise<boolean> {
  const userId = ownId()
  if (userId === undefined) return false
  const { file } = order.file
  const kept = { version: VERSION, userId, atMs: Date.now(), phase, order: withFile(order, undefined) }
  const isThere = keptFile === file
  try {
    keptFile = file
    await setMany(
      isThere
        ? [['import', kept]]
        : [
            ['import', kept],
            ['file', file],
          ],
      store,
    )
    return true
  } catch {
    keptFile = undefined
    return false
  }
}

export async function readKeptImport(): Promise<KeptImport | undefined> {
  try {
    const kept = await get<Partial<Kept>>('import', store)
    if (!kept?.order || !kept.phase) return undefined
    const isOurs = kept.version === VERSION && kept.userId === ownId()
    const file = await get<File>('file', store)
    if (isOurs && file && Date.now() - (kept.atMs ?? 0) < LONGEST_MS) {
      keptFile = file
      return { phase: kept.phase, order: withFile(kept.order, file) }
    }
    await forgetKeptImport()
    return undefined
  } catch {
    return undefined
  }
}

export async function forgetKeptImport(): Promise<void> {
  keptFile = undefined
  try {
    await store('readwrite', (imports) => void imports.clear())
  } catch {
    // Nothing was kept.
  }
}

/** The file lies beside its order, so that the order alone can be written anew. */
const withFile = (order: RunOrder, file: File | undefined): RunOrder => ({
  ...order,
  file: { ...order.file, file: file as File },
})
