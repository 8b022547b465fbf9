import type { LandingKind } from './landing.ts'

/** Where the pages of each kind are in the web app; the server sends who asks for a former address to that of now. */
export const landingFolders = {
  category: '/parts/category',
  manufacturer: '/parts/make',
  model: '/parts/model',
} as const satisfies Record<LandingKind, string>

/** The page of a category, a manufacturer or a model. */
export const landingPath = (kind: LandingKind, slug: string): string =>
  `${landingFolders[kind]}/${encodeURIComponent(slug)}`
