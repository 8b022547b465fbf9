import { AppError } from '#server/platform/errors.ts'

/** Below and above every id that is drawn: where a walk along ids begins. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000'
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The last entry of a page of what is listed by its time: the next page begins after it. */
export type TimePlace = { at: Date; id: string }

export const toCursor = ({ at, id }: TimePlace): string =>
  Buffer.from(`${at.getTime()}/${id}`).toString('base64url')

const WRITTEN = /^(\d{1,15})\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

/** @throws AppError MALFORMED for what is no cursor of ours */
export function readCursor(cursor: string): TimePlace {
  const [, at, id] = WRITTEN.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (!at || !id) {
    throw new AppError('MALFORMED', 'The cursor is not one of ours. Take the nextCursor of the page before.')
  }
  return { at: new Date(Number(at)), id }
}
