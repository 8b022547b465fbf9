import type { MappingTemplate } from '#contract/mapping-templates.ts'
import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import { violatesUnique } from '#server/platform/unique-violation.ts'
import type { NewTemplate } from './mapping-template.ts'
import { insertTemplate } from './template-queries.ts'

/** @throws AppError CONFLICT where there is one of that name (ignoring case and spaces) in the same list */
export async function createTemplate(db: Db, template: NewTemplate): Promise<MappingTemplate> {
  try {
    return await insertTemplate(db, template)
  } catch (error) {
    if (!violatesUnique(error, 'mapping_template_name_unique')) throw error
    const sentence = `There is already a mapping template named “${template.name}”`
    throw new AppError('CONFLICT', sentence, { fields: { name: sentence } })
  }
}
