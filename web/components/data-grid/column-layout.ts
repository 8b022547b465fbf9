/** Which columns are in sight and how wide, as it is remembered on the device: pure. */

import type { GridColumn } from './grid-column.ts'

export type ColumnLayout = {
  hidden: readonly string[]
  widths: Readonly<Record<string, number>>
}

const NARROWEST = 48
const WIDEST = 640

export const layoutOf = (columns: readonly GridColumn[]): ColumnLayout => ({
  hidden: columns.filter(({ hiddenAtFirst }) => hiddenAtFirst).map(({ key }) => key),
  widths: {},
})

export const widthOf = ({ key, width }: GridColumn, layout: ColumnLayout): number =>
  layout.widths[key] ?? width

export const shownColumns = (columns: readonly GridColumn[], hidden: readonly string[]): GridColumn[] =>
  columns.filter(({ key }) => !hidden.includes(key))

export function toggleColumn(layout: ColumnLayout, key: string): ColumnLayout {
  const isHidden = layout.hidden.includes(key)
  return {
    ...layout,
    hidden: isHidden ? layout.hidden.filter((one) => one !== key) : [...layout.hidden, key],
  }
}

export function resizeColumn(layout: ColumnLayout, key: string, width: number): ColumnLayout {
  const fitting = Math.round(Math.min(Math.max(width, NARROWEST), WIDEST))
  return { ...layout, widths: { ...layout.widths, [key]: fitting } }
}

/** What is kept may be of an older version of the app, or of another file: only what fits these columns counts. */
export function readLayout(stored: string | null, columns: readonly GridColumn[]): ColumnLayout {
  const usual = layoutOf(columns)
  const kept = parse(stored)
  if (!kept) return usual
  const keys = columns.map(({ key }) => key)
  const hidden = kept.hidden.filter((key) => keys.includes(key))
  if (hidden.length === keys.length) return usual
  const widths = Object.entries(kept.widths).filter(([key]) => keys.includes(key))
  return widths.reduce<ColumnLayout>((layout, [key, width]) => resizeColumn(layout, key, width), {
    hidden,
    widths: {},
  })
}

// Names of files that came by are kept too: more than any one of them has, and little beside what a device holds.
const MOST_KEPT = 500

/** What is to be kept of a changed layout: columns that only other files have stay as they were. */
export function layoutToKeep(
  stored: string | null,
  columns: readonly GridColumn[],
  layout: ColumnLayout,
): ColumnLayout {
  const kept = parse(stored)
  if (!kept) return layout
  const keys = new Set(columns.map(({ key }) => key))
  const others = kept.hidden.filter((key) => !keys.has(key))
  const widthsOfOthers = Object.entries(kept.widths).filter(([key]) => !keys.has(key))
  const widths = [...Object.entries(layout.widths), ...widthsOfOthers]
  return {
    hidden: [...new Set([...layout.hidden, ...others])].slice(0, MOST_KEPT),
    widths: Object.fromEntries(widths.slice(0, MOST_KEPT)),
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parse(text: string | null): ColumnLayout | undefined {
  const kept = jsonIn(text)
  if (!isRecord(kept) || !Array.isArray(kept.hidden) || !isRecord(kept.widths)) return undefined
  const widths = Object.entries(kept.widths).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  )
  return {
    hidden: kept.hidden.filter((key) => typeof key === 'string'),
    widths: Object.fromEntries(widths),
  }
}

function jsonIn(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
