import { z } from 'zod'
import { type ApiCall, apiCall } from '#server/simulator/api-call.ts'
import { noSuch, noSuchIn, parameters, StripeError } from '#server/simulator/parameters.ts'
import type { Work } from '#server/simulator/simulator.ts'
import { findObject, insertObject } from '#server/simulator/store.ts'
import { type File, newId } from '#server/simulator/stripe-objects.ts'

/* Files that the bank reads. Only what is known of them is kept. */

export const MOST_BYTES = 5 * 1024 * 1024
/** Of all files of a dispute. */
const MOST_OF_DISPUTE = 4.5 * 1024 * 1024
const KEPT_S = 9 * 30 * 24 * 3_600

const latin = (bytes: Uint8Array, length: number) => Buffer.from(bytes.subarray(0, length)).toString('latin1')

/** By the content: what the sender says of it proves nothing. */
const TYPES: readonly (readonly [type: string, starts: string])[] = [
  ['pdf', '%PDF-'],
  ['png', '\x89PNG\r\n'],
  ['jpg', '\xff\xd8\xff'],
]

export const fileCalls: readonly ApiCall[] = [
  apiCall(
    'POST /files',
    // Stripe has more purposes, with limits of their own.
    parameters({ purpose: z.enum(['business_logo', 'dispute_evidence']) }),
    async (work, { purpose }, { file: sent }) => {
      if (!sent) {
        const facts = { code: 'parameter_missing', param: 'file' }
        throw new StripeError(400, 'Missing required param: file.', facts)
      }
      const type = TYPES.find(([, starts]) => latin(sent.bytes, starts.length) === starts)?.[0]
      if (type === undefined || (purpose === 'business_logo' && type === 'pdf')) {
        throw new StripeError(400, 'The file type uploaded is not supported for this purpose.', {
          param: 'file',
        })
      }
      if (sent.bytes.length > MOST_BYTES) {
        throw new StripeError(400, 'The file is larger than 5 MB.', { param: 'file' })
      }
      const file: File = {
        id: newId('file'),
        object: 'file',
        created: work.now,
        expires_at: work.now + KEPT_S,
        filename: sent.name,
        purpose,
        size: sent.bytes.length,
        title: null,
        type,
      }
      await insertObject(work.db, file)
      return file
    },
  ),
  apiCall('GET /files/:id', parameters({}), async ({ db }, _given, { id }) => {
    const file = await findObject(db, 'file', id)
    if (!file) throw noSuch('file upload', id)
    return file
  }),
]

/** @throws StripeError for a file that is not there or is of another purpose, or if all are too large together */
export async function checkFiles(
  { db }: Work,
  named: readonly { param: string; id: string }[],
): Promise<void> {
  let bytes = 0
  for (const { param, id } of named) {
    const file = await findObject(db, 'file', id)
    if (!file) throw noSuchIn(param, 'file upload', id)
    if (file.purpose !== 'dispute_evidence') {
      throw new StripeError(400, `The file ${id} has the purpose ${file.purpose}, not dispute_evidence.`, {
        param,
      })
    }
    bytes += file.size
  }
  if (bytes > MOST_OF_DISPUTE) {
    throw new StripeError(400, 'The files of a dispute can have at most 4.5 MB together.', {
      param: 'evidence',
    })
  }
}
