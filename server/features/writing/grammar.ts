import type { Random } from '#server/platform/seeded-random.ts'
import { articleFor } from './article.ts'

/*
 * Sentences as they are written in this folder:
 *   {number}        the value of a slot; the sentence is only for records that have it
 *   {a item}        with its article, "an alternator"; nothing before a plural
 *   {this item}     "this alternator", "these brake pads"
 *   {is} {it} …     agrees with the part, "is" or "are"
 *   {?miles}        writes nothing, but needs the value
 *   [one|other|]    one of these, as far as their slots have values; the empty one is always possible
 */

type Slot = { readonly kind: 'slot'; readonly name: string; readonly form: '' | 'a' | 'this' }
type Verb = { readonly kind: 'verb'; readonly one: string; readonly many: string }
type Choice = { readonly kind: 'choice'; readonly options: readonly Phrase[] }
type Piece = string | Slot | Verb | Choice
/** Pieces in order, and the bits of the slots that they need. */
type Phrase = { readonly pieces: readonly Piece[]; readonly needs: number }

/** Which bit a slot has; slots that tell the same fact share one. */
export type SlotBits = Readonly<Record<string, number>>

/** What sentences are about: the values of slots, and whether the part is a plural. */
export type Matter = {
  readonly values: Readonly<Record<string, string | undefined>>
  readonly plural: boolean
}

/** Sentences that say the same kind of thing, to choose from. */
export type Move = {
  /** Those that can be said while these bits are open. */
  sayable(open: number): readonly Phrase[]
}

const verbs = new Map<string, Verb>(
  `is are;was were;has have;comes come;carries carry;goes go;needs need;it they;its their;sells sell;it them|object;
   waits wait;bolts bolt;costs cost;this one these|this one;does do`
    .split(';')
    .map((entry) => {
      const [forms = '', name] = entry.trim().split('|')
      const [one = '', many = ''] =
        name === 'this one' ? ['this one', 'these'] : (forms.split(' ') as [string, string])
      return [name ?? one, { kind: 'verb', one, many }] as const
    }),
)

export function move(bits: SlotBits, sentences: readonly string[]): Move {
  const phrases = sentences.map((sentence) => parse(sentence, bits))
  const known = new Map<number, readonly Phrase[]>()
  return {
    sayable(open) {
      let fitting = known.get(open)
      if (fitting === undefined) {
        fitting = phrases.filter((phrase) => canTell(phrase, open))
        known.set(open, fitting)
      }
      return fitting
    },
  }
}

/** Whether its slots have values, and each of its choices something to choose. */
function canTell({ needs, pieces }: Phrase, open: number): boolean {
  if ((needs & ~open) !== 0) return false
  return pieces.every(
    (piece) =>
      typeof piece === 'string' ||
      piece.kind !== 'choice' ||
      piece.options.some((option) => canTell(option, open)),
  )
}

function parse(sentence: string, bits: SlotBits): Phrase {
  const pieces: Piece[] = []
  let needs = 0
  for (const [, text, slot, choice] of sentence.matchAll(/([^{[]+)|\{([^}]+)\}|\[([^\]]*)\]/g)) {
    if (text !== undefined) pieces.push(text)
    else if (choice !== undefined)
      pieces.push({ kind: 'choice', options: choice.split('|').map((option) => parse(option, bits)) })
    else {
      const piece = parseSlot(slot ?? '')
      if (piece) pieces.push(piece)
      needs |= bitOf(slot ?? '', bits)
    }
  }
  return { pieces, needs }
}

function parseSlot(written: string): Piece | undefined {
  if (written.startsWith('?')) return undefined
  const verb = verbs.get(written)
  if (verb) return verb
  const form = /^(a|this) /.exec(written)?.[1] ?? ''
  return { kind: 'slot', name: written.replace(/^(a|this) /, ''), form: form as Slot['form'] }
}

function bitOf(written: string, bits: SlotBits): number {
  if (verbs.has(written)) return 0
  const bit = bits[written.replace(/^\?|^(a|this) /, '')]
  if (bit === undefined) throw new Error(`a sentence has the unknown slot {${written}}`)
  return bit
}

/** A sentence, the bits of what it told, and which of the move's sentences it is. */
export type Said = { readonly text: string; readonly told: number; readonly phrase: unknown }

/** One sentence of a move for what is still open, or undefined where it has none. */
export function say(
  choices: Move,
  matter: Matter,
  { open, random }: { open: number; random: Random },
): Said | undefined {
  const fitting = choices.sayable(open)
  if (fitting.length === 0) return undefined
  const state: Telling = { matter, open, random, told: 0 }
  const phrase = random.pick(fitting)
  const text = tell(phrase, state)
  return { text: capitalised(text), told: state.told, phrase }
}

type Telling = { readonly matter: Matter; readonly open: number; readonly random: Random; told: number }

function tell(phrase: Phrase, state: Telling): string {
  state.told |= phrase.needs
  let text = ''
  for (const piece of phrase.pieces) text += tellPiece(piece, state)
  return text
}

function tellPiece(piece: Piece, state: Telling): string {
  if (typeof piece === 'string') return piece
  const { plural, values } = state.matter
  switch (piece.kind) {
    case 'verb':
      return plural ? piece.many : piece.one
    case 'choice':
      return tellChoice(piece, state)
    case 'slot':
      return inForm(values[piece.name] ?? '', piece, plural)
  }
}

function tellChoice({ options }: Choice, state: Telling): string {
  // A walk from a random start: most options can be said, so that this is cheaper than making a list of those.
  const start = state.random.whole(0, options.length - 1)
  for (let step = 0; step < options.length; step += 1) {
    const option = options[(start + step) % options.length]
    if (option && (option.needs & ~state.open) === 0) return tell(option, state)
  }
  return ''
}

/** Slots that name the part agree with it; a car is always one. */
const AGREEING = new Set(['item', 'part', 'noun'])

function inForm(value: string, { name, form }: Slot, plural: boolean): string {
  if (form === '') return value
  const isMany = plural && AGREEING.has(name)
  if (form === 'this') return `${isMany ? 'these' : 'this'} ${value}`
  return isMany ? value : `${articleFor(value)} ${value}`
}

/** First letters of sentences, also behind a question; names such as "iM" are left alone. */
function capitalised(text: string): string {
  const behind = text.indexOf('? ') + 2
  const first = capitalisedAt(text, 0)
  return behind > 1 ? capitalisedAt(first, behind) : first
}

function capitalisedAt(text: string, at: number): string {
  const letter = text.charCodeAt(at)
  const next = text.charCodeAt(at + 1)
  if (letter < SMALL_A || letter > SMALL_Z || (next >= LARGE_A && next <= LARGE_Z)) return text
  return text.slice(0, at) + text.charAt(at).toUpperCase() + text.slice(at + 1)
}

const [SMALL_A, SMALL_Z, LARGE_A, LARGE_Z] = [97, 122, 65, 90]
