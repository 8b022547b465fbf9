import { writeLiveDescriptions } from '#server/features/descriptions/live-descriptions.ts'
import {
  type WritingEar,
  type WrittenTexts,
  writeStagedTexts,
} from '#server/features/descriptions/staged-texts.ts'
import { descriptionTask, headingTask, type TextTask } from '#server/features/descriptions/text-desk.ts'
import { reportLine, summaryOf } from '#server/features/descriptions/text-outcomes.ts'
import { defineScript, ScriptRefusal } from '#server/platform/scripts/script-program.ts'

/** Writes a heading for each record of a staged file. */
export const h1Optimizer = defineScript('h1-optimizer', (run) =>
  printTexts(headingTask(run.flags), false, (task, ear) => writeStagedTexts(run, task, ear)),
)

/** Writes descriptions in the loaded staged file, or else in live listings. */
export const descriptionOptimizer = defineScript('description-optimizer', (run) =>
  printTexts(descriptionTask(run.flags), run.flags.verbose, (task, ear) =>
    run.source ? writeStagedTexts(run, task, ear) : writeLiveDescriptions(run, task, ear),
  ),
)

/** Only a staged file has a version. */
type Write = (
  task: TextTask,
  ear: WritingEar,
) => Promise<WrittenTexts & { version?: number; isNew?: boolean }>

async function printTexts(task: TextTask, verbose: boolean, write: Write) {
  const { counts, stopped, version, isNew } = await write(task, {
    report: (report) => {
      const line = reportLine(report, { dryRun: task.dryRun, verbose })
      if (line) (line.isError ? console.error : console.log)(line.text)
    },
    tell: console.log,
  })
  if (isNew) console.log(`Saved as version ${version}`)
  console.log(summaryOf(counts, task.dryRun))
  if (stopped !== undefined) throw new ScriptRefusal(stopped)
  return { ...counts, ...(version !== undefined && { version }) }
}
