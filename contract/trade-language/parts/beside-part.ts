import type { KnownName } from '#contract/trade-language/verdicts.ts'
import type { WordRoles } from '#contract/trade-language/words.ts'

/*
 * What a name says besides its part: what comes with it, what it lacks and what is wrong with it. None of it is the part:
 * "Engine less starter" is an engine, as is "Engine has bad water pump". The words are those of `words.csv`. `aside`: what
 * follows is no name of the part. `fault` and `good state`: how the part before it or a piece of it is. `not for itself`:
 * the part before it comes along or is missing, so that it is another's.
 */

/** A name as far as it is read, or two parts of which a person has to choose one. */
export type OwnPart = { readonly own: string; readonly rivals?: readonly KnownName[] }

/** How a part of a name reads alone. */
export type PieceReading = {
  /** The only type that is surely meant. */
  readonly sure: KnownName | undefined
  /** All types that its head noun may mean. */
  readonly types: readonly KnownName[]
  /** The number of words about parts, and the index of the first that names the type; -1 if none does. */
  readonly length: number
  readonly from: number
}

type Read = (text: string) => PieceReading

// A name has a handful of words; a pasted description has hundreds.
const MOST_WORDS = 12

/** The name without what follows the first `aside` word. */
export function openAsides(roles: WordRoles): (text: string) => string {
  const words = roles.list('aside').join('|')
  const aside = new RegExp(
    `\\s(?:(?:${words})(?![\\p{L}\\p{N}-])|w/o?|no\\s(?=\\p{L}{3}))(?=.*[\\p{L}\\p{N}]).*$`,
    'iu',
  )
  return (text) => text.replace(aside, '')
}

/** The name of the part without faults, and without parts that are missing or come along. */
export function openFaults(roles: WordRoles): (text: string, read: Read) => OwnPart {
  const anyOf = (role: string) => `\\s(?:${roles.list(role).join('|')})`
  const states = [...roles.list('fault'), ...roles.list('good state')].join('|')
  const inside = new RegExp(`\\s(?:${states})(?=\\s.*[\\p{L}\\p{N}])`, 'iu')
  const fault = new RegExp(`${anyOf('fault')}\\W*$`, 'i')
  const notForItself = new RegExp(`${anyOf('not for itself')}\\W*$`, 'i')
  const any = new RegExp(`${anyOf('not for itself')}\\b|\\s(?:${states})\\b`, 'i')
  return (text, read) => {
    // Most names have none, and one test is faster than three.
    if (!any.test(text)) return { own: text }
    const along = notForItself.exec(text)
    if (along) return withoutLast(text.slice(0, along.index), read)
    const state = inside.exec(text)
    if (state) return beforeState(text.slice(0, state.index), text, read)
    const wrong = fault.exec(text)
    return wrong ? oneOfFaulty(text.slice(0, wrong.index), read) : { own: text }
  }
}

/** "Engine cracked block" is an engine; "Mirror broken glass" may be one or its glass. */
function beforeState(before: string, text: string, read: Read): OwnPart {
  const part = read(before)
  if (part.types.length === 0) return { own: text }
  const whole = read(text)
  const isPhrase = whole.from !== -1 && whole.from < part.length
  if (part.sure && whole.sure && part.sure.id !== whole.sure.id && isPhrase)
    return { own: text, rivals: [part.sure, whole.sure] }
  return { own: before }
}

/** "Engine water pump bad" is an engine with a bad pump, or the engine's pump. */
function oneOfFaulty(text: string, read: Read): OwnPart {
  const whole = read(text)
  const owner =
    whole.sure && whole.from > 0 ? ownersIn(text, read).find(({ length }) => length <= whole.from) : undefined
  return owner?.sure && whole.sure && owner.sure.id !== whole.sure.id
    ? { own: text, rivals: [owner.sure, whole.sure] }
    : { own: text }
}

/** "Radiator condenser attached": what comes along is another's, which is named before it. */
function withoutLast(text: string, read: Read): OwnPart {
  const whole = read(text)
  const others = ownersIn(text, read).filter(({ sure, types }) =>
    sure ? sure.id !== whole.sure?.id : types.length > 1,
  )
  const last = others.find(({ sure }) => sure) ?? others[0]
  if (!last) return { own: text }
  const first = others.find(({ sure, length }) => sure && sure.id !== last.sure?.id && length <= last.from)
  return first?.sure && last.sure ? { own: last.own, rivals: [first.sure, last.sure] } : { own: last.own }
}

/** The beginnings of a name that name a part, the longest first. */
function ownersIn(text: string, read: Read): (PieceReading & { own: string })[] {
  const words = text.split(/\s+/)
  if (words.length > MOST_WORDS) return []
  return words
    .map((_, at) => words.slice(0, -1 - at).join(' '))
    .filter((own) => own !== '')
    .map((own) => ({ own, ...read(own) }))
    .filter(({ types }) => types.length > 0)
}
