import { lookAlikeForm } from '#contract/text/look-alikes.ts'

/* Whether two names of yards look the same to a buyer. */

/** Words of the trade and company forms: alone they do not name a yard. */
const COMMON =
  /autoparts|auto|parts?|used|salvage|yards?|recycl(?:ing|ers?)|wreck(?:ing|ers?)|motors?|cars?|trucks?|dismantl(?:ing|ers?)|the|and|inc|llc|ltd|corp|company|co$/g
const LOOKS_LIKE: readonly (readonly [RegExp, string])[] = [
  [/&/g, 'and'],
  [/[^\p{L}\p{N}]+/gu, ''],
  [/0/g, 'o'],
  [/[1i|]/g, 'l'],
  [/3/g, 'e'],
  [/5/g, 's'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
]
const FIRM = /\b(?:the|inc|llc|ltd|corp|company|co)\b/g

/** What a copy adds to the name that it copies. */
const ADDED =
  /\b(?:official|original|real|online|store|shop|outlet|direct|main|branch|location|website|site|of|at|in|usa|us)\b/g

/** A name without additions, such as "Official … of Tulsa"; as it is if that leaves no yard's own word. */
function withoutAdditions(name: string, places: readonly string[]): string {
  const spaced = (text: string) =>
    ` ${lookAlikeForm(text)
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()} `
  const words = places.reduce((text, place) => text.replaceAll(spaced(place), ' '), spaced(name))
  const plain = words.replaceAll(ADDED, ' ')
  return plain.replaceAll(COMMON, '').trim().length >= 3 ? plain : name
}

/** Without case, spaces, punctuation and the form of the firm; look-alike characters are one. */
function folded(name: string): string {
  const plain = lookAlikeForm(name).replaceAll(FIRM, ' ')
  return LOOKS_LIKE.reduce((text, [pattern, plainer]) => text.replaceAll(pattern, plainer), plain)
}

/** How many typing errors make a name of this length another one: "A1 Auto" and "A2 Auto" are two yards. */
function errorsAllowed(name: string): number {
  const own = lookAlikeForm(name)
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .replaceAll(COMMON, '').length
  if (own >= 12) return 2
  return own >= 5 ? 1 : 0
}

/** `places`: city and state, which a copy may add to the name. */
export function looksAlike(name: string, other: string, places: readonly string[] = []): boolean {
  const plain = (text: string) => withoutAdditions(text, places)
  return areAlike(name, other) || areAlike(plain(name), plain(other))
}

function areAlike(name: string, other: string): boolean {
  const [one, two] = [folded(name), folded(other)]
  if (one === '' || two === '') return false
  const allowed = Math.min(errorsAllowed(name), errorsAllowed(other))
  if (Math.abs(one.length - two.length) > allowed) return false
  return one === two || errorsBetween(one, two) <= allowed
}

/** Characters that are missing, added, changed, or swapped with the next. */
function errorsBetween(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      const steps = [(last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same]
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (isSwapped) steps.push((before[j - 2] ?? 0) + 1)
      row.push(Math.min(...steps))
    }
    before = last
    last = row
  }
  return last[other.length] ?? 0
}

/** Whether a city is the same, however it is written. */
export const isSameCity = (one: string, other: string): boolean => placeKey(one) === placeKey(other)

const placeKey = (city: string): string =>
  lookAlikeForm(city)
    .replace(/^st\.? /, 'saint ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
