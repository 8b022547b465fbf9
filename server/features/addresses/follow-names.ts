import type { LandingKind } from '#contract/landing.ts'
import type { Db } from '#server/platform/database/database.ts'
import { fitsName, pageSlug, slugOf } from './page-slug.ts'
import { changeSlugs, holdPages, listModelsWithPages, listNamedPages, listTaken } from './queries.ts'

/**
 * Gives the pages of lookups that were renamed the addresses of their new names, of a manufacturer those of its models as
 * well. The old addresses lead there from now on.
 */
export async function followNames(trx: Db, kind: LandingKind, ids: readonly string[]): Promise<void> {
  await holdPages(trx)
  await movePages(trx, kind, ids)
  if (kind !== 'manufacturer') return
  for (const id of ids) await movePages(trx, 'model', await listModelsWithPages(trx, id))
}

async function movePages(trx: Db, kind: LandingKind, ids: readonly string[]): Promise<void> {
  const pages = await listNamedPages(trx, kind, ids)
  const moving = pages.filter((page) => !fitsName(page.slug, page))
  if (moving.length === 0) return
  const taken = new Set((await listTaken(trx, kind, moving.map(slugOf))).map(({ slug }) => slug))
  const changes = moving.map((page) => {
    const now = pageSlug(page, (slug) => taken.has(slug))
    taken.add(now)
    return { id: page.id, slug: page.slug, now }
  })
  await changeSlugs(trx, kind, changes)
}
