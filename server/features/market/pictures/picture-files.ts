import { sql } from 'kysely'
import { isPublic } from '#server/features/market/for-sale/for-sale.ts'

/** Keys and widths of pictures in the file store. File names come from hashes only, never from uploads. */

/** Every file of a picture is below this folder. */
export const PICTURE_FOLDER = 'images'

/** The longest side of a stored picture: sharp on a page of 800 points at two pixels a point. */
export const LONGEST_SIDE = 1600

/** Files without a row are removed at this age. The row follows within seconds; a day also covers a wrong clock. */
export const SWEPT_AFTER_MS = 86_400_000

// A card is 220 points wide, the picture of a listing's page up to 450: two pixels a point.
const SMALLER_WIDTHS = [440, 900]

/** The smaller widths in which a picture of this width is also stored. */
export function smallerWidths(width: number): number[] {
  return SMALLER_WIDTHS.filter((smaller) => smaller < width)
}

/** The key of a picture or of its smaller copy; two characters of the hash keep folders small. */
export function pictureKey(sha256: string, width?: number): string {
  const name = width === undefined ? sha256 : `${sha256}-${width}`
  return `${PICTURE_FOLDER}/${sha256.slice(0, 2)}/${name}.webp`
}

/** The hash in a key that `pictureKey` made, or undefined for any other file. */
export function sha256InKey(key: string): string | undefined {
  return /^images\/[0-9a-f]{2}\/([0-9a-f]{64})(?:-\d+)?\.webp$/.exec(key)?.[1]
}

/** The smallest stored width that is at least as wide as requested, or undefined for the picture itself. */
export function chooseWidth(stored: readonly number[], asked: number | undefined): number | undefined {
  if (asked === undefined || !(asked > 0)) return undefined
  return stored.filter((width) => width >= asked).sort((a, b) => a - b)[0]
}

/** Opens the pictures of listing `l`, for replies that only its seller and administrators get; null if they are public. */
export const accessKey = sql<string | null>`case when ${isPublic} then null else picture_key(l.id, 0) end`

/**
 * The URL of a picture, by a listing's id (its first picture) or the picture's own. It contains the content's hash, so that
 * browsers may cache it for a year; `&width=440` gives a smaller one. `key` opens it for those who see a part that is not
 * public (`accessKey`).
 */
export function pictureUrl(listingOrPictureId: string, sha256: string, key?: string | null): string {
  return `/api/auto-part/image/${listingOrPictureId}?v=${pictureVersion(sha256)}${key ? `&key=${key}` : ''}`
}

/** Enough of the hash to distinguish the versions of one picture. */
export function pictureVersion(sha256: string): string {
  return sha256.slice(0, 12)
}
