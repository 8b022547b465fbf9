import { promisifyRequest } from 'idb-keyval'
import { useEffect, useState } from 'react'
import { openDeviceStore, unsavedRows } from '#web/api/device-copies.ts'
import type { Sheet } from '#web/components/data-grid/sheet.ts'
import { isChanged, type SheetRow } from '#web/components/data-grid/sheet-row.ts'
import { notifyInfo } from '#web/components/toasts.tsx'

// Batches the rows of a paste into one write, and starts it before the page can be closed.
const WAIT_MS = 0

/** Stores unsaved rows on this device. Returns true once those of the last visit are restored: load the list after that. */
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
  // Writes run in order, so that an earlier one cannot finish last.
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

/** Unsaved rows with their base values, by user. They survive a reload and a crash. */
const store = openDeviceStore(unsavedRows, 'drafts')

async function readDrafts(user: string): Promise<SheetRow[]> {
  try {
    const range = IDBKeyRange.bound([user], [user, []])
    const rows: unknown[] = await store('readonly', (rows) => promisifyRequest(rows.getAll(range)))
    return rows.filter(isRow)
  } catch {
    return []
  }
}

// Writing this many takes a few milliseconds; thousands at once would delay typing.
const ROWS_A_STEP = 200

async function writeDrafts(user: string, kept: readonly SheetRow[], gone: readonly string[]): Promise<void> {
  try {
    for (let at = 0; at < Math.max(kept.length, gone.length); at += ROWS_A_STEP) {
      await store('readwrite', (rows) => {
        for (const row of kept.slice(at, at + ROWS_A_STEP)) rows.put(row, [user, row.id])
        for (const id of gone.slice(at, at + ROWS_A_STEP)) rows.delete([user, id])
        return promisifyRequest(rows.transaction)
      })
    }
  } catch {
    // Storage is full or blocked: leaving the page still asks first.
  }
}

/** An older version of the app may have stored another shape. */
function isRow(row: unknown): row is SheetRow {
  if (typeof row !== 'object' || row === null) return false
  return ['id', 'version', 'values', 'pending', 'broken', 'refused', 'errors'].every((name) => name in row)
}
