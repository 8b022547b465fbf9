import type { Input } from '#contract/endpoint.ts'
import type { ImportMapping } from '#contract/import-fields.ts'
import type { MappingTemplate, templateEndpoints } from '#contract/mapping-templates.ts'
import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { wrongField } from './import-order.ts'
import { readMapping } from './mapping.ts'

export type NewTemplate = Omit<MappingTemplate, 'id' | 'mapping' | 'shipped'> & {
  readonly mapping: ImportMapping
  readonly sellerId: string
  readonly createdBy: string
}

/**
 * Reads a template as it was sent. One for everybody is an administrator's to save; anybody else's becomes their own.
 * @throws AppError VALIDATION_FAILED
 */
export function readTemplate(
  sent: Input<typeof templateEndpoints.createMapping>['body'],
  actor: Actor,
): NewTemplate {
  const isBlank = typeof sent.mapping === 'string' && sent.mapping.trim() === ''
  const mapping = isBlank ? {} : readMapping(sent.mapping)
  if (Object.keys(mapping).length === 0) throw wrongField('mapping', 'Mapping JSON is required')
  return {
    name: sent.name,
    scope: sent.scope === 'GLOBAL' && isAdmin(actor) ? 'GLOBAL' : 'USER',
    mapping,
    description: sent.description?.trim() ?? '',
    reading: sent.reading ?? null,
    sellerId: actor.sellerId,
    createdBy: actor.userId,
  }
}
