import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { type ColumnAnswer, sentAnswer } from '#contract/column-questions/questions.ts'
import type { ImportDefaults, ImportMapping } from '#contract/csv/import-fields.ts'
import type { Reply } from '#contract/endpoint.ts'
import type { ImportMode, importEndpoints } from '#contract/imports.ts'
import type { ChosenReading, ReadingOverride } from '#contract/yard-file/reading.ts'
import type { Db } from '#server/platform/database/database.ts'

/* What is remembered for a yard's files of the same columns, and for files that are read with the same template. */

/** How a file was read. */
type RememberedShape = {
  readonly mapping: ImportMapping
  readonly defaults: ImportDefaults
  /** Null of a seller's first file. */
  readonly mode: ImportMode | null
  readonly answers: readonly ColumnAnswer[]
}

/** Programs write columns in any order, and people change their case and spacing. */
const shapeOf = (header: readonly string[]): string => {
  const names = new Set(header.map((name) => name.toLowerCase().replaceAll(/\s/g, '')))
  return hash('sha256', `columns\n${[...names].sort().join('\n')}`)
}
const templateShape = (templateId: string): string => hash('sha256', `template\n${templateId}`)

export type ShapeKey = {
  readonly sellerId: string
  readonly header: readonly string[]
  /** The template that reads the file, if one does. */
  readonly templateId?: string | undefined
}

/** The answers for a file's columns, before those for other files that were read with its template. */
export async function findRememberedAnswers(db: Db, key: ShapeKey): Promise<readonly ColumnAnswer[]> {
  const shapes = [shapeOf(key.header), ...(key.templateId ? [templateShape(key.templateId)] : [])]
  const { rows } = await sql<{ answers: ColumnAnswer[] }>`
    select answers from file_shape
    where seller_id = ${key.sellerId} and shape = any(array(
      select decode(each, 'hex') from unnest(${shapes}::text[]) as each))
    order by shape = decode(${shapes[0]}, 'hex') desc limit 1
  `.execute(db)
  return rows[0]?.answers ?? []
}

/** What the wizard needs for the next file of these columns. */
export async function readShape(
  db: Db,
  { sellerId, header }: ShapeKey,
): Promise<Reply<typeof importEndpoints.readShape>> {
  const { rows } = await sql<RememberedShape & { reading: ReadingOverride | null }>`
    select mapping, defaults, mode, answers, reading from file_shape
    where seller_id = ${sellerId} and shape = decode(${shapeOf(header)}, 'hex')
  `.execute(db)
  const [found] = rows
  if (!found) return { mapping: {}, defaults: {}, answers: {} }
  const answers = Object.fromEntries(found.answers.map((answer) => [answer.id, sentAnswer(answer)]))
  return {
    mapping: found.mapping,
    defaults: found.defaults,
    answers,
    ...(found.mode !== null && { mode: found.mode }),
    ...(found.reading !== null && { reading: found.reading }),
  }
}

// A yard has a few; a program that sends other columns each time must not fill the table.
const MOST_SHAPES = 200

/** Remembers how an import was read, before it is staged. A later file of its columns replaces it. */
export async function rememberShape(trx: Db, key: ShapeKey, read: RememberedShape): Promise<void> {
  const shapes = [shapeOf(key.header), ...(key.templateId ? [templateShape(key.templateId)] : [])].sort()
  await sql`
    insert into file_shape (seller_id, shape, mapping, defaults, mode, answers)
    select ${key.sellerId}, decode(shape, 'hex'), ${JSON.stringify(read.mapping)}, ${JSON.stringify(read.defaults)},
           case when exists (
             select from import where seller_id = ${key.sellerId} and not dry_run and state = 'staged'
           ) then ${read.mode}::text end, ${JSON.stringify(read.answers)}
    from unnest(${shapes}::text[]) as shape
    on conflict (seller_id, shape) do update
    set mapping = excluded.mapping, defaults = excluded.defaults, mode = excluded.mode, answers = excluded.answers,
        used_at = now()
  `.execute(trx)
  await dropOldShapes(trx, key.sellerId)
}

/** Remembers how a person had a file read, by the columns that are found without it: the next one looks the same at first. */
export async function rememberReading(
  trx: Db,
  sellerId: string,
  { header, reading }: ChosenReading,
): Promise<void> {
  const kept = Object.keys(reading).length === 0 ? null : JSON.stringify(reading)
  await sql`
    insert into file_shape (seller_id, shape, mapping, defaults, answers, reading)
    values (${sellerId}, decode(${shapeOf(header)}, 'hex'), '{}', '{}', '[]', ${kept}::jsonb)
    on conflict (seller_id, shape) do update set reading = excluded.reading, used_at = now()
  `.execute(trx)
  await dropOldShapes(trx, sellerId)
}

const dropOldShapes = (trx: Db, sellerId: string) =>
  sql`
    delete from file_shape where (seller_id, shape) in (
      select seller_id, shape from file_shape where seller_id = ${sellerId}
      order by used_at desc, shape offset ${MOST_SHAPES})
  `.execute(trx)
