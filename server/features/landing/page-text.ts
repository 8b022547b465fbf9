import type { LandingText } from '#server/features/writing/writer.ts'
import { fullName, type Subject } from './page-facts.ts'

/** What stands on a page whose last part is gone: people still come to its address. */
export function emptyPageText(subject: Subject): LandingText {
  const name = fullName(subject)
  const parts = subject.kind === 'category' ? name : `${name} parts`
  return {
    title: parts,
    metaDescription: `Nothing is listed under ${parts} at the moment. Search all parts by number, make, model and year.`,
    intro: `Nothing is listed under ${parts} at the moment. Yards add parts every day: search all parts by part number, make, model and year, or look at the pages below.`,
  }
}

const fields = [
  ['title', 'Title'],
  ['metaDescription', 'Meta description'],
  ['intro', 'Intro'],
] as const

/** The words of a page before and after, as lines of a diff. */
export function textDiff(before: LandingText | undefined, after: LandingText): string[] {
  return fields.flatMap(([field, label]) => {
    if (before?.[field] === after[field]) return []
    return [...(before === undefined ? [] : [`- ${label}: ${before[field]}`]), `+ ${label}: ${after[field]}`]
  })
}
