import type { LandingText } from '#server/features/writing/landing-text.ts'

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
