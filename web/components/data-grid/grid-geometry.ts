/** Sizes in pixels, told to the styles by the grid itself. */
export const ROW = 36
export const HEADER = 36

/** Where an element of the page stands in the grid; undefined outside of its cells. */
export function cellAtElement(element: Element | null): { row: number; column: number } | undefined {
  const cell = element?.closest<HTMLElement>('[data-column]')
  const row = cell?.closest<HTMLElement>('[data-row]')
  if (!cell || !row) return undefined
  return { row: Number(row.dataset.row), column: Number(cell.dataset.column) }
}

type Span = { from: number; to: number }

/** Moves a scrolled window so that a span is in sight, as little as possible. */
export function scrollFor(span: Span, scroll: number, size: number): number {
  if (span.from < scroll) return span.from
  if (span.to > scroll + size) return span.to - size
  return scroll
}
