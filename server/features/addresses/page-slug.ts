import slugify from '@sindresorhus/slugify'
import type { LandingKind } from '#contract/landing.ts'

/** What a page is called: "Toyota Camry" of a model. */
export type PageName = { readonly kind: LandingKind; readonly id: string; readonly fullName: string }

const LONGEST = 100
// Of the id, where another page has the words.
const TAIL = 6

/** The address of a page: its words, and a piece of its id where another page has them. */
export function pageSlug(name: PageName, isTaken: (slug: string) => boolean): string {
  const words = slugOf(name)
  return isTaken(words) ? withTail(name) : words
}

/** Whether the address is one that the page gets by its name of now. */
export const fitsName = (slug: string, name: PageName): boolean =>
  slug === slugOf(name) || slug === withTail(name)

export const slugOf = ({ kind, fullName }: PageName): string =>
  slugify(fullName, { decamelize: false }).slice(0, LONGEST).replace(/-+$/, '') || kind

const withTail = (name: PageName) => `${slugOf(name)}-${name.id.slice(-TAIL)}`
