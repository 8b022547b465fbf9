import { findProfanity } from '#server/features/listings/text-check.ts'
import { FOREIGN } from './plain-text.ts'
import type { Problem } from './writer.ts'

/** What a text is written for decides its length. */
export type TextKind = 'heading' | 'description' | 'title' | 'metaDescription' | 'intro' | 'anchor'

/** A heading of 70 characters stands in one line of a result page, a meta description of 160 is shown whole. */
export const lengths: Record<TextKind, readonly [least: number, most: number]> = {
  heading: [8, 70],
  description: [300, 900],
  title: [8, 65],
  metaDescription: [60, 160],
  intro: [160, 900],
  anchor: [3, 60],
}

export const isTitleKind = (kind: TextKind) => kind === 'heading' || kind === 'title' || kind === 'anchor'

type Pattern = readonly [pattern: RegExp, why: string]

/** Looked for only where one of their marks stands; most texts have none, and a class of characters is quickly passed. */
const MARKS = /[<>&*_`~#|[\]{}\\^@•]|\(at\)|^[-+]|^\d+[.)]\s/
const marked: readonly Pattern[] = [
  [/<[a-z/!?]|&(?:#\w+|[a-z]{2,10});/i, 'is HTML'],
  [/\*\*|__|```|~~|^\s*(?:#{1,6}|[-*+•]|\d+[.)])\s|\]\(|\|.*\|/m, 'is markup'],
  [/@|\[at\]|\(at\)/i, 'is an e-mail address'],
  [/[{}[\]\\^`]/, 'is no mark of a sentence'],
]

const DOTTED = /[.:][a-z/]|dot com/i
const dotted: readonly Pattern[] = [
  [
    /https?:|www\.|\b[a-z0-9-]{1,63}\.(?:com|net|org|info|biz|io|co|us|shop|store)\b|\bdot com\b/i,
    'is an address',
  ],
]

const phone: Pattern = [
  /(?:\+?1[\s.-]?)?(?:\(\d{3}\)\s?|\b\d{3}[\s.-])\d{3}[\s.-]\d{4}\b/,
  'is a phone number',
]

const LEFTOVERS =
  /\b(?:as an? (?:ai|language model|assistant)|language model|previous instructions?|system prompt|(?:the|these|following|your) instructions?|i(?:'m| am) sorry|i can(?:no|')t|certainly[!,]|sure[!,]|here(?:'s| is) (?:a|the|your) (?:\w+ )?(?:description|heading|title|text|h1)|lorem ipsum|undefined|null|nan|todo|json|the (?:facts|data|record) (?:say|state|provided|given))\b|\bprompt\b|<\/?data/i

/** Beyond this a text is refused for its length alone and not read further. */
export const LONGEST_READ = 3_000

/** What is wrong with a text before its meaning is asked. */
export function shapeProblems(text: string, kind: TextKind): Problem[] {
  const problems: Problem[] = []
  const [least, most] = lengths[kind]
  if (text.length < least || text.length > most) {
    problems.push({ claim: `${text.length} characters`, why: `is not between ${least} and ${most}` })
  }
  if (text.length > LONGEST_READ) return problems
  if (text !== text.trim() || /\s\s|\n/.test(text))
    problems.push({ claim: 'spacing', why: 'is not one paragraph' })
  const foreign = FOREIGN.exec(text)?.[0]
  if (foreign !== undefined) {
    problems.push({
      claim: `U+${codeOf(foreign)}`,
      why: 'is a character that readers cannot see or tell apart',
    })
  }
  for (const [pattern, why] of patternsFor(text)) {
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) problems.push({ claim: found.trim(), why })
  }
  const leftover = LEFTOVERS.exec(text)?.[0]
  if (leftover !== undefined) problems.push({ claim: leftover, why: 'speaks about the writing' })
  // Marks of print are no letters; without them the look for bad words need not take every letter apart.
  const profanity = findProfanity(text.replaceAll(/[‘’“”–—…′″]/g, "'"))
  if (profanity !== undefined) problems.push({ claim: profanity, why: 'is not fit for print' })
  return problems
}

const NONE: readonly Pattern[] = []
const patternsFor = (text: string): readonly Pattern[] => [
  ...(MARKS.test(text) ? marked : NONE),
  ...(DOTTED.test(text) ? dotted : NONE),
  phone,
]

const codeOf = (char: string) => char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
