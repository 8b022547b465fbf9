import { writeStagedTexts } from '#server/features/descriptions/staged-texts.ts'
import { headingTask } from '#server/features/descriptions/text-desk.ts'
import { reportLine, summaryOf } from '#server/features/descriptions/text-outcomes.ts'
import { defineScript, ScriptRefusal } from '#server/platform/scripts/script-program.ts'

/** Writes a heading for each record of a staged file. */
export const h1Optimizer = defineScript('h1-optimizer', async (run) => {
  const task = headingTask(run.flags)
  const { counts, stopped, version, isNew } = await writeStagedTexts(run, task, {
    report: (report) => {
      const line = reportLine(report, { dryRun: task.dryRun, verbose: false })
      if (line) (line.isError ? console.error : console.log)(line.text)
    },
    tell: console.log,
  })
  if (isNew) console.log(`Saved as version ${version}`)
  console.log(summaryOf(counts, task.dryRun))
  if (stopped !== undefined) throw new ScriptRefusal(stopped)
  return { ...counts, version }
})
