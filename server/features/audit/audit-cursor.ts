import { AppError } from '#server/platform/app-error.ts'

/** The last entry of a page: the next one begins after it. */
export type AuditPlace = { at: Date; id: string }

export const toCursor = ({ at, id }: AuditPlace): string =>
  Buffer.from(`${at.getTime()}/${id}`).toString('base64url')

const WRITTEN = /^(\d{1,15})\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

/** @throws AppError MALFORMED for what is no cursor of ours */
export function readCursor(cursor: string): AuditPlace {
  const [, at, id] = WRITTEN.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (!at || !id) {
    throw new AppError('MALFORMED', 'The cursor is not one of ours. Take the nextCursor of the page before.')
  }
  return { at: new Date(Number(at)), id }
}
