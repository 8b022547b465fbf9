import { useEffect, useState } from 'react'
import type { Sheet } from '#web/components/data-grid/sheet.ts'
import { isChanged } from '#web/components/data-grid/sheet-row.ts'
import { notifyInfo } from '#web/components/toasts.tsx'
import { readDrafts, writeDrafts } from './row-drafts.ts'

// One writing for all the rows of a paste, and begun before a page can be closed right after it.
const WAIT_MS = 0

/** Keeps unsaved rows on this device. True once those of the last visit are back, so that loading does not hide them. */
export function useKeptRows(sheet: Sheet, userId: string): boolean {
  const [isRead, setRead] = useState(false)
  useEffect(() => {
    let isOver = false
    let stop = () => {}
    void readDrafts(userId).then((rows) => {
      if (isOver) return
      sheet.restore(rows)
      if (rows.length > 0) notifyInfo('Unsaved changes restored')
      stop = keepRows(sheet, userId)
      setRead(true)
    })
    return () => {
      isOver = true
      stop()
    }
  }, [sheet, userId])
  return isRead
}

function keepRows(sheet: Sheet, userId: string): () => void {
  const waiting = new Set<string>()
  const kept = new Set(sheet.changedRows().map(({ id }) => id))
  let timer: ReturnType<typeof setTimeout> | undefined
  // One after the other, so that an earlier one does not end last.
  let written = Promise.resolve()
  const write = () => {
    clearTimeout(timer)
    timer = undefined
    const rows = [...waiting].flatMap((id) => sheet.row(id) ?? []).filter(isChanged)
    const changed = new Set(rows.map(({ id }) => id))
    const gone = [...waiting].filter((id) => kept.has(id) && !changed.has(id))
    waiting.clear()
    if (rows.length === 0 && gone.length === 0) return
    for (const id of changed) kept.add(id)
    for (const id of gone) kept.delete(id)
    written = written.then(() => writeDrafts(userId, rows, gone))
  }
  const unfollow = sheet.follow((ids) => {
    for (const id of ids) waiting.add(id)
    timer ??= setTimeout(write, WAIT_MS)
  })
  window.addEventListener('pagehide', write)
  return () => {
    unfollow()
    write()
    window.removeEventListener('pagehide', write)
  }
}
