import { sql } from 'kysely'
import type { SavedGrid, SavedView, ViewSettings } from '#contract/account/accounts.ts'
import { type Db, violatesUnique } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

// More than fit in a menu.
const MAX_VIEWS = 100

export async function listViews(db: Db, userId: string, grid: SavedGrid): Promise<SavedView[]> {
  const { rows } = await sql<SavedView>`
    select id, name, settings from saved_view
    where user_id = ${userId} and grid = ${grid} order by lower(name), id
  `.execute(db)
  return rows
}

type NewView = { readonly grid: SavedGrid; readonly name: string; readonly settings: ViewSettings }

/** @throws AppError VALIDATION_FAILED */
export async function saveView(
  db: Db,
  userId: string,
  { grid, name, settings }: NewView,
): Promise<SavedView> {
  const { rows } = await sql<SavedView>`
    insert into saved_view (user_id, grid, name, settings)
    select ${userId}::uuid, ${grid}, ${name}, ${JSON.stringify(settings)}::jsonb
    from saved_view v where v.user_id = ${userId} and v.grid = ${grid}
    having count(*) < ${MAX_VIEWS} or bool_or(v.name_key = name_key(${name}))
    on conflict on constraint saved_view_name_unique do update
      set name = excluded.name, settings = excluded.settings, saved_at = now()
    returning id, name, settings
  `.execute(db)
  const [saved] = rows
  if (saved) return saved
  const sentence = `You have ${MAX_VIEWS} views here. Delete one first.`
  throw new AppError('VALIDATION_FAILED', sentence, { fields: { name: sentence } })
}

/** @throws AppError NOT_FOUND */
export async function requireView(db: Db, userId: string, id: string): Promise<void> {
  const { rows } = await sql`select from saved_view where id = ${id} and user_id = ${userId}`.execute(db)
  if (rows.length === 0) throw new AppError('NOT_FOUND', VIEW_GONE)
}

/** @throws AppError NOT_FOUND, VALIDATION_FAILED (another view of the grid has the name) */
export async function renameView(
  db: Db,
  userId: string,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<SavedView> {
  const { rows } = await sql<SavedView>`
    update saved_view set name = ${name} where id = ${id} and user_id = ${userId} returning id, name, settings
  `
    .execute(db)
    .catch((error: unknown) => {
      if (!violatesUnique(error, 'saved_view_name_unique')) throw error
      const sentence = 'Another view has this name. Choose a different one.'
      throw new AppError('VALIDATION_FAILED', sentence, { fields: { name: sentence } })
    })
  const [renamed] = rows
  if (!renamed) throw new AppError('NOT_FOUND', VIEW_GONE)
  return renamed
}

const VIEW_GONE = 'This view was deleted.'

/** @throws AppError NOT_FOUND */
export async function deleteView(db: Db, userId: string, id: string): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from saved_view where id = ${id} and user_id = ${userId}
  `.execute(db)
  if (!numAffectedRows) throw new AppError('NOT_FOUND', VIEW_GONE)
}
