import type { MappingTemplate } from '#contract/imports.ts'
import type { SaidReading } from '#contract/yard-file/reading.ts'
import type { FileRead } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/upload/use-import-file.ts'
import { choiceOf } from './column-choice.ts'

export const nothingSaid: SaidReading = {}

/** Reads a file as those of the template are; where it is no such file, as its own bytes tell. */
export async function readByTemplate(
  template: MappingTemplate | undefined,
  read: (how: SaidReading) => Promise<FileRead>,
): Promise<FileRead> {
  if (!template?.reading) return await read(nothingSaid)
  const found = await read(template.reading)
  // Another reading is under way, which this file must not end.
  if (found === 'superseded') return found
  const fits = found !== 'unreadable' && choiceOf(template, found.headers).lacking.length === 0
  return fits ? found : await read(nothingSaid)
}
