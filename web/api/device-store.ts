import { createStore, type UseStore } from 'idb-keyval'

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
