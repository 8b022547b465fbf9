import { Alert } from '@mantine/core'
import { useRef, useState } from 'react'
import { focusFirstProblem } from '#web/components/first-problem.ts'
import { ConsoleCard } from './console-card.tsx'
import classes from './preprocess.module.css'
import { ScriptCard } from './script-card.tsx'
import { checkFlags } from './script-choice.ts'
import { useConsoleJob } from './use-console-job.ts'
import { useScriptChoice } from './use-script-choice.ts'

/** Runs scripts on live data and on staged files, and shows what they say. */
export function PreprocessView() {
  const job = useConsoleJob()
  const [choice, choose] = useScriptChoice(job)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const areas = useRef<HTMLDivElement>(null)
  const { script } = choice

  const check = () => {
    const checked = checkFlags(choice)
    if ('flags' in checked) {
      setProblems({})
      return checked.flags
    }
    setProblems(checked.problems)
    if (areas.current) focusFirstProblem(areas.current)
    return undefined
  }
  return (
    <div ref={areas} className={classes.areas}>
      <ScriptCard
        choice={choice}
        onChange={(next) => {
          choose(next)
          setProblems({})
        }}
        problems={problems}
      />
      <ConsoleCard job={job} script={script} source={undefined} checkFlags={check} />
      {script.source === 'live' && (
        <Alert role="note" color="sea" variant="light" className={classes.whole ?? ''}>
          This script uses live datasets; no staging file needed.
        </Alert>
      )}
    </div>
  )
}
