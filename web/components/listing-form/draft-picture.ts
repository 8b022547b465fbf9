import { del, get, set } from 'idb-keyval'
import { draftPictures } from '#web/api/device-copies.ts'
import { openDeviceStore } from '#web/api/device-store.ts'

const store = openDeviceStore(draftPictures, 'pictures')

/** The draft's picture. Where the browser keeps none (private mode, no room), there is none to come back to. */
export async function readDraftPicture(key: string): Promise<File | undefined> {
  try {
    const kept = await get<unknown>(key, store)
    return kept instanceof File ? kept : undefined
  } catch {
    return undefined
  }
}

export async function keepDraftPicture(key: string, picture: File | undefined): Promise<void> {
  try {
    if (picture) await set(key, picture, store)
    else await del(key, store)
  } catch {
    // The text is kept all the same; the picture can be chosen again.
  }
}
