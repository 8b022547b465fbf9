import { stagingDeskEndpoints, stagingEndpoints } from '#contract/staging.ts'
import { call } from '#web/api/client.ts'
import { jsonOf } from './staged-cells.ts'
import type { Draft, OpenFile } from './staged-file.ts'
import type { StagedSheet, UnsavedRow } from './staged-sheet.ts'
import type { StagedName } from './staging-calls.ts'

/** Spec, section 7. */
const message = 'UI save'

export type Save = StagedName & {
  draft: Draft
  /** What stood in the editor. */
  open: OpenFile
  /** The version it is based on; undefined saves over whatever is there. */
  version: number | undefined
}

export type Saved = {
  path: string
  version: number
  /** Undefined where only changed cells were sent. */
  contents: string | undefined
  /** Of a grid: what was sent of it. */
  rows: readonly UnsavedRow[]
}

export const textOfDraft = (draft: Draft): string =>
  draft.mode === 'json' ? draft.text.read() : jsonOf(draft.sheet.rows())

/** Saves what was edited: the whole text, or of a large file only its changed cells. */
export async function saveStaged({ root, path, draft, open, version }: Save): Promise<Saved> {
  const rows = draft.mode === 'csv' ? draft.sheet.unsavedRows() : []
  if (open.kind === 'window' && draft.mode === 'csv' && version !== undefined) {
    const body = { root, path, version, message, ...patchOf(draft.sheet) }
    const saved = await call(stagingDeskEndpoints.patchStagingFile, { body })
    return { path: saved.path, version: saved.version, contents: undefined, rows }
  }
  const contents = textOfDraft(draft)
  const body = { root, path, contents, message, ...(version !== undefined && { version }) }
  const saved = await call(stagingEndpoints.saveStagingFile, { body })
  return { path: saved.path, version: saved.version, contents, rows }
}

function patchOf(sheet: StagedSheet) {
  const { cells, deleted: deleteRows, added: addRows } = sheet.changes()
  return { cells, deleteRows, addRows }
}
