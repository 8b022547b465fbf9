import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { importEndpoints } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { noEdits } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import type {
  RunOrder,
  RunState,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import { ImportRunner } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-runner.ts'
import {
  type KeptImport,
  keepImport,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/kept-import.ts'
import { isElsewhere } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/only-one-tab.ts'
import { runContent } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-import.ts'
import { importSentence } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-failures.ts'
import {
  endRun,
  findRun,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-memory.ts'

export type ImportRun = ReturnType<typeof useImportRun>

const importsChanged = (client: QueryClient) => void client.invalidateQueries({ queryKey: ['imports'] })

/** The run of the page: begun, paused, stopped, and what came of it. Leaving the page ends it; coming back it goes on. */
export function useImportRun() {
  const client = useQueryClient()
  const [state, setState] = useState<RunState>({ step: 'idle' })
  /** What an earlier visit left, also where nothing of it is under way; `looking` until that is known. */
  const [restored, setRestored] = useState<KeptImport | 'looking' | undefined>('looking')
  const [runner] = useState(
    () => new ImportRunner({ show: setState, onImport: () => importsChanged(client) }),
  )
  useEffect(() => {
    const left = new AbortController()
    void runner.goOn(left.signal).then((kept) => left.signal.aborted || setRestored(kept))
    return () => {
      left.abort()
      runner.end()
    }
  }, [runner])
  const withdrawal = useWithdrawal(() => setState({ step: 'idle' }))

  return {
    state,
    restored,
    start: (order: RunOrder): Promise<void> => runner.start(order),
    setPaused: (paused: boolean): void => runner.setPaused(paused),
    /** A dry run simply ends; of an import what has arrived is kept, to go on or to be withdrawn. */
    stop(): void {
      if (state.step !== 'sending') return
      const { order, progress } = state
      runner.end()
      void keepImport({ phase: order.dryRun ? 'draft' : 'stopped', order })
      setState(order.dryRun ? { step: 'idle' } : { step: 'stopped', order, progress })
    },
    /** Takes back what has arrived of an import that was stopped or failed. */
    withdraw(): void {
      if (state.step === 'stopped' || state.step === 'failed') withdrawal.mutate(state.order)
    },
    isWithdrawing: withdrawal.isPending,
    /** Ends what is on its way, and forgets what a dry run found: something it depends on was changed. */
    reset(): void {
      runner.end()
      // The file stays at hand; nothing of it goes on by itself.
      if (state.step === 'sending' || state.step === 'stopped' || state.step === 'failed') {
        void keepImport({ phase: 'draft', order: state.order })
      }
      setState({ step: 'idle' })
    },
  }
}

function useWithdrawal(onWithdrawn: () => void) {
  const client = useQueryClient()
  return useMutation({
    async mutationFn(order: RunOrder) {
      const run = findRun(runContent(order))
      if (run?.importId !== undefined)
        await call(importEndpoints.undoImport, { params: { id: run.importId } })
      if (run) endRun(run)
      await keepImport({ phase: 'draft', order })
    },
    onSuccess: onWithdrawn,
    onError: (error) => notifyProblem(importSentence(error, 'The import could not be withdrawn')),
    onSettled: () => importsChanged(client),
  })
}

/** So long after the last change it is kept. */
const QUIET_MS = 700

/**
 * Keeps a file that was chosen and what is set for it on this device, so that a reload brings both back. Corrections of
 * rows are kept on their own. Undefined where there is nothing to keep, or a run keeps itself.
 */
export function useKeptDraft(order: RunOrder | undefined): void {
  const draft = order && { ...order, edits: noEdits }
  const content = draft && runContent(draft)
  const file = draft?.file.file
  const keep = useEffectEvent(async () => {
    // What another tab sends is kept in the same place.
    if (draft && !(await isElsewhere())) await keepImport({ phase: 'draft', order: draft })
  })
  // A file at once: somebody may leave as soon as it is there.
  useEffect(() => {
    if (file) void keep()
  }, [file])
  useEffect(() => {
    if (content === undefined) return
    const timer = setTimeout(() => void keep(), QUIET_MS)
    return () => clearTimeout(timer)
  }, [content])
}
