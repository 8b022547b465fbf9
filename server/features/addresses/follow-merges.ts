import type { LandingKind } from '#contract/landing.ts'
import type { Db } from '#server/platform/database/database.ts'
import { followNames } from './follow-names.ts'
import {
  holdPages,
  listMergedModels,
  type Merge,
  passOnPages,
  passOnSlugs,
  rememberHeirs,
  retirePages,
} from './queries.ts'

/**
 * Makes every address that lookups had lead to the page of what they were merged into; where that has none yet, theirs
 * becomes its page. Links that name them lead there as well. Of a manufacturer the models go the same way.
 */
export async function followMerges(trx: Db, kind: LandingKind, merges: readonly Merge[]): Promise<void> {
  if (merges.length === 0) return
  await holdPages(trx)
  await passOnSlugs(trx, kind, merges)
  await rememberHeirs(trx, kind, merges)
  await passOnPages(trx, kind, merges)
  await retirePages(trx, kind, merges)
  if (kind === 'manufacturer') {
    for (const { from } of merges) await followMerges(trx, 'model', await listMergedModels(trx, from))
  }
  await followNames(trx, kind, [...new Set(merges.map(({ into }) => into))])
}
