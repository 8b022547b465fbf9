import { type Detection, detectReading } from '#contract/yard-file/detect-reading.ts'
import { type ReadingOverride, standardDialect } from '#contract/yard-file/reading.ts'
import { standardLine } from '#contract/yard-file/records.ts'
import { openWorkbook } from '#contract/yard-file/workbook/workbook.ts'

const SAMPLED_ROWS = 300

/** Detects a sheet's layout from its first rows, as for a CSV. In a module of its own, loaded only for workbooks. */
export async function openSheet(
  file: Blob,
  settings: ReadingOverride,
): Promise<{ detection: Detection; sheets: string[]; dialect: ReadingOverride }> {
  const { sheets, rows } = await openWorkbook(file)
  const sheet = settings.sheet ?? sheets[0] ?? ''
  const { text, whole } = await firstRows(rows(sheet))
  const bytes = new TextEncoder().encode(text)
  const dialect: ReadingOverride = { ...standardDialect, encoding: 'utf-8', sheet }
  const detection = detectReading({ bytes, whole }, { ...settings, ...dialect })
  return {
    // Alternative delimiters and quotes don't apply to a workbook.
    detection: {
      ...detection,
      alternatives: detection.alternatives.filter(
        ({ reading }) => reading.delimiter === ',' && reading.quote === '"',
      ),
    },
    sheets,
    dialect,
  }
}

async function firstRows(rows: AsyncIterable<string[][]>): Promise<{ text: string; whole: boolean }> {
  const lines: string[] = []
  let width = 0
  for await (const batch of rows) {
    for (const cells of batch) {
      if (lines.length === SAMPLED_ROWS) return { text: lines.join(''), whole: false }
      // A workbook's rows end at their last value; a CSV's have all cells.
      width = Math.max(width, cells.length)
      const padded = cells.length === 0 ? [] : [...cells, ...Array<string>(width - cells.length).fill('')]
      lines.push(`${standardLine(padded)}\n`)
    }
  }
  return { text: lines.join(''), whole: true }
}
