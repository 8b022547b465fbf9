import { Alert } from '@mantine/core'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import {
  StagingArea,
  StagingCard,
} from '#web/screens/dashboard/admin/mission-control/preprocess/staging/staging-card.tsx'
import { useStagingPlace } from '#web/screens/dashboard/admin/mission-control/preprocess/staging/use-staged-file.ts'
import { ConsoleCard } from './console-card.tsx'
import classes from './preprocess.module.css'
import { ScriptCard } from './script-card.tsx'
import { checkFlags, useConsoleJob, useScriptChoice } from './script-choice.ts'
import { TextReview } from './text-review/text-review.tsx'
import { hasTextReview } from './text-review/text-reviews.ts'

/** The file, the script that runs on it, and the script's log, in the order of the work. */
export function PreprocessView() {
  const [params] = useSearchParams()
  const job = useConsoleJob()
  const [choice, choose] = useScriptChoice(job, params.has('path'))
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const areas = useRef<HTMLDivElement>(null)
  const { script } = choice
  const place = useStagingPlace()
  const path = place.path.trim()
  const isLive = script.source === 'live'
  const [wasNeeded, setNeeded] = useState(!isLive)
  if (!isLive && !wasNeeded) setNeeded(true)
  const source = isLive || path === '' ? undefined : { root: place.root, path }

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
      {isLive && <NoStaging />}
      {wasNeeded && (
        // Only hidden, so that unsaved changes survive.
        <div style={{ display: isLive ? 'none' : 'contents' }}>
          <StagingCard place={place} />
        </div>
      )}
      <ScriptCard
        choice={choice}
        onChange={(next) => {
          choose(next)
          setProblems({})
        }}
        problems={problems}
      />
      <ConsoleCard job={job} script={script} source={source} checkFlags={check} />
      {job.detail && hasTextReview(job.detail) && <TextReview key={job.detail.id} jobId={job.detail.id} />}
    </div>
  )
}

function NoStaging() {
  return (
    <StagingArea>
      <Alert role="note" color="sea" variant="light">
        This script uses live datasets; no staging file needed.
      </Alert>
    </StagingArea>
  )
}
