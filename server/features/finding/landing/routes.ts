import type { landingEndpoints } from '#contract/landing.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { findLinkedListing, listLinks } from './link-book.ts'
import { listPages } from './pages.ts'
import type { LandingReader } from './read-page.ts'
import type { TopNamesReader } from './top-names.ts'

export function landingRoutes(
  readPage: LandingReader,
  readTop: TopNamesReader,
): Handlers<typeof landingEndpoints> {
  return {
    listTopNames: ({ db }) => readTop(db),
    readLandingPage: ({ db, params: { kind, slug } }) => readPage(db, kind, slug),
    listLandingPages: ({ db, params: { kind } }) => listPages(db, kind),
    async readRelated({ db, params: { slug } }) {
      const listing = await findLinkedListing(db, slug)
      if (!listing) throw new AppError('NOT_FOUND', 'There is no such part. Search all parts instead.')
      return listLinks(db, { kind: 'listing', id: listing.id })
    },
  }
}
