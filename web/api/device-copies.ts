import { createStore, type UseStore } from 'idb-keyval'

/**
 * The spec's local storage keys of what a seller sets (sections 3 and 9). The account has them too, and only the
 * listing defaults are read from here; the two kinds of preferences stand here because the spec wants them to.
 */
export type AccountCopy = 'listingDefaults' | 'notificationPrefs' | 'communicationPrefs'
/** How imports were begun stays on this device. */
type DeviceCopy = AccountCopy | 'bulkImport'
const copies: DeviceCopy[] = ['listingDefaults', 'notificationPrefs', 'communicationPrefs', 'bulkImport']

/** Kept beside the account's record. */
export function keepOnDevice(copy: DeviceCopy, value: object): void {
  try {
    localStorage.setItem(copy, JSON.stringify(value))
  } catch {
    // Storage is full or closed: the account's record stands alone.
  }
}

export function readFromDevice(copy: DeviceCopy): string | null {
  try {
    return localStorage.getItem(copy)
  } catch {
    return null
  }
}

/** Where the listing forms keep what was not sent yet: text by key, pictures in a database of the browser. */
export const draftPrefix = 'listingDraft:'
export const draftPictures = 'listingDrafts'

/** The database of the browser with an admin's unsaved rows of bulk edit. */
export const unsavedRows = 'unsavedRows'

/** The database of the browser with rows of import files that a seller corrected. */
export const editedRows = 'editedRows'

/** The database of the browser with the file that is being imported. */
export const keptImports = 'keptImports'

/** At logout: the next person at this computer is somebody else. */
export function forgetDeviceCopies(): void {
  try {
    const drafts = Object.keys(localStorage).filter((key) => key.startsWith(draftPrefix))
    for (const key of [...copies, ...drafts]) localStorage.removeItem(key)
    indexedDB.deleteDatabase(draftPictures)
    indexedDB.deleteDatabase(unsavedRows)
    indexedDB.deleteDatabase(editedRows)
    indexedDB.deleteDatabase(keptImports)
  } catch {
    // Storage is closed to this page; nothing was kept there.
  }
}

/**
 * A store in a database of the browser, opened when it is first used. Logging out deletes the database, in another tab
 * too, which waits for nobody here: the store lets go of it, calls `onDeleted`, and begins anew when it is used again.
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
