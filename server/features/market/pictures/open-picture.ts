import type { Readable } from 'node:stream'
import { sellerClosed } from '#server/features/market/for-sale/for-sale.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { BinaryReply } from '#server/platform/http/handler.ts'
import type { Log } from '#server/platform/log.ts'
import { chooseWidth, pictureKey, pictureVersion, smallerWidths } from './picture-files.ts'
import { type FoundPicture, findPicture } from './picture-queries.ts'

export type PictureRequest = {
  /** A listing's id (its first picture) or a picture's own. */
  id: string
  width: number | undefined
  /** The content's version in the URL, see `pictureUrl`. */
  v: string | undefined
  /** Of the seller or an administrator, see `accessKey`. */
  key: string | undefined
  headers: Readonly<Record<string, string | string[] | undefined>>
  log: Log
}

// Without a version, the picture at this URL may change.
const SHORT = 'public, max-age=60'
// A shared cache asks again, so that it does not outlive its part: one that is hidden, or whose seller is gone.
const FOR_EVER = 'public, max-age=31536000, s-maxage=60, immutable'
const KEYED = 'private, max-age=3600'

/**
 * Opens a picture in the smallest stored width that is wide enough, to everybody who may see its part.
 * @throws AppError NOT_FOUND if there is none, or its file is missing (which is logged), SELLER_CLOSED
 */
export async function openPicture(db: Db, files: FileStore, request: PictureRequest): Promise<BinaryReply> {
  const picture = await findPicture(db, request)
  if (!picture) throw noPicture()
  if (!picture.isPublic && !picture.isKeyRight) {
    throw picture.sellerGone === 'closed' ? sellerClosed() : noPicture()
  }
  const width = chooseWidth(picture.widths, request.width)
  const etag = `"${pictureVersion(picture.sha256)}-${width ?? 'full'}"`
  const headers = pictureHeaders(picture, { etag, v: request.v })
  if (matches(request.headers['if-none-match'], etag)) {
    return { status: 304, headers, stream: Buffer.alloc(0) }
  }
  return { headers, stream: await openFile(files, { sha256: picture.sha256, width }, request.log) }
}

/** A picture that the caller has checked may be seen; browsers keep no copy that others could open. */
export const openStoredPicture = async (
  files: FileStore,
  sha256: string,
  log: Log,
): Promise<BinaryReply> => ({
  headers: {
    ...pictureDocument,
    'content-disposition': `inline; filename="photo-${pictureVersion(sha256)}.webp"`,
    'cache-control': 'private, no-store',
  },
  stream: await openFile(files, { sha256, width: undefined }, log),
})

async function openFile(
  files: FileStore,
  picture: { sha256: string; width: number | undefined },
  log: Log,
): Promise<Readable> {
  const key = pictureKey(picture.sha256, picture.width)
  const stream = await files.get(key)
  if (stream) return stream
  log.error({ key }, 'the file of a picture is missing')
  if (picture.width === undefined) throw noPicture()
  return openFile(files, { sha256: picture.sha256, width: undefined }, log)
}

// Opened directly, the picture is a document of our origin; disallows scripts, forms and everything else.
const pictureDocument = {
  'content-type': 'image/webp',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
}

function pictureHeaders(picture: FoundPicture, { etag, v }: { etag: string; v: string | undefined }) {
  const version = pictureVersion(picture.sha256)
  // Until the smaller widths exist, the full-size file is sent instead, which must not be cached for a year.
  const complete = smallerWidths(picture.width).every((width) => picture.widths.includes(width))
  return {
    ...pictureDocument,
    'content-disposition': `inline; filename="part-${version}.webp"`,
    // Pictures are public: sites in CORS_ORIGINS and search engines show them, too.
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': cachingOf(picture, v === version && complete),
    etag,
  }
}

function cachingOf({ isPublic }: FoundPicture, isFinal: boolean): string {
  if (!isPublic) return KEYED
  return isFinal ? FOR_EVER : SHORT
}

function matches(ifNoneMatch: string | string[] | undefined, etag: string): boolean {
  const known = [ifNoneMatch ?? []].flat().flatMap((header) => header.split(','))
  // A proxy that compresses marks our tag as weak.
  return known.some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

const noPicture = () => new AppError('NOT_FOUND', 'There is no picture here.')
