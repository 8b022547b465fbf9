import { readLookupVersion } from '#server/features/lookups/lookup-version-queries.ts'
import type { Db } from '#server/platform/database.ts'
import { loadTaxonomyNames } from './queries.ts'
import { RowResolver } from './row-resolver.ts'
import { type TaxonomyMatchers, taxonomyMatchers } from './taxonomy-matchers.ts'

type Known = { readonly version: number; readonly matchers: Promise<TaxonomyMatchers> }

// A file comes in hundreds of chunks, and reading all lookups takes longer than resolving the names of one.
const known = new WeakMap<Db, Known>()

/** What resolves names as the taxonomy of a file does, by the lookups as they stand; it writes nothing. */
export async function openNameResolver(db: Db): Promise<RowResolver> {
  const version = await readLookupVersion(db)
  let current = known.get(db)
  if (current?.version !== version) {
    current = { version, matchers: loadTaxonomyNames(db).then(taxonomyMatchers) }
    current.matchers.catch(() => known.delete(db))
    known.set(db, current)
  }
  return new RowResolver(await current.matchers)
}
