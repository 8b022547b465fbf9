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

/** What is kept may be of an older version of the app: only what still fits counts. */
export function readLayout(stored: string | null, columns: readonly GridColumn[]): ColumnLayout {
  const usual = layoutOf(columns)
  const kept = parse(stored)
  if (!isRecord(kept) || !Array.isArray(kept.hidden) || !isRecord(kept.widths)) return usual
  const keys = columns.map(({ key }) => key)
  const hidden = kept.hidden.filter((key): key is string => keys.includes(String(key)))
  if (hidden.length === keys.length) return usual
  const widths = Object.entries(kept.widths).filter(
    (entry): entry is [string, number] => keys.includes(entry[0]) && typeof entry[1] === 'number',
  )
  return widths.reduce<ColumnLayout>((layout, [key, width]) => resizeColumn(layout, key, width), {
    hidden,
    widths: {},
  })
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
