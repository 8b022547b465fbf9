import { useState } from 'react'
import type { User } from '#contract/accounts.ts'
import type { ImportDefaults } from '#contract/import-fields.ts'
import { defaultsOf, withoutEmpty } from './defaults/defaults-of.ts'
import { noDraft, readMemory, remember, rememberDraft } from './import-memory.ts'
import type { RunOptions } from './run/run-options.ts'
import type { RunOrder } from './sending/import-run.ts'
import { standardStaging } from './sending/staging-names.ts'

/** What is set for a run besides its file; kept on this device until the run is sent. */
export function usePreparation(user: User) {
  const [kept] = useState(readMemory)
  const [defaults, setDefaults] = useState(() => kept.draft.defaults ?? defaultsOf(user))
  const [touched, setTouched] = useState(false)
  const [options, setOptions] = useState<RunOptions>(() => ({
    mode: kept.draft.mode,
    dryRun: kept.dryRun,
    chunkSize: kept.chunkSize,
    concurrency: kept.concurrency,
  }))
  const [staging, setStaging] = useState(() => standardStaging(user, new Date()))

  function chooseDefaults(next: ImportDefaults): void {
    setDefaults(next)
    setTouched(true)
    rememberDraft({ defaults: withoutEmpty(next) })
  }
  function chooseOptions(next: RunOptions): void {
    setOptions(next)
    const { mode, ...lasting } = next
    remember(lasting)
    rememberDraft({ mode })
  }
  return {
    defaults,
    setDefaults: chooseDefaults,
    options,
    setOptions: chooseOptions,
    staging,
    setStaging,
    /** Defaults were written and not sent. */
    defaultsTouched: touched,
    /** As a run had it that goes on; what is kept beside it was chosen at the same time or later. */
    adopt({ defaults, staging }: RunOrder): void {
      if (kept.draft.defaults === null) setDefaults(defaults)
      setStaging(staging)
    },
    /** Another file begins as one that adds: what replaces is said of one file. */
    begin(): void {
      if (options.mode !== noDraft.mode) chooseOptions({ ...options, mode: noDraft.mode })
    },
    sent(): void {
      setTouched(false)
      rememberDraft(noDraft)
    },
  }
}
