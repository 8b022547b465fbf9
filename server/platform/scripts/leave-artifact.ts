import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { ARTIFACTS, insertArtifact } from '#server/platform/jobs/job-artifacts.ts'
import type { RunKey } from '#server/platform/jobs/job-claims.ts'
import { ScriptRefusal } from './script-program.ts'

type Around = { readonly db: Db; readonly files: FileStore; readonly run: RunKey }

const MEGABYTE = 1024 * 1024
// The file store takes a file in one piece, so all of it is held twice here while a worker's machine runs several
// scripts. A report of a hundred thousand lines fits in; what is larger is staged, which goes by segments.
const MOST_MEGABYTES = 8

/** Stores a file for the job. The file comes first: one without a row is swept, a row without its file would be broken. */
export async function leaveArtifact(
  { db, files, run }: Around,
  name: string,
  content: string | Readable,
): Promise<void> {
  const bytes = await bytesOf(name, content)
  const fileKey = `${ARTIFACTS}/${run.jobId}/${randomUUID()}`
  await files.put(fileKey, bytes)
  await insertArtifact(db, run, { name: fileName(name), fileKey, bytes: bytes.length })
}

async function bytesOf(name: string, content: string | Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of typeof content === 'string' ? [content] : content) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > MOST_MEGABYTES * MEGABYTE) {
      throw new ScriptRefusal(
        `${name} is too large: a file that a job leaves can have at most ${MOST_MEGABYTES} MB.`,
      )
    }
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

const LONGEST_NAME = 150

/** A name that every system can save a file under. */
function fileName(name: string): string {
  const plain = name.normalize('NFC').replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, '-')
  return plain.slice(-LONGEST_NAME).replace(/^[. ]+/, '') || 'file'
}
