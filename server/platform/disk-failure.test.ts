import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { diskFailure } from './disk-failure.ts'
import { AppError } from './errors.ts'

const ofDatabase = (code: string, message = '') =>
  Object.assign(new DatabaseError(message, message.length, 'error'), { code })
const ofNode = (code: string) => Object.assign(new Error('x'), { code })

test.each([
  ['a full disk', ofNode('ENOSPC'), 'full'],
  ['a quota', ofNode('EDQUOT'), 'full'],
  ['a full disk of the database', ofDatabase('53100'), 'full'],
  ['a quota of the database', ofDatabase('XX000', 'could not extend file: Disk quota exceeded'), 'full'],
  ['a full store', new AppError('STORAGE_FULL', 'Full.'), 'full'],
  ['a read-only file system', ofNode('EROFS'), 'read-only'],
  ['a read-only database', ofDatabase('25006'), 'read-only'],
  [
    'a read-only disk of the database',
    ofDatabase('42501', 'could not open: Read-only file system'),
    'read-only',
  ],
  ['what was caused by one', new AppError('BUSY', 'x', { cause: ofNode('EROFS') }), 'read-only'],
  ['missing rights', ofDatabase('42501', 'permission denied for table listing'), undefined],
  ['another error', new Error('No space left on device'), undefined],
  ['no error', 'ENOSPC', undefined],
])('%s', (_name, error, failure) => {
  expect(diskFailure(error)).toBe(failure)
})
