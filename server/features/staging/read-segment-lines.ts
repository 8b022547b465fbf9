import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { segmentKey } from './segment.ts'

const inflate = promisify(gunzip)

/** The lines of a stored segment, in their order. A segment that a manifest names and the store lacks is a loss of data. */
export async function readSegmentLines(files: FileStore, sha256: string): Promise<string[]> {
  const stream = await files.get(segmentKey(sha256))
  if (!stream) throw new Error(`Segment ${sha256} is missing in the file store`)
  const text = (await inflate(await buffer(stream))).toString('utf8')
  return text.split('\n').slice(0, -1)
}
