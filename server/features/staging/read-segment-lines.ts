import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { releaseBytes } from '#server/platform/release-bytes.ts'
import { readSegmentText } from './read-segment-text.ts'

/** The lines of a stored segment, in their order. */
export async function readSegmentLines(files: FileStore, sha256: string): Promise<string[]> {
  const bytes = await readSegmentText(files, sha256)
  const lines = bytes.toString('utf8').split('\n')
  releaseBytes(bytes)
  lines.pop()
  return lines
}
