/** Where pictures lie in the file store, and in which widths. Names are made of hashes alone, never of what was sent. */

/** Every file of a picture is below this folder. */
export const PICTURE_FOLDER = 'images'

/** No side of a stored picture is longer: sharp on a page of 800 points at two pixels a point. */
export const LONGEST_SIDE = 1600

/** How old a file without a row has to be to be removed: seconds lie between the two, a day also covers a wrong clock. */
export const SWEPT_AFTER_MS = 86_400_000

// A card is 220 points wide, the picture of a listing's page up to 450: two pixels a point.
const SMALLER_WIDTHS = [440, 900]

/** The smaller widths in which a picture of this width is kept beside itself. */
export function smallerWidths(width: number): number[] {
  return SMALLER_WIDTHS.filter((smaller) => smaller < width)
}

/** Where the picture is stored, or its copy of a smaller width; two letters of the hash keep folders small. */
export function pictureKey(sha256: string, width?: number): string {
  const name = width === undefined ? sha256 : `${sha256}-${width}`
  return `${PICTURE_FOLDER}/${sha256.slice(0, 2)}/${name}.webp`
}

/** The hash in a key that `pictureKey` made, or undefined for any other file. */
export function sha256InKey(key: string): string | undefined {
  return /^images\/[0-9a-f]{2}\/([0-9a-f]{64})(?:-\d+)?\.webp$/.exec(key)?.[1]
}

/** The smallest stored width that shows no fewer pixels than asked for, or undefined for the picture itself. */
export function chooseWidth(stored: readonly number[], asked: number | undefined): number | undefined {
  if (asked === undefined || !(asked > 0)) return undefined
  return stored.filter((width) => width >= asked).sort((a, b) => a - b)[0]
}

/**
 * The address of a picture: by a listing's id (its first picture) or by a picture's own. It carries the content's
 * hash, so that browsers may keep the answer for a year; whoever wants a smaller one adds `&width=440`.
 */
export function pictureUrl(listingOrPictureId: string, sha256: string): string {
  return `/api/auto-part/image/${listingOrPictureId}?v=${pictureVersion(sha256)}`
}

/** Enough of the hash that no two contents of one picture share it. */
export function pictureVersion(sha256: string): string {
  return sha256.slice(0, 12)
}
