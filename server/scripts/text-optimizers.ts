import { writeLiveDescriptions } from '#server/features/market/descriptions/live-descriptions.ts'
import {
  type WritingReporter,
  type WrittenTexts,
  writeStagedTexts,
} from '#server/features/market/descriptions/staged-texts.ts'
import {
  descriptionTask,
  headingTask,
  type TextTask,
} from '#server/features/market/descriptions/text-desk.ts'
import { reportLine, summaryOf } from '#server/features/market/descriptions/text-outcomes.ts'
import { ReviewDraft, storeReview } from '#server/features/market/descriptions/text-review.ts'
import { defineScript, ScriptRefusal, type ScriptRun } from '#server/platform/scripts/script-program.ts'

/** Writes a heading for each record of a staged file. */
export const h1Optimizer = defineScript('h1-optimizer', (run) =>
  printTexts(run, headingTask(run.flags), false, (task, ear) => writeStagedTexts(run, task, ear)),
)

/** Writes descriptions in the loaded staged file, or else in live listings. */
export const descriptionOptimizer = defineScript('description-optimizer', (run) =>
  printTexts(run, descriptionTask(run.flags), run.flags.verbose, (task, ear) =>
    run.source ? writeStagedTexts(run, task, ear) : writeLiveDescriptions(run, task, ear),
  ),
)

/** Only a staged file has a version. */
type Write = (
  task: TextTask,
  ear: WritingReporter,
) => Promise<WrittenTexts & { file?: { id: string; version: number }; isNew?: boolean }>

/** The result of runs that skipped refused records: completed, but a person should look at them. */
const COMPLETED_WITH_ERRORS = 'completed-with-errors'

type Run = Pick<ScriptRun<unknown>, 'jobId' | 'withFence'>

async function printTexts(run: Run, task: TextTask, verbose: boolean, write: Write) {
  const draft = new ReviewDraft()
  const { counts, stopped, file, isNew } = await write(task, {
    report: (text) => {
      if (task.dryRun) draft.add(text)
      const line = reportLine(text, { dryRun: task.dryRun, verbose })
      if (line) (line.isError ? console.error : console.log)(line.text)
    },
    tell: console.log,
  })
  if (task.dryRun) await storeReview(run, { field: task.field, file, draft })
  if (isNew) console.log(`Saved as version ${file?.version}`)
  const summary = summaryOf(counts, task.dryRun)
  const hasErrors = counts.refused > 0 && stopped === undefined
  console.log(hasErrors ? `Completed with errors: ${summary}` : summary)
  if (stopped !== undefined) throw new ScriptRefusal(stopped)
  return {
    ...counts,
    ...(hasErrors && { outcome: COMPLETED_WITH_ERRORS }),
    ...(file && { version: file.version }),
  }
}
