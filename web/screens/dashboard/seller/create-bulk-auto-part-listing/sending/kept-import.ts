import { get, setMany } from 'idb-keyval'
import { keptImports, openDeviceStore } from '#web/api/device-copies.ts'
import { currentSession } from '#web/api/session.ts'
import type { RunOrder } from './run-order.ts'

/*
 * The current import, stored in IndexedDB with its file, so that it resumes after a reload or a closed laptop. If the
 * browser cannot store it, the user can choose the same file again.
 */

/** `sending` resumes automatically, `stopped` on request; a `draft` has not been started. */
type KeptPhase = 'draft' | 'sending' | 'stopped'
export type KeptImport = { phase: KeptPhase; order: RunOrder }

type Kept = KeptImport & { version: number; userId: string; atMs: number }

const VERSION = 1
/** The server drops incomplete imports after this time. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1_000

/** The file already stored, so that it is copied only once. */
let keptFile: File | undefined

const store = openDeviceStore(keptImports, 'imports', () => {
  keptFile = undefined
})

const ownId = () => currentSession().user?.id

/** Returns whether it was stored; a file larger than the site's quota is not. */
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
    if (isOurs && file && Date.now() - (kept.atMs ?? 0) < MAX_AGE_MS) {
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
    // Nothing was stored.
  }
}

/** The file is stored separately, so that the order can be rewritten alone. */
const withFile = (order: RunOrder, file: File | undefined): RunOrder => ({
  ...order,
  file: { ...order.file, file: file as File },
})
