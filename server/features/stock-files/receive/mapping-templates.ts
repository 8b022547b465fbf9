import { sql } from 'kysely'
import {
  isShippedTemplate,
  shippedMapping,
  shippedTemplates,
} from '#contract/column-mapping/shipped-templates.ts'
import type { ImportMapping } from '#contract/csv/import-fields.ts'
import type { Input } from '#contract/endpoint.ts'
import type { importEndpoints, MappingTemplate } from '#contract/imports.ts'
import type { CsvForm, ReadingOverride } from '#contract/yard-file/reading.ts'
import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction, violatesUnique } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { wrongField } from './import-order.ts'
import { readMapping } from './mapping.ts'

type NewTemplate = Omit<MappingTemplate, 'id' | 'mapping' | 'shipped'> & {
  readonly mapping: ImportMapping
  readonly sellerId: string
  readonly createdBy: string
}

/**
 * Reads a template from a request. Only administrators can save global ones; anyone else's become their own.
 * @throws AppError VALIDATION_FAILED
 */
export function readTemplate(
  sent: Input<typeof importEndpoints.createMapping>['body'],
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

const TEMPLATE_COLUMNS = sql`id, name, scope, mapping, description, reading, false as shipped`

export type TemplateLists = { mine: MappingTemplate[]; global: MappingTemplate[] }

/** The seller's own templates, and the global ones, starting with the built-in ones. */
export async function listTemplates(
  db: Db,
  { sellerId, productName }: { sellerId: string; productName: string },
): Promise<TemplateLists> {
  const { rows } = await sql<MappingTemplate>`
    select ${TEMPLATE_COLUMNS} from mapping_template
    where seller_id = ${sellerId} or scope = 'GLOBAL'
    order by lower(name), id
  `.execute(db)
  return {
    mine: rows.filter(({ scope }) => scope === 'USER'),
    global: [...shippedTemplates(productName), ...rows.filter(({ scope }) => scope === 'GLOBAL')],
  }
}

/** A mapping that the seller may use: their own, a global or a built-in one. */
async function findMapping(
  db: Db,
  { id, sellerId }: { id: string; sellerId: string },
): Promise<FoundMapping | undefined> {
  const shipped = shippedMapping(id)
  if (shipped) return { mapping: shipped, reading: null }
  const { rows } = await sql<FoundMapping>`
    select mapping, reading from mapping_template
    where id::text = ${id} and (seller_id = ${sellerId} or scope = 'GLOBAL')
  `.execute(db)
  return rows[0]
}

type FoundMapping = { mapping: ImportMapping; reading: ReadingOverride | null }

/** The size of the list that the template would join; nobody else can add to it until the transaction ends. */
async function lockList(trx: Db, { scope, sellerId }: NewTemplate): Promise<number> {
  const owner = scope === 'GLOBAL' ? null : sellerId
  const list = `mapping-templates:${owner ?? 'everybody'}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${list}, 0))`.execute(trx)
  const { rows } = await sql<{ count: number }>`
    select count(*) from mapping_template where seller_id is not distinct from ${owner}::uuid
  `.execute(trx)
  return rows[0]?.count ?? 0
}

async function insertTemplate(db: Db, made: NewTemplate): Promise<MappingTemplate> {
  const { rows } = await sql<MappingTemplate>`
    insert into mapping_template (scope, seller_id, created_by, name, mapping, description, reading)
    values (${made.scope}, ${made.scope === 'GLOBAL' ? null : made.sellerId}, ${made.createdBy}, ${made.name},
            ${JSON.stringify(made.mapping)}, ${made.description},
            ${made.reading && JSON.stringify(made.reading)})
    returning ${TEMPLATE_COLUMNS}
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error('The inserted template was not returned')
  return row
}

/** Deletes a seller's own template, or a global one if allowed; returns its name. */
async function deleteTemplateRow(
  trx: Db,
  { id, sellerId, globalToo }: { id: string; sellerId: string; globalToo: boolean },
): Promise<Pick<MappingTemplate, 'name' | 'scope'> | undefined> {
  const { rows } = await sql<Pick<MappingTemplate, 'name' | 'scope'>>`
    delete from mapping_template
    where id = ${id} and (seller_id = ${sellerId} or (${globalToo} and scope = 'GLOBAL'))
    returning name, scope
  `.execute(trx)
  return rows[0]
}

// Yards need one for each program that exports for them; a list is read in one query.
const MAX_TEMPLATES = 200

/** @throws AppError CONFLICT if its list has one of that name (ignoring case and spaces), QUOTA_REACHED if it is full */
export async function createTemplate(
  db: Db,
  { template, productName }: { template: NewTemplate; productName: string },
): Promise<MappingTemplate> {
  const shipped = shippedTemplates(productName).some(({ name }) => isSameName(name, template.name))
  if (shipped && template.scope === 'GLOBAL') throw taken(template.name)
  try {
    return await inTransaction(db, async (trx) => {
      if ((await lockList(trx, template)) >= MAX_TEMPLATES) throw tooMany()
      return insertTemplate(trx, template)
    })
  } catch (error) {
    if (!violatesUnique(error, 'mapping_template_name_unique')) throw error
    throw taken(template.name)
  }
}

const isSameName = (one: string, other: string) => plainName(one) === plainName(other)
/** Same as the database's comparison. */
const plainName = (name: string) => name.toLowerCase().replaceAll(/\s/g, '')

function taken(name: string): AppError {
  const sentence = `“${name}” already exists`
  return new AppError('CONFLICT', sentence, { fields: { name: sentence } })
}

const tooMany = () =>
  new AppError(
    'QUOTA_REACHED',
    `At most ${MAX_TEMPLATES} mapping templates can be saved. Delete one that is no longer used, then save this one.`,
  )

/** @throws AppError NOT_FOUND for a template that the caller may not delete, CONFLICT for a built-in one */
export async function deleteTemplate(
  db: Db,
  by: { id: string; actor: Actor; ip: string; requestId: string },
): Promise<void> {
  const { id, actor, ip, requestId } = by
  if (isShippedTemplate(id)) {
    throw new AppError('CONFLICT', 'This mapping template comes with the product and cannot be deleted.')
  }
  await db.transaction().execute(async (trx) => {
    const deleted = await deleteTemplateRow(trx, { id, sellerId: actor.sellerId, globalToo: isAdmin(actor) })
    if (!deleted) throw new AppError('NOT_FOUND', 'There is no such mapping template.')
    await writeAudit(trx, {
      action: 'mapping-template-deleted',
      actorUserId: actor.userId,
      target: id,
      ip,
      requestId,
      detail: deleted,
    })
  })
}

export type NamedMapping = Pick<CsvForm, 'mappingId' | 'mapping'>

/** A mapping, and a template's settings for reading its files. */
export type ResolvedMapping = {
  readonly mapping: ImportMapping
  readonly reading: ReadingOverride
  readonly templateId?: string
}

/**
 * The mapping of a call. A template overrides a mapping sent with it.
 * @throws AppError VALIDATION_FAILED if there is none, or the seller has no such template
 */
export async function resolveMapping(db: Db, actor: Actor, named: NamedMapping): Promise<ResolvedMapping> {
  const id = named.mappingId?.trim()
  if (id) {
    const found = await findMapping(db, { id, sellerId: actor.sellerId })
    if (found) return { mapping: found.mapping, reading: found.reading ?? {}, templateId: id }
    throw wrongField('mappingId', 'There is no such mapping template (mappingId). Choose another one.')
  }
  const mapping = named.mapping?.trim() ? readMapping(named.mapping) : {}
  if (Object.keys(mapping).length > 0) return { mapping, reading: {} }
  throw wrongField('mapping', 'mapping or mappingId is required')
}
