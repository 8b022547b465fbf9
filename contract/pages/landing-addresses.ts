import type { LandingKind } from '#contract/landing.ts'
import type { otherRoutes } from '#contract/routes.ts'

/* Has no schemas, which would load zod on every public page. */

/** The start of the page's path in `routes.ts`. */
type Folder<Kind extends LandingKind> =
  (typeof otherRoutes)[`${Kind}Page`][1] extends `${infer Start}/{${string}` ? Start : never

/** The web app's path for each kind of page; the server redirects old slugs to the current one. */
export const landingFolders = {
  category: '/parts/category',
  manufacturer: '/parts/make',
  model: '/parts/make',
} as const satisfies { [Kind in LandingKind]: Folder<Kind> }

/** The page of a category, a manufacturer or a model, whose slug has several segments. */
export const landingPath = (kind: LandingKind, slug: string): string =>
  [landingFolders[kind], ...slug.split('/').map(encodeURIComponent)].join('/')
