import { useSyncExternalStore } from 'react'
import type { Draft } from './staged-file.ts'

/** Whether there is something to save; looks again at every change of a cell. */
export function useIsChanged(draft: Draft): boolean {
  const sheet = draft.mode === 'csv' ? draft.sheet.sheet : undefined
  const changed = useSyncExternalStore(sheet?.subscribe ?? never, () => (sheet?.view().changed ?? 0) > 0)
  return draft.isChanged || changed
}

const never = () => () => undefined
