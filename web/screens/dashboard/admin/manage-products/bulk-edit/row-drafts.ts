import { unsavedRows } from '#web/api/device-copies.ts'
import type { SheetRow } from '#web/components/data-grid/sheet-row.ts'

/**
 * Unsaved rows in a database of the browser, row by row and person by person, with the values that their editor had
 * found: they outlive a reload and a crash. Where the browser keeps nothing, they live as long as the page.
 */

type Kept = { user: string; id: string; row: SheetRow }

const STORE = 'rows'

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(unsavedRows, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: ['user', 'id'] })
    request.onsuccess = () => {
      // Logging out in another tab deletes the database.
      request.result.onversionchange = () => request.result.close()
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
  })
}

const ofUser = (user: string) => IDBKeyRange.bound([user], [user, []])

export async function readDrafts(user: string): Promise<SheetRow[]> {
  try {
    const database = await open()
    return await new Promise((resolve, reject) => {
      const request = database.transaction(STORE).objectStore(STORE).getAll(ofUser(user))
      request.onsuccess = () => resolve((request.result as Kept[]).map(({ row }) => row).filter(isRow))
      request.onerror = () => reject(request.error)
      request.transaction?.addEventListener('complete', () => database.close())
    })
  } catch {
    return []
  }
}

// So many at once take a few milliseconds; thousands would be felt while one types.
const ROWS_A_STEP = 200

/** Keeps these rows and forgets those, a few at a time. */
export async function writeDrafts(
  user: string,
  kept: readonly SheetRow[],
  gone: readonly string[],
): Promise<void> {
  try {
    const database = await open()
    for (let at = 0; at < Math.max(kept.length, gone.length); at += ROWS_A_STEP) {
      await step(database, (store) => {
        for (const row of kept.slice(at, at + ROWS_A_STEP)) {
          store.put({ user, id: row.id, row } satisfies Kept)
        }
        for (const id of gone.slice(at, at + ROWS_A_STEP)) store.delete([user, id])
      })
    }
    database.close()
  } catch {
    // Storage is full or closed: leaving the page still asks first.
  }
}

function step(database: IDBDatabase, work: (store: IDBObjectStore) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, 'readwrite')
    transaction.oncomplete = () => resolve()
    transaction.onerror = () => reject(transaction.error)
    transaction.onabort = () => reject(transaction.error)
    work(transaction.objectStore(STORE))
  })
}

/** An older version of the app may have kept something else. */
function isRow(row: unknown): row is SheetRow {
  if (typeof row !== 'object' || row === null) return false
  return ['id', 'version', 'values', 'pending', 'broken', 'refused', 'errors'].every((name) => name in row)
}
