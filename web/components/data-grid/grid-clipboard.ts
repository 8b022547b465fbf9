import type { ClipboardEvent } from 'react'
import type { Grid } from './grid.ts'
import { copyCells, cutCells, pasteText } from './grid-edits.ts'

/** Fields in the grid have a clipboard of their own. */
const isOfGrid = (event: ClipboardEvent<HTMLElement>) => event.target === event.currentTarget

export function gridClipboard(grid: Grid, onTooLong: (sentence: string) => void) {
  const put = (event: ClipboardEvent<HTMLElement>, text: () => string) => {
    if (!isOfGrid(event)) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', text())
  }
  return {
    onCopy: (event: ClipboardEvent<HTMLElement>) => put(event, () => copyCells(grid)),
    onCut: (event: ClipboardEvent<HTMLElement>) => put(event, () => cutCells(grid)),
    onPaste(event: ClipboardEvent<HTMLElement>) {
      if (!isOfGrid(event)) return
      event.preventDefault()
      const leftOut = pasteText(grid, event.clipboardData.getData('text/plain'))
      if (leftOut !== undefined) onTooLong(leftOut)
    },
  }
}
