import { readPartFacts, vehicleAndName } from '#server/features/market/writing/part-text.ts'
import { NO_COST, reportCost } from '#server/features/market/writing/writer.ts'
import {
  type Rewrite,
  type RewriteRun,
  rewriteStagedFile,
} from '#server/features/stock-files/store/rewrite.ts'
import { fieldOf, fieldText } from '#server/features/stock-files/store/staged-record.ts'
import { recordRange } from '#server/platform/scripts/script-program.ts'
import { type DeskRun, openTextDesk, type TextTask } from './text-desk.ts'
import { readCounts, type TextOutcome, type WritingCounts, WritingTally } from './text-outcomes.ts'
import type { ReviewableText } from './text-review.ts'

export type WrittenTexts = {
  readonly counts: WritingCounts
  /** Why writing stopped early, if it did. */
  readonly stopped: string | undefined
}

/** Where progress is reported. */
export type WritingReporter = {
  readonly report: (text: ReviewableText) => void
  readonly tell: (line: string) => void
}

/**
 * Writes a text for each record of a staged file, as one new version of the file, or none if nothing changes.
 * @throws ScriptRefusal, AppError STORAGE_FULL, BUSY
 */
export async function writeStagedTexts(
  run: RewriteRun & DeskRun,
  task: TextTask,
  { report, tell }: WritingReporter,
): Promise<WrittenTexts & { file: { id: string; version: number }; isNew: boolean }> {
  const { field, dryRun, concurrent } = task
  let fileId = ''
  let spent = () => NO_COST
  const rewrite: Rewrite<TextOutcome> = {
    message: task.script,
    columns: [field],
    range: (rows) => recordRange(task.range, rows),
    concurrent,
    dryRun,
    begin: async ({ id }, before) => {
      fileId = id
      const counts = readCounts(before)
      const desk = await openTextDesk(run, task)
      spent = desk.spent
      const tally = new WritingTally(counts, task)
      const textOf = (fields: Parameters<typeof fieldOf>[0]) => fieldText(fieldOf(fields, field))
      return {
        prepare: ({ record: { fields } }) => desk.write({ fields, before: textOf(fields) }),
        take: (outcome, { rowNo, record: { id: recordId, fields } }) => {
          const rowReport = { place: `Row ${rowNo + 1}`, before: textOf(fields), outcome }
          const title = vehicleAndName(readPartFacts(fields))
          report({ ...rowReport, title, subject: { rowNo, recordId, old: fieldOf(fields, field) } })
          const stop = tally.take(rowReport)
          if (stop !== undefined) return { stop }
          return outcome.kind === 'written' ? { fields: { ...fields, [field]: outcome.text } } : undefined
        },
        state: () => tally.counts(desk.spent()),
      }
    },
  }
  const work = () => rewriteStagedFile(run, rewrite)
  const { state, stopped, version, isNew } = await reportCost(
    { signal: run.signal, spent: () => spent(), tell },
    work,
  )
  return { counts: readCounts(state), stopped, file: { id: fileId, version }, isNew }
}
