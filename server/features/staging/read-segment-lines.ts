import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { readSegmentText } from './read-segment-text.ts'

/** The lines of a stored segment, in their order. */
export async function readSegmentLines(files: FileStore, sha256: string): Promise<string[]> {
  const text = (await readSegmentText(files, sha256)).toString('utf8')
  return text.split('\n').slice(0, -1)
}
