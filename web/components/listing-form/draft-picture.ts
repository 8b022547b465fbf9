import { draftPictures } from '#web/api/device-copies.ts'

const storeName = 'pictures'

function openStore(): Promise<IDBDatabase> {
  const request = indexedDB.open(draftPictures, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(storeName)
  return answerOf(request)
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The browser’s store did not answer'))
  })
}

async function inStore<T>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await openStore()
  try {
    return await answerOf(use(database.transaction(storeName, mode).objectStore(storeName)))
  } finally {
    database.close()
  }
}

/** The draft's picture. Where the browser keeps none (private mode, no room), there is none to come back to. */
export async function readDraftPicture(key: string): Promise<File | undefined> {
  try {
    const kept = await inStore<unknown>('readonly', (store) => store.get(key))
    return kept instanceof File ? kept : undefined
  } catch {
    return undefined
  }
}

export async function keepDraftPicture(key: string, picture: File | undefined): Promise<void> {
  try {
    if (picture) await inStore('readwrite', (store) => store.put(picture, key))
    else await inStore('readwrite', (store) => store.delete(key))
  } catch {
    // The text is kept all the same; the picture can be chosen again.
  }
}
