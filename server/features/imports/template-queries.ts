import { sql } from 'kysely'
import { shippedMapping, shippedTemplates } from '#contract/column-mapping/shipped-templates.ts'
import type { ImportMapping } from '#contract/import-fields.ts'
import type { MappingTemplate } from '#contract/mapping-templates.ts'
import type { SaidReading } from '#contract/yard-file/reading.ts'
import type { Db } from '#server/platform/database.ts'
import type { NewTemplate } from './mapping-template.ts'

const TEMPLATE_COLUMNS = sql`id, name, scope, mapping, description, reading, false as shipped`

export type TemplateLists = { mine: MappingTemplate[]; global: MappingTemplate[] }

/** The seller's own, and those for everybody: first the ones that come with the product, under its name. */
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

/** A mapping that the seller may use: an own one, one for everybody, or one that comes with the product. */
export async function findMapping(
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

type FoundMapping = { mapping: ImportMapping; reading: SaidReading | null }

type ListOf = Pick<NewTemplate, 'scope' | 'sellerId'>

/** Until the transaction ends nobody else adds to the seller's list, or to the one for everybody. */
export async function lockTemplates(trx: Db, { scope, sellerId }: ListOf): Promise<void> {
  const list = scope === 'GLOBAL' ? 'everybody' : sellerId
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mapping-templates:${list}`}, 0))`.execute(trx)
}

/** How many there are in the list that such a one would join. */
export async function countTemplatesBeside(trx: Db, { scope, sellerId }: ListOf): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from mapping_template
    where seller_id is not distinct from ${scope === 'GLOBAL' ? null : sellerId}::uuid
  `.execute(trx)
  return rows[0]?.count ?? 0
}

export async function insertTemplate(db: Db, made: NewTemplate): Promise<MappingTemplate> {
  const { rows } = await sql<MappingTemplate>`
    insert into mapping_template (scope, seller_id, created_by, name, mapping, description, reading)
    values (${made.scope}, ${made.scope === 'GLOBAL' ? null : made.sellerId}, ${made.createdBy}, ${made.name},
            ${JSON.stringify(made.mapping)}, ${made.description},
            ${made.reading && JSON.stringify(made.reading)})
    returning ${TEMPLATE_COLUMNS}
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error('a template was inserted and did not come back')
  return row
}

/** Deletes a seller's own template, or one for everybody where that may be; answers what it was called. */
export async function deleteTemplateRow(
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
