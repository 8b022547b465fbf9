import type { ImportField } from '#contract/import-fields.ts'
import type { ColumnChoice } from './column-choice.ts'

/** How sure a field's column is, in a word and the colour of its pill, and why. */
export type Confidence = { word: string | undefined; color: string; reason: string | undefined }

const LIKELY_FROM = 0.5

export function confidenceOf(
  { mapping, reasons, templateId, first }: ColumnChoice,
  field: ImportField,
): Confidence {
  const reason = reasons[field]
  if (reason !== undefined) {
    if (reason.sure) return { word: 'Sure', color: 'good', reason: reason.reason }
    const word = reason.confidence >= LIKELY_FROM ? 'Likely' : 'A guess'
    return { word: `${word}, please check`, color: 'warning', reason: reason.reason }
  }
  if (mapping[field] === undefined) {
    return first.includes(field)
      ? { word: 'No column', color: 'bad', reason: undefined }
      : { word: undefined, color: 'gray', reason: undefined }
  }
  return templateId === null
    ? { word: 'Your choice', color: 'gray', reason: undefined }
    : { word: 'Template', color: 'sea', reason: undefined }
}
