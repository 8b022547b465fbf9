import { writeLiveDescriptions } from '#server/features/descriptions/live-descriptions.ts'
import { writeStagedTexts } from '#server/features/descriptions/staged-texts.ts'
import { descriptionTask } from '#server/features/descriptions/text-desk.ts'
import { reportLine, summaryOf, type TextReport } from '#server/features/descriptions/text-outcomes.ts'
import { defineScript, ScriptRefusal } from '#server/platform/scripts/script-program.ts'

/** Writes descriptions in the loaded staged file, or else in live listings. */
export const descriptionOptimizer = defineScript('description-optimizer', async (run) => {
  const task = descriptionTask(run.flags)
  const report = (told: TextReport) => {
    const line = reportLine(told, { dryRun: task.dryRun, verbose: run.flags.verbose })
    if (line) (line.isError ? console.error : console.log)(line.text)
  }
  const ear = { report, tell: console.log }
  const staged = run.source && (await writeStagedTexts(run, task, ear))
  const { counts, stopped } = staged ?? (await writeLiveDescriptions(run, task, ear))
  if (staged?.isNew) console.log(`Saved as version ${staged.version}`)
  console.log(summaryOf(counts, task.dryRun))
  if (stopped !== undefined) throw new ScriptRefusal(stopped)
  return { ...counts, ...(staged && { version: staged.version }) }
})
