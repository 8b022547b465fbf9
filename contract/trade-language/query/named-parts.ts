import type { End } from '#contract/trade-language/places.ts'
import type { Meaning, Vocabulary } from '#contract/trade-language/vocabulary.ts'
import type { Excluded } from './exclusions.ts'
import type { Span } from './split-words.ts'

/* Which parts a search's words name: several of a list, one with the larger part that it belongs to, or a piece of one. */

export type NamedParts = {
  /** The part types that were named: any of these. */
  readonly part: { readonly ids: readonly string[]; readonly label: string } | undefined
  /** A piece of a larger part, which has no type of its own: its words must be in a listing's name. */
  readonly piece: { readonly words: readonly string[]; readonly of: readonly string[] } | undefined
  /** Whether its name says front or rear. */
  readonly saysEnd: boolean
  /** Part words before it: the radiator in "radiator fan shroud". */
  readonly beside: readonly string[]
  /** A listing needs one word of each inner list: "hood" for a "hood strut", which is a Gas Strut. */
  readonly narrower: readonly (readonly string[])[]
  /** Words that belong to a piece, by their position. */
  readonly taken: ReadonlySet<number>
}

type PartSpan = Span & { readonly means: Extract<Meaning, { kind: 'part' }> }
type Words = { readonly words: readonly string[]; readonly vocabulary: Vocabulary }

const isPart = (span: Span): span is PartSpan => span.means.kind === 'part'

const positions = ({ from, to }: Span): number[] => Array.from({ length: to - from }, (_, at) => from + at)

/**
 * Joins what belongs together though other words are between: the "handle for the rear door" is a door handle, and whose
 * "window is stuck" and needs a "motor" looks for a window motor.
 */
export function withJoinedParts(spans: readonly Span[], { words, vocabulary }: Words): readonly Span[] {
  const parts = spans.filter(isPart)
  const wordsOf = ({ from, to }: Span) => words.slice(from, to)
  for (const piece of parts) {
    const isPiece = vocabulary.partNames.isPieceOf(wordsOf(piece), piece.means) && !isWhole(piece, vocabulary)
    const whole = parts.find(
      (other) =>
        other !== piece &&
        (isOf(piece, other, spans, { words, vocabulary }) ||
          (isPiece && other.to < piece.from && !isListed(piece, spans, { words, vocabulary }))),
    )
    const means = whole && joinedMeaning([...wordsOf(whole), ...wordsOf(piece)], vocabulary)
    if (!whole || !means) continue
    return spans.flatMap((span) => {
      if (span === piece) return []
      return span === whole ? { ...whole, means, also: positions(piece) } : span
    })
  }
  return spans
}

/** "Rear door" and "handle" make a rear door handle. */
function joinedMeaning(words: readonly string[], vocabulary: Vocabulary): PartSpan['means'] | undefined {
  const named = vocabulary
    .meaningsOf(words)
    .find((meaning): meaning is PartSpan['means'] => meaning.kind === 'part' && !meaning.isEnding)
  const [end, ...rest] = words
  if (named || (end !== 'front' && end !== 'rear')) return named
  const means = joinedMeaning(rest, vocabulary)
  return means && { ...means, places: [...means.places, end] }
}

/** Whether only "for the" or "of my" is between. */
function isOf(piece: Span, whole: Span, spans: readonly Span[], { words, vocabulary }: Words): boolean {
  const between = spans.filter(({ from, to }) => from >= piece.to && to <= whole.from)
  const said = words.slice(piece.to, whole.from)
  const { roles } = vocabulary.language
  return (
    piece.to < whole.from &&
    between.every(({ means }) => means.kind === 'skip' || means.kind === 'side') &&
    said.some((word) => roles.set('belonging').has(word))
  )
}

/** Whether it is one more of a list: "hood and latch". */
const isListed = (part: Span, spans: readonly Span[], { words, vocabulary }: Words): boolean =>
  spans.some(
    ({ from, to, means }) =>
      to === part.from &&
      (means.kind === 'or' || vocabulary.language.roles.set('conjunction').has(words[from] ?? '')),
  )

