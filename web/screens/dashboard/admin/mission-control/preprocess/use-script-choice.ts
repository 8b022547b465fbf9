import { useState } from 'react'
import { choiceOfJob, firstChoice, type ScriptChoice } from './script-choice.ts'
import type { ConsoleJob } from './use-console-job.ts'

/**
 * The script and its flags: those of the job that the address came with, until somebody sets others. Who comes with a
 * staged file (`withFile`) begins at a script for those.
 */
export function useScriptChoice(
  { id, detail }: ConsoleJob,
  withFile: boolean,
): [ScriptChoice, (choice: ScriptChoice) => void] {
  const [choice, choose] = useState(() => firstChoice(withFile ? 'staging' : undefined))
  const [cameWith, setCameWith] = useState(id)
  if (cameWith !== undefined && detail?.id === cameWith) {
    setCameWith(undefined)
    choose(choiceOfJob(detail.payload) ?? choice)
  }
  const chooseInstead = (next: ScriptChoice) => {
    setCameWith(undefined)
    choose(next)
  }
  return [choice, chooseInstead]
}
