import { shippedTemplates } from '#contract/column-mapping/shipped-templates.ts'
import type { MappingTemplate } from '#contract/mapping-templates.ts'
import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import { inTransaction } from '#server/platform/in-transaction.ts'
import { violatesUnique } from '#server/platform/unique-violation.ts'
import type { NewTemplate } from './mapping-template.ts'
import { countTemplatesBeside, insertTemplate, lockTemplates } from './template-queries.ts'

// Yards have one a program that exports for them; all of a list are read at once.
const MOST_TEMPLATES = 200

/**
 * @throws AppError CONFLICT where there is one of that name (ignoring case and spaces) in the same list, QUOTA_REACHED
 * where the list is full
 */
export async function createTemplate(
  db: Db,
  { template, productName }: { template: NewTemplate; productName: string },
): Promise<MappingTemplate> {
  const shipped = shippedTemplates(productName).some(({ name }) => isSameName(name, template.name))
  if (shipped && template.scope === 'GLOBAL') throw taken(template.name)
  try {
    return await inTransaction(db, async (trx) => {
      await lockTemplates(trx, template)
      if ((await countTemplatesBeside(trx, template)) >= MOST_TEMPLATES) throw tooMany()
      return insertTemplate(trx, template)
    })
  } catch (error) {
    if (!violatesUnique(error, 'mapping_template_name_unique')) throw error
    throw taken(template.name)
  }
}

const isSameName = (one: string, other: string) => plainName(one) === plainName(other)
/** As the database compares them. */
const plainName = (name: string) => name.toLowerCase().replaceAll(/\s/g, '')

function taken(name: string): AppError {
  const sentence = `There is already a mapping template named “${name}”`
  return new AppError('CONFLICT', sentence, { fields: { name: sentence } })
}

const tooMany = () =>
  new AppError(
    'QUOTA_REACHED',
    `At most ${MOST_TEMPLATES} mapping templates can be saved. Delete one that is no longer used, then save this one.`,
  )
