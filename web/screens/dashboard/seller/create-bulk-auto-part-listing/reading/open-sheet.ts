import { type Detection, detectReading } from '#contract/yard-file/detect-reading.ts'
import { type ReadingOverride, standardDialect } from '#contract/yard-file/reading.ts'
import { linesOf, SAMPLED_ROWS, sampleSheets } from '#contract/yard-file/workbook/stock-sheets.ts'
import { openWorkbook } from '#contract/yard-file/workbook/workbook.ts'

/** Detects a sheet's layout from its first rows, as for a CSV. In a module of its own, loaded only for workbooks. */
export async function openSheet(
  file: Blob,
  overrides: ReadingOverride,
): Promise<{
  detection: Detection
  sheets: string[]
  together: readonly string[]
  dialect: ReadingOverride
}> {
  const workbook = await openWorkbook(file)
  const { sample, settings, together } = await sampleSheets(workbook, overrides)
  const { ruler: _, ...chosen } = settings
  const dialect: ReadingOverride = {
    ...standardDialect,
    encoding: 'utf-8',
    ...(chosen.sheet !== undefined && { sheet: chosen.sheet }),
    ...(chosen.sheets && { sheets: chosen.sheets }),
  }
  const bytes = new TextEncoder().encode(linesOf(sample).join('\n'))
  const detection = detectReading({ bytes, whole: sample.length < SAMPLED_ROWS }, { ...chosen, ...dialect })
  return {
    // Alternative delimiters and quotes don't apply to a workbook.
    detection: {
      ...detection,
      alternatives: detection.alternatives.filter(
        ({ reading }) => reading.delimiter === ',' && reading.quote === '"',
      ),
    },
    sheets: workbook.sheets,
    together,
    dialect,
  }
}
