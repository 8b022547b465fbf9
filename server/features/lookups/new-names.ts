import type { Db } from '#server/platform/database/database.ts'
import { holdLookups } from './lookup-changes.ts'
import {
  type FoundNames,
  findModelSpellings,
  findSpellings,
  insertProvisionalCategories,
  insertProvisionalManufacturers,
  insertProvisionalModels,
  plainName,
} from './lookup-names.ts'

/** What a file brings of names that no lookup has. */
export type NewNameFigures = {
  /** Different ones. */
  readonly newNames: number
  readonly rowsWithNewNames: number
  readonly rows: number
}

export const MOST_NEW_NAMES = 50
/** In percent of a file's rows. */
export const MOST_NEW_NAME_ROWS = 5
// One make that is typed wrong may well be on every row of a small file; a column mapped wrongly has many names.
const FEW_NEW_NAMES = 10

/** Of what a file has more than may be made of it before somebody looked: different new names, rows with one, or both. */
export function tooManyNew({ newNames, rowsWithNewNames, rows }: NewNameFigures): {
  names: boolean
  rows: boolean
} {
  return {
    names: newNames > MOST_NEW_NAMES,
    rows: newNames > FEW_NEW_NAMES && rowsWithNewNames * 100 > rows * MOST_NEW_NAME_ROWS,
  }
}

/** Names of a file that no lookup has, as they stand there. */
export type UnknownNames = {
  readonly categories: readonly string[]
  readonly manufacturers: readonly string[]
  readonly models: readonly { readonly manufacturer: string; readonly model: string }[]
}

/**
 * Adds names that a file brings as provisional lookups: usable by its listings, absent from public lists until an
 * administrator confirms them. However many do it at once each name is made once; all get the same one back. In the
 * caller's transaction, under its change set.
 */
export async function createProvisionalNames(
  trx: Db,
  changeSetId: string,
  unknown: UnknownNames,
): Promise<FoundNames> {
  const { categories, manufacturers } = unknown
  await holdLookups(trx)
  if (categories.length > 0) {
    await insertProvisionalCategories(trx, changeSetId, categories.map(plainName))
  }
  if (manufacturers.length > 0) {
    await insertProvisionalManufacturers(trx, changeSetId, manufacturers.map(plainName))
  }
  const makers = [...new Set(unknown.models.map(({ manufacturer }) => manufacturer).concat(manufacturers))]
  const found = {
    categories: categories.length > 0 ? await findSpellings(trx, 'category', categories) : [],
    manufacturers: makers.length > 0 ? await findSpellings(trx, 'manufacturer', makers) : [],
  }
  const idOf = new Map(found.manufacturers.map(({ spelling, id }) => [spelling, id]))
  const models = unknown.models.flatMap(({ manufacturer, model }) => {
    const manufacturerId = idOf.get(manufacturer)
    return manufacturerId ? [{ manufacturerId, model }] : []
  })
  if (models.length === 0) return { ...found, models: [] }
  const named = models.map(({ manufacturerId, model }) => ({ manufacturerId, model: plainName(model) }))
  await insertProvisionalModels(trx, changeSetId, named)
  return { ...found, models: await findModelSpellings(trx, models) }
}
