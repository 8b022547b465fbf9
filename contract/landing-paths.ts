import type { LandingKind } from './landing.ts'
import type { otherRoutes } from './routes.ts'

/** As the page's line in `routes.ts` begins. */
type Folder<Kind extends LandingKind> = (typeof otherRoutes)[`${Kind}Page`][1] extends `${infer Start}/{slug}`
  ? Start
  : never

/** Where the pages of each kind are in the web app; the server sends who asks for a former address to that of now. */
export const landingFolders = {
  category: '/parts/category',
  manufacturer: '/parts/make',
  model: '/parts/model',
} as const satisfies { [Kind in LandingKind]: Folder<Kind> }

/** The page of a category, a manufacturer or a model. */
export const landingPath = (kind: LandingKind, slug: string): string =>
  `${landingFolders[kind]}/${encodeURIComponent(slug)}`
