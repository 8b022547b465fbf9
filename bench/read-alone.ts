import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const PROGRAM = join(import.meta.dirname, 'read-program.ts')

/** Reads a file in a process of its own, whose memory then is that of the reading. */
export async function readAlone(
  how: 'csv-parse' | 'read-check',
  path: string,
  heapMb: number,
): Promise<{ ms: number; memory: number }> {
  const args = [`--max-old-space-size=${heapMb}`, PROGRAM, how, path]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as { ms: number; memory: number }
}
