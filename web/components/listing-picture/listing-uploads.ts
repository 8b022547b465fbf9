import { del, delMany, entries, set, setMany } from 'idb-keyval'
import type { PictureList, PictureMark } from '#contract/pictures.ts'
import { queryClient } from '#web/api/client.ts'
import { openDeviceStore, unsentPictures } from '#web/api/device-copies.ts'
import { isUnderway, PictureQueue, type PictureUpload, type QueuedPicture } from './picture-queue.ts'
import type { PreparedPicture } from './shrink-picture.ts'

/*
 * Pictures being uploaded from this tab's listing forms. Uploading continues on other pages. The pictures stay on this device
 * until their listing has them: if the tab is closed before that, the listing's form resumes the upload.
 */

export const listingUploads = new PictureQueue({
  preparesAll: true,
  onPrepared: (upload) => void keep(upload),
  onDone(upload, added) {
    void forget(upload)
    queryClient.setQueryData<PictureList>(picturesKey(upload.listingId), (list) => {
      // Don't add it twice: for a picture the listing already has, the server returns that one.
      if (!list || list.pictures.some(({ id }) => id === added.id)) return list
      return { ...list, pictures: [...list.pictures, added] }
    })
    const isLast = !uploadsOf(upload.listingId).some(isUnderway)
    if (isLast) void queryClient.invalidateQueries({ queryKey: ['listings'] })
  },
})

export const picturesKey = (listingId: string) => ['pictures', listingId] as const

export const uploadsOf = (listingId: string): PictureUpload[] =>
  listingUploads.view().uploads.filter((upload) => upload.listingId === listingId)

/** Uploads a new listing’s pictures other than the cover, which was sent with the listing. */
export async function sendToListing(
  listingId: string,
  pictures: readonly Pick<QueuedPicture, 'key' | 'name' | 'prepared' | 'alt' | 'marks'>[],
): Promise<void> {
  const queued = pictures.map((picture) => queuedPicture(listingId, picture))
  await ignoringErrors(() =>
    setMany(
      queued.map((picture) => [storageKey(picture), kept(picture)]),
      store,
    ),
  )
  listingUploads.put(queued)
}

/** Resumes uploads that an earlier page on this device did not finish. */
export async function resumeUploads(listingId: string): Promise<void> {
  const stored = (await ignoringErrors(() => entries<string, KeptPicture>(store))) ?? []
  const own = stored.filter(([key]) => key.startsWith(`${listingId} `)).sort(([a], [b]) => (a < b ? -1 : 1))
  if (own.length > 0) listingUploads.put(own.map(([, picture]) => queuedPicture(listingId, picture)))
}

/** Cancels pictures, or forgets those that their listing has. */
export function dropUploads(uploads: readonly PictureUpload[]): void {
  listingUploads.drop(uploads.map(({ key }) => key))
  void ignoringErrors(() => delMany(uploads.map(storageKey), store))
}

let count = 0

/** Keys sort in the order the pictures were chosen, also after a reload. */
export const newKey = (): string => {
  count += 1
  return `${Date.now().toString(36)}-${String(count).padStart(6, '0')}`
}

type KeptPicture = {
  key: string
  name: string
  prepared: PreparedPicture
  alt: string
  marks: readonly PictureMark[]
}

function queuedPicture(
  listingId: string,
  picture: Pick<QueuedPicture, 'key' | 'name' | 'prepared' | 'alt' | 'marks'>,
): QueuedPicture {
  const open = () => Promise.reject(new DOMException('Only prepared pictures are kept', 'NotFoundError'))
  return { ...picture, listingId, open }
}

const kept = ({ key, name, prepared, alt = '', marks = [] }: QueuedPicture) =>
  ({ key, name, prepared, alt, marks }) as KeptPicture

const storageKey = ({ listingId, key }: Pick<QueuedPicture, 'listingId' | 'key'>) => `${listingId} ${key}`

// Signing out deletes the database and cancels the uploads.
const store = openDeviceStore(unsentPictures, 'pictures', () =>
  listingUploads.drop(listingUploads.view().uploads.map(({ key }) => key)),
)

const keep = (upload: PictureUpload) => ignoringErrors(() => set(storageKey(upload), kept(upload), store))
const forget = (upload: PictureUpload) => ignoringErrors(() => del(storageKey(upload), store))

/** A browser that cannot store pictures still sends them, as long as the tab is open. */
async function ignoringErrors<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch {
    return undefined
  }
}

function askBeforeClosing(event: BeforeUnloadEvent): void {
  if (listingUploads.view().uploads.some(isUnderway)) event.preventDefault()
}

let isAsking = false
listingUploads.subscribe(() => {
  const isBusy = listingUploads.view().uploads.some(isUnderway)
  // Only while needed: browsers don't cache a page with such a listener for the Back button.
  if (isBusy !== isAsking) {
    if (isBusy) window.addEventListener('beforeunload', askBeforeClosing)
    else window.removeEventListener('beforeunload', askBeforeClosing)
  }
  isAsking = isBusy
})
