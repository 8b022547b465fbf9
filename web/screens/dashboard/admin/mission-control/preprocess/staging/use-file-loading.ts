import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/failure-words.ts'
import { readFile, readWindow } from './read-file.ts'
import type { OpenFile } from './staged-file.ts'
import type { StagedName } from './staging-calls.ts'

export type Load = StagedName & {
  /** The first of the rows that are wanted, of a file that is too large to be shown at once. */
  from?: number
  /** Nobody asked for it at this moment: it must not take the place of what is being typed. */
  unlessTouched?: boolean
}

/** Reads files for the editor. Answers may come in another order than they were asked for: the newest one counts. */
export function useFileLoading(onRead: (file: OpenFile, load: Load) => void) {
  const newest = useRef<Load>(undefined)
  const reading = useMutation({
    mutationFn: ({ root, path, from }: Load) =>
      from === undefined ? readFile({ root, path }) : readWindow({ root, path }, from),
    onSuccess: (file, load) => {
      if (load === newest.current) onRead(file, load)
    },
    onError: (error, load) => {
      if (load !== newest.current) return
      notifyProblem(failureWords(error, 'Failed to load'), { about: 'staging' })
    },
    onSettled: (_file, _error, load) => {
      if (load === newest.current) newest.current = undefined
    },
  })
  const start = (load: Load) => {
    newest.current = load
    reading.mutate(load)
  }
  return {
    start,
    /** Asked at the moment itself: what was drawn last may be from before a click. */
    isUnderWay: () => newest.current !== undefined,
    isPending: reading.isPending,
    load: reading.variables,
    file: reading.data,
  }
}
