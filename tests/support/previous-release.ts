import { join } from 'node:path'

/** A small backup of what the previous release stored; `npm run chaos -- archive` writes it. */
export const PREVIOUS_RELEASE = {
  archive: join(import.meta.dirname, '../previous-release.backup'),
  passphrase: 'the previous release, as it was',
} as const
