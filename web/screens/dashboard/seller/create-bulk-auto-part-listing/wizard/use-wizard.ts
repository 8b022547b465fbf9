import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { User } from '#contract/accounts.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { withoutEmpty } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/defaults/fields-json.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import {
  useImportRun,
  useKeptDraft,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/run/use-import-run.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import type { KeptImport } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/kept-import.ts'
import { type ChosenInput, useRunInput } from './use-run-input.ts'
import { obstacleOf, type Wizard, type WizardTab, wizardTab } from './wizard.ts'

/** The page's state: the file, its settings and the run. */
export function useWizard(user: User): Wizard {
  const [tab, goTo] = useWizardTab()
  const run = useImportRun()
  const { state } = run
  const { opened, prepared, ...input } = useRunInput(user, () => {
    if (state.step === 'checked' || state.step === 'failed') run.reset()
  })
  const { file } = input
  const [tries, setTries] = useState(0)
  const locked = state.step === 'sending'
  const obstacle = obstacleOf(input)

  function start(dryRun: boolean): void {
    setTries(tries + 1)
    if (obstacle || !file) {
      goTo(obstacle?.tab ?? 'upload')
      return
    }
    void run.start(orderOf({ ...input, prepared }, file, dryRun))
    goTo(dryRun ? 'validate' : 'run')
  }
  async function startImport(): Promise<void> {
    const asks = prepared.options.mode === 'replace' && file !== undefined && obstacle === undefined
    if (!asks || (await askToReplace(file.file.name))) start(false)
  }
  async function choose(next: File): Promise<void> {
    if (locked) return
    run.reset()
    setTries(0)
    prepared.begin()
    if (await opened.choose(next)) goTo('mapping')
  }
  const isOpen = state.step === 'idle' || state.step === 'checked'
  useKeptDraft(isOpen && file ? orderOf({ ...input, prepared }, file, true) : undefined)
  useFinished(state.step, goTo, prepared.sent)
  useRestored(run.restored, ({ phase, order }) => {
    if (opened.chosen.step !== 'none' || opened.chosen.problem !== undefined) return
    opened.adopt(order.file)
    prepared.adopt(order)
    // A resumed run may not have started yet, so don't rely on its state.
    if (tab === 'guide' && phase !== 'draft') goTo(order.dryRun ? 'validate' : 'run')
  })

  return {
    ...input,
    user,
    preview: user.sellerTier !== 'PAID',
    tab,
    goTo,
    chosen: opened.chosen,
    said: opened.said,
    choose: (next) => void choose(next),
    options: prepared.options,
    setOptions: prepared.setOptions,
    staging: prepared.staging,
    setStaging: prepared.setStaging,
    run,
    locked,
    unsaved: input.unsaved && state.step !== 'sent',
    tries,
    obstacle: tries > 0 ? obstacle : undefined,
    check: () => start(true),
    startImport: () => void startImport(),
  }
}

type Ordered = Pick<ChosenInput, 'columns' | 'defaults' | 'edits' | 'prepared'>

function orderOf(
  { columns, defaults, edits, prepared }: Ordered,
  file: ImportFile,
  dryRun: boolean,
): RunOrder {
  const { mode, chunkSize, concurrency } = prepared.options
  return {
    file,
    mapping: columns.mapping,
    defaults: withoutEmpty(defaults),
    mode,
    dryRun,
    chunkSize,
    concurrency,
    edits,
    staging: prepared.staging,
  }
}

/** Opens the result when a run finishes, from any tab. */
function useFinished(step: string, goTo: Wizard['goTo'], onSent: () => void): void {
  const finished = useEffectEvent(() => {
    if (step === 'checked') goTo('validate')
    if (step !== 'sent') return
    onSent()
    goTo('results')
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the run finishes
  useEffect(() => finished(), [step])
}

/** Restores the file and settings of a run started before a reload. */
function useRestored(
  restored: KeptImport | 'looking' | undefined,
  onRestored: (kept: KeptImport) => void,
): void {
  const take = useEffectEvent(onRestored)
  useEffect(() => {
    if (restored !== undefined && restored !== 'looking') take(restored)
  }, [restored])
}

/** The tab is stored in the URL, so that Back and reload keep it. */
function useWizardTab() {
  const [params, setParams] = useSearchParams()
  const tab = wizardTab(params.get('tab'))
  const goTo = useCallback(
    (next: WizardTab) =>
      setParams(
        (now) => {
          const address = new URLSearchParams(now)
          address.set('tab', next)
          return address
        },
        // Don't add a history entry for the tab that is already open.
        { replace: next === tab, preventScrollReset: next === tab },
      ),
    [setParams, tab],
  )
  return [tab, goTo] as const
}

const askToReplace = (fileName: string): Promise<boolean> =>
  askToConfirm({
    title: 'Replace your stock with this file?',
    text: `Parts from your earlier imports that are not in ${fileName} will end as sold elsewhere. Parts you listed by hand are kept. You can undo the import for 30 days.`,
    confirm: 'Replace my stock',
  })