/** Finds the named parts: the last one of a sequence of one part's words, and all of a list. */
export function namedParts(
  spans: readonly Span[],
  { words, vocabulary, end, excluded }: Words & { end: End | undefined; excluded: Excluded },
): NamedParts {
  const parts = spans.filter(isPart)
  const isLast = (part: PartSpan) =>
    !parts.some((next) => next.from === part.to && !(isWhole(part, vocabulary) && isWhole(next, vocabulary)))
  const heads = parts.filter(isLast)
  const pieces = heads.flatMap((head) => pieceAt(head, { heads, parts, spans, words, vocabulary }))
  const taken = new Set(pieces.flatMap(({ at }) => at))
  const whole = heads.filter(({ from }) => !taken.has(from))
  const nothing = { saysEnd: false, beside: [], narrower: [], taken }
  if (whole.length === 0) {
    const [piece] = pieces
    const found = piece && { words: piece.at.map((at) => words[at] ?? ''), of: idsOf(piece.of) }
    return { ...nothing, part: undefined, piece: found }
  }
  const ids = wantedOf(whole, { vocabulary, excluded })
  const atEnd = end === undefined ? [] : ids.filter((id) => startsWith(id, end, vocabulary))
  // "Front axle" also means the CV axles there.
  const isSaid = whole.some(({ means }) => end !== undefined && means.places.includes(end))
  const narrower = new Map(vocabulary.language.roles.meanings('narrower part'))
  return {
    ...nothing,
    part: {
      ids: atEnd.length > 0 && !isSaid ? atEnd : ids,
      label: [...new Set(whole.map(({ means }) => means.label))].join(' or '),
    },
    piece: undefined,
    saysEnd: atEnd.length > 0 && !isSaid,
    beside: parts
      .filter((part) => !isLast(part) && !taken.has(part.from))
      .flatMap(({ from, to }) => words.slice(from, to)),
    narrower:
      whole.length > 1
        ? []
        : whole.flatMap(({ from, to }) => {
            const means = narrower.get(words.slice(from, to).join(' ').replace(/s$/, ''))
            return means === undefined ? [] : [means.split('; ')]
          }),
  }
}

const idsOf = (some: readonly PartSpan[]) => [
  ...new Set(some.flatMap(({ means }) => means.types.map(({ id }) => id))),
]

/** Whether it is a large part, which is never the piece of another: "headlight hood grille" are three. */
const isWhole = ({ means }: PartSpan, { language }: Vocabulary): boolean =>
  means.types.some(({ name }) => language.roles.set('whole part').has(name))

const startsWith = (id: string, end: End, { categoryNames }: Vocabulary): boolean =>
  categoryNames.get(id)?.toLowerCase().startsWith(`${end} `) ?? false

/** Drops the types that are excluded by name or by end: for doors "not rear", the Front Doors remain. */
function wantedOf(
  whole: readonly PartSpan[],
  { vocabulary, excluded }: { vocabulary: Vocabulary; excluded: Excluded },
): readonly string[] {
  const all = idsOf(whole)
  const ends = excluded.places.flatMap(([place, ...more]) =>
    more.length === 0 && (place === 'front' || place === 'rear') ? [place] : [],
  )
  const rest = all.filter(
    (id) => !excluded.partIds.includes(id) && !ends.some((end) => startsWith(id, end, vocabulary)),
  )
  return rest.length > 0 ? rest : all
}

type Piece = { readonly at: readonly number[]; readonly of: readonly PartSpan[] }
type Around = Words & {
  readonly spans: readonly Span[]
  readonly parts: readonly PartSpan[]
  readonly heads: readonly PartSpan[]
}

/**
 * A piece of a larger part that has no type of its own: a transfer case motor is not an engine, an alternator pulley
 * is not an alternator, and an oil filter is none of our types that end in "filter".
 */
function pieceAt(head: PartSpan, { heads, parts, spans, words, vocabulary }: Around): Piece[] {
  const isPiece = vocabulary.partNames.isPieceOf(words.slice(head.from, head.to), head.means)
  const before = parts.find((part) => part.to === head.from && !heads.includes(part))
  if (before && isPiece) return [{ at: [...positions(before), ...positions(head)], of: [before] }]
  const whole = parts.find((part) => isPiece && isOf(head, part, spans, { words, vocabulary }))
  if (whole) return [{ at: [...positions(whole), ...positions(head)], of: [whole] }]
  const kind = spans.find(({ to }) => to === head.from)
  const said = words[kind?.from ?? -1] ?? ''
  const isKind = kind?.means.kind === 'word' && !vocabulary.isOrdinary(said)
  if (isKind && head.means.isEnding && head.means.types.length === 1) {
    const isRead = vocabulary.partTypes.isWord(said)
    return [{ at: [...positions(kind), ...positions(head)], of: isRead ? [] : [head] }]
  }
  const next = spans.find(({ from }) => from === head.to)
  return next?.means.kind === 'word' && vocabulary.partNames.isPiece(words[next.from] ?? '')
    ? [{ at: [...positions(head), ...positions(next)], of: [head] }]
    : []
}
