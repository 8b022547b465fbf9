import slugify from '@sindresorhus/slugify'
import { fullName, type Subject } from './page-facts.ts'

const LONGEST = 100
// Of the id, where another page has the words.
const TAIL = 6

/** The address of a page, made once and kept: its words, and a piece of its id where another page has them. */
export function pageSlug(subject: Subject, isTaken: (slug: string) => boolean): string {
  const words = slugOf(subject)
  return isTaken(words) ? `${words}-${subject.id.slice(-TAIL)}` : words
}

export const slugOf = (subject: Subject): string =>
  slugify(fullName(subject), { decamelize: false }).slice(0, LONGEST).replace(/-+$/, '') || subject.kind
