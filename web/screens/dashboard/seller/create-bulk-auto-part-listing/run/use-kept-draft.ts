import { useEffect, useEffectEvent } from 'react'
import { noEdits } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import { keepImport } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/kept-import.ts'
import { isElsewhere } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/only-one-tab.ts'
import { runContent } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-content.ts'

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
