import { AppError } from '#server/platform/errors.ts'

/** The last entry of a page in a list sorted by time; the next page starts after it. */
export type TimePosition = { at: Date; id: string }

export const toCursor = ({ at, id }: TimePosition): string =>
  Buffer.from(`${at.getTime()}/${id}`).toString('base64url')

const CURSOR = /^(\d{1,15})\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

/** @throws AppError MALFORMED if the text is not one of our cursors */
export function readCursor(cursor: string): TimePosition {
  const [, at, id] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (!at || !id) throw invalidCursor()
  return { at: new Date(Number(at)), id }
}

/**
 * The number in a cursor of a list that is numbered; 0 for the first page.
 * @throws AppError MALFORMED
 */
export function readNumberCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  if (!/^\d{1,9}$/.test(cursor)) throw invalidCursor()
  return Number(cursor)
}

const invalidCursor = () =>
  new AppError('MALFORMED', 'The cursor is not valid. Use the nextCursor of the previous page.')
