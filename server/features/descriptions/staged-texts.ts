import {
  type Rewrite,
  type RewriteRun,
  rewriteStagedFile,
} from '#server/features/stock-files/store/rewrite.ts'
import { fieldOf, fieldText } from '#server/features/stock-files/store/staged-record.ts'
import { NOTHING_SPENT, tellCost } from '#server/features/writing/writer.ts'
import { recordRange, type ScriptRun } from '#server/platform/scripts/script-program.ts'
import { openTextDesk, type TextTask } from './text-desk.ts'
import {
  readCounts,
  type TextOutcome,
  type TextReport,
  type WritingCounts,
  WritingTally,
} from './text-outcomes.ts'

export type WrittenTexts = {
  readonly counts: WritingCounts
  /** Why it ended before the last record, if it did. */
  readonly stopped: string | undefined
}

/** Where progress is reported. */
export type WritingEar = {
  readonly report: (report: TextReport) => void
  readonly tell: (line: string) => void
}

/**
 * Writes a text for each record of a staged file, as one new version of it, or none if nothing changes.
 * @throws ScriptRefusal, AppError STORAGE_FULL, BUSY
 */
export async function writeStagedTexts(
  run: RewriteRun & Pick<ScriptRun<unknown>, 'openai'>,
  task: TextTask,
  { report, tell }: WritingEar,
): Promise<WrittenTexts & { version: number; isNew: boolean }> {
  const { field, dryRun, concurrent } = task
  let spent = () => NOTHING_SPENT
  const rewrite: Rewrite<TextOutcome> = {
    message: task.script,
    columns: [field],
    range: (rows) => recordRange(task.range, rows),
    concurrent,
    dryRun,
    begin: async (_file, before) => {
      const counts = readCounts(before)
      const desk = await openTextDesk(run, task)
      spent = desk.spent
      const tally = new WritingTally(counts, task)
      const textOf = (fields: Parameters<typeof fieldOf>[0]) => fieldText(fieldOf(fields, field))
      return {
        prepare: ({ record: { fields } }) => desk.write({ fields, before: textOf(fields) }),
        take: (outcome, { rowNo, record: { fields } }) => {
          const rowReport = { place: `Row ${rowNo + 1}`, before: textOf(fields), outcome }
          report(rowReport)
          const stop = tally.take(rowReport)
          if (stop !== undefined) return { stop }
          return outcome.kind === 'written' ? { fields: { ...fields, [field]: outcome.text } } : undefined
        },
        state: () => tally.counts(desk.spent()),
      }
    },
  }
  const work = () => rewriteStagedFile(run, rewrite)
  const { state, stopped, version, isNew } = await tellCost(
    { signal: run.signal, spent: () => spent(), tell },
    work,
  )
  return { counts: readCounts(state), stopped, version, isNew }
}
