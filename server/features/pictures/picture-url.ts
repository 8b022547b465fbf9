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
