import { promisify } from 'node:util'
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib'

const compress = promisify(brotliCompress)

/** A rendered page as it is sent to nearly everyone: compressed with brotli. */
export type PackedPage = { status: number; packed: Buffer; location?: string }

// Half of the gain of the best, for a fifth of the time: many pages are read only once.
const QUALITY = 4

export const packPage = async (status: number, html: string): Promise<PackedPage> => ({
  status,
  packed: await compress(html, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
})

/** For the rare reader that does not take brotli. */
export const unpackPage = ({ packed }: PackedPage): Buffer => brotliDecompressSync(packed)

// A page has about 6 kB: enough for those that people ask for between two changes.
const MOST_PAGES = 4_000
const MOST_BYTES = 32 * 1024 * 1024

export type KeptPages = {
  /** The page of this key, made unless it is kept. Readers at the same time share one. Only pages that are there are kept. */
  get(key: string, make: () => Promise<PackedPage>): Promise<PackedPage>
  /** How much is kept. */
  size(): { pages: number; bytes: number }
}

/**
 * Keeps the rendered pages that were read last. A key has the version of the data, so nothing kept is ever stale; an old
 * version's page is never asked for again and goes first.
 */
export function openKeptPages({ mostPages = MOST_PAGES, mostBytes = MOST_BYTES } = {}): KeptPages {
  // The first key is the one that was asked for the longest ago.
  const kept = new Map<string, PackedPage>()
  const making = new Map<string, Promise<PackedPage>>()
  let bytes = 0
  const drop = (key: string, page: PackedPage) => {
    if (kept.delete(key)) bytes -= sizeOf(key, page)
  }
  const keep = (key: string, page: PackedPage) => {
    drop(key, page)
    kept.set(key, page)
    bytes += sizeOf(key, page)
    for (const [oldest, its] of kept) {
      if (kept.size <= mostPages && bytes <= mostBytes) return
      drop(oldest, its)
    }
  }
  const makeOnce = (key: string, make: () => Promise<PackedPage>) => {
    const running = making.get(key)
    if (running !== undefined) return running
    const made = make()
      .then((page) => {
        if (page.status === 200) keep(key, page)
        return page
      })
      .finally(() => making.delete(key))
    making.set(key, made)
    return made
  }
  return {
    async get(key, make) {
      const known = kept.get(key)
      if (!known) return makeOnce(key, make)
      keep(key, known)
      return known
    },
    size: () => ({ pages: kept.size, bytes }),
  }
}

/** In memory: a key has two bytes a character. */
const sizeOf = (key: string, { packed }: PackedPage): number => packed.byteLength + 2 * key.length
