import type { Answer } from '#contract/endpoint.ts'
import { MOST_CONTENTS_BYTES, type stagingEndpoints } from '#contract/staging.ts'
import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { waitingLine } from '#server/platform/waiting-line.ts'
import type { AskedFile } from './find-typed-file.ts'
import { listSegments, type StagingFile } from './queries.ts'
import { readRecords } from './read-records.ts'
import { requireTypedFile } from './require-typed-file.ts'
import type { Segment } from './segment.ts'
import { inColumnOrder } from './staged-fields.ts'
import { csvView, jsonView, type StagingView } from './staging-view.ts'

export type AskedContents = AskedFile & {
  /** The rows wanted; all of them without. */
  readonly window: RowWindow | undefined
}

export type RowWindow = { readonly fromRow: number; readonly rows: number }

const ALL: RowWindow = { fromRow: 0, rows: Number.POSITIVE_INFINITY }

// A text of 8 MB stands in memory two or three times until it is sent.
const inTurn = waitingLine({ atOnce: 2, waiting: 20 })

/**
 * A staged file as text, or a window of its rows.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, TOO_LARGE where the text would be longer than 8 MB, BUSY
 */
export async function readStagingFile(
  db: Db,
  files: FileStore,
  asked: AskedContents,
): Promise<Answer<typeof stagingEndpoints.readStagingFile>> {
  const { root, window } = asked
  const { file, format, shownPath } = await requireTypedFile(db, asked)
  if (!window && file.bytes > MOST_CONTENTS_BYTES) throw tooLarge(file)
  const segments = await listSegments(db, file.id, file.version)
  const source = { files, segments, window: window ?? ALL }
  return inTurn(async () => {
    const view = format === 'json' ? jsonView : csvView(await columnsIn(source, file))
    const { version, rows } = file
    return {
      root,
      path: shownPath,
      contentType: view.contentType,
      contents: await render(source, view, file),
      version,
      rows,
      ...(window && { from: window.fromRow }),
    }
  })
}

type Source = { files: FileStore; segments: readonly Segment[]; window: RowWindow }

/** Those that the version names, so that all windows have the same; and whatever else is in these rows. */
async function columnsIn({ files, segments, window }: Source, file: StagingFile): Promise<string[]> {
  const names = new Set(file.columns)
  for await (const records of readRecords(files, segments, window)) {
    for (const { record } of records) for (const name of Object.keys(record.fields)) names.add(name)
  }
  return inColumnOrder(names)
}

async function render({ files, segments, window }: Source, view: StagingView, file: StagingFile) {
  const pieces = [view.begin]
  let bytes = 0
  let rows = 0
  for await (const records of readRecords(files, segments, window)) {
    const piece = records.map(({ record }, index) => view.row(record.fields, rows + index)).join('')
    rows += records.length
    bytes += Buffer.byteLength(piece)
    if (bytes > MOST_CONTENTS_BYTES) throw tooLarge(file)
    pieces.push(piece)
  }
  return [...pieces, view.end(rows)].join('')
}

const tooLarge = ({ rows }: StagingFile) =>
  new AppError(
    'TOO_LARGE',
    `This is more than the 8 MB that are shown at once. Ask for some of its ${rows} rows with from and limit, such as from=0&limit=100.`,
  )
