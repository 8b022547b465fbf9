/* The script of the trial, started by its worker as any other: `node jobs-script.ts --no=1 --steps=3 --ms=200`. */
import { serveSmallScript } from '#tests/support/small-script.ts'
import { takeSteps, trialQueues } from './jobs-trial.ts'

const whole = (label: string) => ({ kind: 'number', label, least: 0 }) as const

await serveSmallScript(
  { name: 'trial', flags: { no: whole('No'), steps: whole('Steps'), ms: whole('Ms') } },
  async (run) => {
    const say = async (line: string) => console.log(line)
    await takeSteps({ ...run, say }, trialQueues.script.payload.parse(run.flags))
    return undefined
  },
)
