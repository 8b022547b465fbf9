import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { z } from 'zod'
import { automationEndpoints } from '#contract/admin/automation.ts'
import {
  defaultFlags,
  type Flags,
  findScript,
  flagsSchema,
  type ScriptDefinition,
  type ScriptPayload,
  scripts,
} from '#contract/admin/scripts.ts'
import { call } from '#web/api/client.ts'
import { jobKey } from '#web/screens/dashboard/admin/mission-control/jobs/job-detail/live-job.ts'
import { withJob } from '#web/screens/dashboard/admin/mission-control/jobs/job-lists.ts'

/**
 * The script and its flags: those of the job in the URL until the user changes them. With a staged file in the URL
 * (`withFile`), starts with a script for staged files.
 */
export function useScriptChoice(
  { id, detail }: ConsoleJob,
  withFile: boolean,
): [ScriptChoice, (choice: ScriptChoice) => void] {
  const [choice, choose] = useState(() => firstChoice(withFile))
  const [linkedJob, setLinkedJob] = useState(id)
  if (linkedJob !== undefined && detail?.id === linkedJob) {
    setLinkedJob(undefined)
    choose(choiceOfJob(detail.payload) ?? choice)
  }
  const chooseInstead = (next: ScriptChoice) => {
    setLinkedJob(undefined)
    choose(next)
  }
  return [choice, chooseInstead]
}

export type ConsoleJob = ReturnType<typeof useConsoleJob>

/** The console's job. Its id is in the URL, so that a reload or a link shows the same job. */
export function useConsoleJob() {
  const [params, setParams] = useSearchParams()
  const parsed = z.uuid().safeParse(params.get('job'))
  const id = parsed.success ? parsed.data : undefined
  const { data: detail } = useQuery({
    queryKey: jobKey(id ?? ''),
    queryFn: id ? ({ signal }) => call(automationEndpoints.readJob, { params: { id }, signal }) : skipToken,
  })
  const show = (next: string | undefined) =>
    setParams((now) => withJob(now, next), { replace: true, preventScrollReset: true })
  return { id, detail, show }
}

/** The values of the controls; numbers as typed. */
type FlagTexts = Readonly<Record<string, string | boolean>>

export type ScriptChoice = { script: ScriptDefinition; texts: FlagTexts }

/** A script with its default flags. */
export function choiceOf(script: ScriptDefinition): ScriptChoice {
  return { script, texts: textsOf(script, defaultFlags) }
}

/** The first script, or the first one for staged files. */
function firstChoice(withFile: boolean): ScriptChoice {
  const script = scripts.find(({ source }) => !withFile || source === 'staging')
  if (!script) throw new Error('contract/admin/scripts.ts lists no script')
  return choiceOf(script)
}

/** The script and flags of a job, or undefined for other jobs. */
export function choiceOfJob(payload: Readonly<Record<string, unknown>>): ScriptChoice | undefined {
  const { scriptId, flags } = payload as Partial<ScriptPayload>
  const script = typeof scriptId === 'string' ? findScript(scriptId) : undefined
  return script && { script, texts: textsOf(script, flags ?? {}) }
}

/** In the order of the controls, so that arguments keep their order while flags change. */
function textsOf(script: ScriptDefinition, flags: Readonly<Record<string, unknown>>): FlagTexts {
  const text = (kind: string, value: unknown) => {
    if (kind === 'boolean') return value === true
    return value === undefined || value === null ? '' : String(value)
  }
  return Object.fromEntries(
    Object.entries(script.flags).map(([name, { kind }]) => [name, text(kind, flags[name])]),
  )
}

type Checked = { flags: Flags } | { problems: Readonly<Record<string, string>> }

/** Returns the parsed flags or the problems by flag. */
export function checkFlags({ script, texts }: ScriptChoice): Checked {
  const checked = flagsSchema(script).safeParse(texts)
  if (checked.success) return { flags: checked.data }
  const problems = checked.error.issues.map(({ path, message }) => [String(path[0] ?? ''), message] as const)
  // Keep the first of several problems of a flag.
  return { problems: Object.fromEntries(problems.toReversed()) }
}
