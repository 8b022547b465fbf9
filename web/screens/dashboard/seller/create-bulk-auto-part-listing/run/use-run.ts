import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { importEndpoints } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { noEdits } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import type {
  RunOrder,
  RunState,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-order.ts'
import { BrowserRun } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run.ts'
import {
  type KeptImport,
  keepImport,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/kept-import.ts'
import { runsInOtherTab } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/only-one-tab.ts'
import { contentOf } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/send-order.ts'
import { importSentence } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-failures.ts'
import {
  endRun,
  findRun,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-memory.ts'

export type ImportRun = ReturnType<typeof useImportRun>

const importsChanged = (client: QueryClient) => void client.invalidateQueries({ queryKey: ['imports'] })

/**
 * The page's run and its actions. Leaving the page ends the run; coming back resumes it and restores what was left,
 * drafts too.
 */
export function useImportRun(onRestored: (kept: KeptImport) => void) {
  const client = useQueryClient()
  const [state, setState] = useState<RunState>({ step: 'idle' })
  const restore = useEffectEvent(onRestored)
  const [runner] = useState(
    () => new BrowserRun({ show: setState, onImport: () => importsChanged(client) }),
  )
  useEffect(() => {
    const left = new AbortController()
    void runner.resume(left.signal).then((kept) => {
      if (kept && !left.signal.aborted) restore(kept)
    })
    return () => {
      left.abort()
      runner.end()
    }
  }, [runner])
  const withdrawal = useWithdrawal(() => setState({ step: 'idle' }))

  return {
    state,
    start: (order: RunOrder): Promise<void> => runner.start(order),
    setPaused: (paused: boolean): void => runner.setPaused(paused),
    /** Ends a dry run. An import can be resumed or withdrawn afterwards. */
    stop(): void {
      if (state.step !== 'sending') return
      const { order, progress } = state
      runner.end()
      void keepImport({ phase: order.dryRun ? 'draft' : 'stopped', order })
      setState(order.dryRun ? { step: 'idle' } : { step: 'stopped', order, progress })
    },
    /** Withdraws the uploaded rows of a stopped or failed import. */
    withdraw(): void {
      if (state.step === 'stopped' || state.step === 'failed') withdrawal.mutate(state.order)
    },
    isWithdrawing: withdrawal.isPending,
    /** Ends the run and drops a dry run's result, because its input changed. */
    reset(): void {
      runner.end()
      // Keep the file, but don't resume automatically.
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
      const run = findRun(contentOf(order))
      if (run?.importId !== undefined)
        await call(importEndpoints.undoImport, { params: { id: run.importId } })
      if (run) endRun(run)
      await keepImport({ phase: 'draft', order })
    },
    onSuccess: onWithdrawn,
    onError: (error) => notifyProblem(importSentence(error, 'The uploaded rows could not be deleted')),
    onSettled: () => importsChanged(client),
  })
}

/** The draft is saved this long after the last change. */
const QUIET_MS = 700

/**
 * Stores the chosen file and its settings on this device, so that a reload restores both. Row corrections are stored
 * separately. `order` is undefined if there is nothing to store or a run stores itself.
 */
export function useKeptDraft(order: RunOrder | undefined): void {
  const draft = order && { ...order, edits: noEdits }
  const content = draft && contentOf(draft)
  const file = draft?.file.file
  const keep = useEffectEvent(async () => {
    // A running upload in another tab uses the same storage.
    if (draft && !(await runsInOtherTab())) await keepImport({ phase: 'draft', order: draft })
  })
  // Store a new file right away, because the user may leave at any time.
  useEffect(() => {
    if (file) void keep()
  }, [file])
  useEffect(() => {
    if (content === undefined) return
    const timer = setTimeout(() => void keep(), QUIET_MS)
    return () => clearTimeout(timer)
  }, [content])
}
