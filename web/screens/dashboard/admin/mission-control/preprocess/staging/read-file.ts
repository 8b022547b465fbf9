import { stagingDeskEndpoints, stagingEndpoints } from '#contract/staging.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { asJsonPath, type OpenFile, WINDOW_ROWS } from './staged-file.ts'
import type { StagedName } from './staging-calls.ts'

/** The newest version of a file; of one above 8 MB its first rows. */
export async function readFile({ root, path }: StagedName): Promise<OpenFile> {
  const name = { root, path: asJsonPath(path) }
  try {
    const {
      contents,
      version,
      rows,
      path: known,
    } = await call(stagingEndpoints.readStagingFile, { query: name })
    return { root, path: known, version, rows, kind: 'text', contents }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'TOO_LARGE') return readWindow(name, 0)
    throw error
  }
}

/** Rows of a large file from one on. */
export async function readWindow(name: StagedName, from: number): Promise<OpenFile> {
  const { root, path, version, total, columns, rows } = await call(stagingDeskEndpoints.readStagingWindow, {
    query: { ...name, from, limit: WINDOW_ROWS },
  })
  return { root, path, version, rows: total, kind: 'window', from, columns, window: rows }
}
