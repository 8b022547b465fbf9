import { createStore, type UseStore } from 'idb-keyval'
import { readText, removeText, writeText } from './browser-storage.ts'
import { forgetGarage } from './garage/garage.ts'
import { recentSearches } from './recent-searches.ts'

/**
 * The spec's local storage keys for a seller's settings. The account has them too: only the listing defaults are read from
 * here, and the preferences are stored because the spec requires it.
 */
export type AccountCopy = 'listingDefaults' | 'notificationPrefs' | 'communicationPrefs'
/** Import settings stay on this device. */
type DeviceCopy = AccountCopy | 'bulkImport'
const copies: DeviceCopy[] = ['listingDefaults', 'notificationPrefs', 'communicationPrefs', 'bulkImport']

/** If the browser cannot store it, the account still has the value. */
export const keepOnDevice = (copy: DeviceCopy, value: object): boolean =>
  writeText(copy, JSON.stringify(value))

export const readFromDevice = (copy: DeviceCopy): string | null => readText(copy)

/** Where listing forms keep their drafts: text under this key prefix, pictures in an IndexedDB database. */
export const draftPrefix = 'listingDraft:'
export const draftPictures = 'listingDrafts'

/** IndexedDB database with an admin's unsaved bulk edit rows. */
export const unsavedRows = 'unsavedBulkRows'

/** IndexedDB database with the import rows a seller corrected. */
export const editedRows = 'editedRows'

/** IndexedDB database with the file being imported. */
export const keptImports = 'keptImports'

/** IndexedDB database with pictures on their way to a listing. */
export const unsentPictures = 'unsentPictures'

/** In this tab's storage: which files its uploads by stock number have added. */
const addedPictures = 'addedPictures'

export const readAddedPictures = (): Set<string> =>
  new Set(readText(addedPictures, 'sessionStorage')?.split('\n'))

/** If the tab cannot store it, files dropped again after a reload are sent again, but still added only once. */
export function keepAddedPictures(added: ReadonlySet<string>): void {
  writeText(addedPictures, [...added].join('\n'), 'sessionStorage')
}

/** Called at sign-out: the next user of this computer may be someone else. */
export function forgetDeviceCopies(): void {
  forgetGarage()
  removeText(addedPictures, 'sessionStorage')
  try {
    const drafts = Object.keys(localStorage).filter((key) => key.startsWith(draftPrefix))
    for (const key of [...copies, ...drafts, recentSearches]) localStorage.removeItem(key)
    indexedDB.deleteDatabase(draftPictures)
    indexedDB.deleteDatabase(unsavedRows)
    indexedDB.deleteDatabase(editedRows)
    indexedDB.deleteDatabase(keptImports)
    indexedDB.deleteDatabase(unsentPictures)
  } catch {
    // Storage is blocked for this page, so nothing was stored.
  }
}

/**
 * An IndexedDB store, opened on first use. Signing out, here or in another tab, deletes the database, and an open
 * connection would block that: so the store closes its connection, calls `onDeleted`, and reopens on the next use.
 */
export function openDeviceStore(database: string, name: string, onDeleted?: () => void): UseStore {
  let opened: UseStore | undefined
  return (mode, work) => {
    opened ??= createStore(database, name)
    return opened(mode, (store) => {
      const { db } = store.transaction
      db.onversionchange = () => {
        db.close()
        opened = undefined
        onDeleted?.()
      }
      return work(store)
    })
  }
}
