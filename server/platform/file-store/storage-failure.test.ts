import { open } from 'node:fs/promises'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { AppError } from '#server/platform/app-error.ts'
import { isMissingFile, storageFailure } from './storage-failure.ts'

const failure = (fields: object) => Object.assign(new Error('said by the store'), fields)
const codeOf = (error: unknown) => (error instanceof AppError ? error.code : undefined)

describe('a failure of the file store', () => {
  test.each([
    [{ code: 'ENOSPC' }, 'STORAGE_FULL'],
    [{ code: 'EDQUOT' }, 'STORAGE_FULL'],
    [{ code: 'EROFS' }, 'STORAGE_FULL'],
    [{ name: 'XMinioStorageFull', $metadata: { httpStatusCode: 507 } }, 'STORAGE_FULL'],
    [{ name: 'QuotaExceeded', $metadata: { httpStatusCode: 403 } }, 'STORAGE_FULL'],
    [{ code: 'ECONNREFUSED' }, 'BUSY'],
    [{ name: 'TimeoutError' }, 'BUSY'],
    [{ name: 'SlowDown', $metadata: { httpStatusCode: 503 } }, 'BUSY'],
    [{ name: 'TooManyRequests', $metadata: { httpStatusCode: 429 } }, 'BUSY'],
  ])('%j is told as %s', (fields, code) => {
    const cause = failure(fields)
    const told = storageFailure(cause)
    expect(codeOf(told)).toBe(code)
    expect(told).toMatchObject({ cause })
  })

  test.each([{ code: 'EACCES' }, { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } }, {}])(
    '%j was not foreseen and stays as it is',
    (fields) => {
      const error = failure(fields)
      expect(storageFailure(error)).toBe(error)
    },
  )

  test.skipIf(process.platform !== 'linux')(
    'B10 the kernel’s own word for a full disk is understood',
    async () => {
      const full = await open('/dev/full', 'w')
      const error = await full.writeFile('x').catch((thrown: unknown) => thrown)
      await full.close()
      expect(codeOf(storageFailure(error))).toBe('STORAGE_FULL')
    },
  )

  test('a refused connection is understood', async () => {
    const error = await new Promise((resolve) => connect(1, '127.0.0.1').once('error', resolve))
    expect(codeOf(storageFailure(error))).toBe('BUSY')
  })

  test.each([{ code: 'ENOENT' }, { name: 'NoSuchKey' }, { $metadata: { httpStatusCode: 404 } }])(
    '%j means there is no such file',
    (fields) => {
      expect(isMissingFile(failure(fields))).toBe(true)
    },
  )

  test('others do not mean that', () => {
    expect(isMissingFile(failure({ code: 'EACCES' }))).toBe(false)
    expect(isMissingFile('ENOENT')).toBe(false)
  })
})
