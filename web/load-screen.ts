/** Given by the spec. */
const chunkTimeoutMs = 120_000
const missingChunk =
  /dynamically imported module|importing a module script failed|preload css|took longer than/i

/** Asks whether to reload; resolves when the user tries again. */
type Offer = (reload: () => void) => Promise<void>

let offer: Offer | undefined
let pendingAddress: () => string | undefined = () => undefined

/** Sets how the open page offers a reload. Returns a function that undoes it. */
export function setReloadOffer(next: Offer): () => void {
  offer = next
  return () => {
    offer = undefined
  }
}

/** Where the router is going; a reload should load that page, not the one being left. */
export function reloadAt(find: () => string | undefined): void {
  pendingAddress = find
}

/**
 * Loads a screen's code. If that fails (a new version removed the old files, or the connection is down), the current page
 * stays, with everything typed into it, and the user can reload or try again. `address` is the page to load, if the router
 * does not know it yet.
 */
export async function loadScreen<Screen>(load: () => Promise<Screen>, address?: string): Promise<Screen> {
  for (;;) {
    try {
      return await withinTime(load())
    } catch (error) {
      if (!(offer && error instanceof Error && missingChunk.test(error.message))) throw error
      await offer(() => window.location.assign(address ?? pendingAddress() ?? window.location.href))
    }
  }
}

async function withinTime<Screen>(loading: Promise<Screen>): Promise<Screen> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new Error('The page took longer than 120 s')), chunkTimeoutMs)
  })
  try {
    return await Promise.race([loading, late])
  } finally {
    clearTimeout(timer)
  }
}
