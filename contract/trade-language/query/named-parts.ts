import type { End } from '#contract/trade-language/places.ts'
import type { Meaning, Vocabulary } from '#contract/trade-language/vocabulary.ts'
import type { Excluded } from './exclusions.ts'
import type { Span } from './split-words.ts'

/* Which parts a search's words name: several of a list, one with the larger part that it belongs to, or a piece of one. */

export type NamedParts = {
  /** The part types that were named: any of these. */
  readonly part: { readonly ids: readonly string[]; readonly label: string } | undefined
  /** A piece of a larger part, which has no type of its own: a listing's name must have the words of one of the texts. */
  readonly piece:
    | { readonly words: readonly string[]; readonly of: readonly string[]; readonly texts: readonly string[] }
    | undefined
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

const positions = ({ from, to }: Pick<Span, 'from' | 'to'>): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at)

/**
 * Takes out what a part comes with: of a "tailgate with camera", the tailgate is asked for. Whether it has a camera decides only
 * the order, since many listings do not say.
 */
export function withoutAccompanying(
  spans: readonly Span[],
  { words, vocabulary }: Words,
): { spans: readonly Span[]; accompanying: readonly string[] } {
  const isWith = ({ from, to, means }: Span) =>
    means.kind === 'skip' &&
    words.slice(from, to).some((word) => vocabulary.language.roles.set('accompanying').has(word))
  const first = spans.findIndex(isPart)
  const after = spans.findIndex((span, at) => first >= 0 && at > first && isWith(span))
  // With all that an "and" adds.
  const behind = after < 0 ? [] : spans.slice(after + 1)
  const last = behind.findIndex(({ means }) => means.kind !== 'skip' && means.kind !== 'part')
  const accompanying = behind.slice(0, last < 0 ? undefined : last).filter(isPart)
  return {
    spans: spans.filter((span) => !accompanying.includes(span as PartSpan)),
    accompanying: accompanying.flatMap((span) => wordsAt(span, words)),
  }
}

/**
 * Joins what belongs together though other words are between: the "handle for the rear door" is a door handle, and whose
 * "window is stuck" and needs a "motor" looks for a window motor.
 */
export function withJoinedParts(all: readonly Span[], { words, vocabulary }: Words): readonly Span[] {
  const spans = withoutRepeated(all)
  const parts = spans.filter(isPart)
  for (const piece of parts) {
    const isPiece =
      vocabulary.partNames.isPieceOf(wordsAt(piece, words), piece.means) && !isWhole(piece, vocabulary)
    const whole = parts.find(
      (other) =>
        other !== piece &&
        (isOf(piece, other, spans, { words, vocabulary }) ||
          isPlaced(other, piece, { words, vocabulary }) ||
          (piece.means.isEnding && other.to === piece.from) ||
          (isPiece && other.to <= piece.from && !isListed(piece, spans, { words, vocabulary }))),
    )
    const said = whole ? [...wordsAt(whole, words), ...wordsAt(piece, words)] : []
    const means = joinedMeaning(said, vocabulary) ?? endingMeaning(said, piece, vocabulary)
    if (!whole || !means) continue
    return spans.flatMap((span) => {
      if (span === piece) return []
      return span === whole ? { ...whole, means, also: positions(piece) } : span
    })
  }
  return spans
}

/** "6 speed manual trans" says one part twice: of two names beside each other the narrower one counts. */
function withoutRepeated(spans: readonly Span[]): readonly Span[] {
  const kept: Span[] = []
  for (const span of spans) {
    const before = kept.at(-1)
    const isBeside = before?.to === span.from && isPart(before) && isPart(span)
    if (isBeside && isAmong(before, span)) kept[kept.length - 1] = { ...before, also: positions(span) }
    else if (isBeside && isAmong(span, before)) kept[kept.length - 1] = { ...span, also: positions(before) }
    else kept.push(span)
  }
  return kept
}

/** Whether one part is less than the other may be: of the same types, fewer. */
const isAmong = (one: PartSpan, other: PartSpan): boolean =>
  one.means.types.length < other.means.types.length &&
  !other.means.isEnding &&
  one.means.types.every((type) => other.means.types.includes(type))

/** Of "rear door" and "handle" a door handle, at the rear; of "driver door", at the left. */
function joinedMeaning(words: readonly string[], vocabulary: Vocabulary): PartSpan['means'] | undefined {
  const named = vocabulary
    .meaningsOf(words)
    .find((meaning): meaning is PartSpan['means'] => meaning.kind === 'part' && !meaning.isEnding)
  const [first = '', ...rest] = words
  const places = vocabulary.meaningsOf([first]).flatMap((one) => (one.kind === 'side' ? one.places : []))
  if (named || places.length === 0) return named
  const means = joinedMeaning(rest, vocabulary)
  return means && { ...means, places: [...means.places, ...places] }
}

/** Of a "bumper absorber", the absorber whose name has both words. */
function endingMeaning(
  words: readonly string[],
  { means }: PartSpan,
  { partTypes }: Vocabulary,
): PartSpan['means'] | undefined {
  if (!means.isEnding || words.length === 0) return undefined
  const named = partTypes.havingAll(words.flatMap((word) => partTypes.wordsIn(word)))
  const [only, ...others] = means.types.filter((type) => named.includes(type))
  if (!only || others.length > 0) return undefined
  return { kind: 'part', types: [only], label: only.name, places: [] }
}

/** Whether a part behind another one goes with its last words: the mirror of a "driver door mirror". */
function isPlaced(whole: PartSpan, part: PartSpan, { words, vocabulary }: Words): boolean {
  const isSide = vocabulary.meaningsOf([words[whole.from] ?? '']).some(({ kind }) => kind === 'side')
  return isSide && whole.to === part.from && whole.to - whole.from > 1
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
    !parts.some((next) => {
      const isOther = isWhole(next, vocabulary) && !isElsewhere(next, { words, vocabulary })
      return next.from === part.to && !(isWhole(part, vocabulary) && isOther)
    })
  const heads = parts.filter(isLast)
  const pieces = heads.flatMap((head) => pieceAt(head, { heads, parts, spans, words, vocabulary }))
  const taken = new Set(pieces.flatMap(({ at, besides = [] }) => [...at, ...besides]))
  const whole = heads.filter(({ from }) => !taken.has(from))
  const nothing = { saysEnd: false, beside: [], narrower: [], taken }
  if (whole.length === 0) {
    const [piece] = pieces
    const said = piece?.at.map((at) => words[at] ?? '')
    return {
      ...nothing,
      part: undefined,
      beside: (piece?.besides ?? []).map((at) => words[at] ?? ''),
      piece: piece &&
        said && { words: said, of: idsOf(piece.of), texts: textsOf(piece, { words, vocabulary }) },
    }
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
  !means.isEnding && means.types.some(({ name }) => language.wholeParts.has(name))

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

/** A piece by the positions of its words, without those of the larger part, too, if these may be any of its names. */
type Piece = {
  readonly at: readonly number[]
  readonly of: readonly PartSpan[]
  readonly own?: readonly number[]
  /** Positions of a larger part's words that its name may leave out: the engine of an "engine knock sensor". */
  readonly besides?: readonly number[]
}

/** As it was typed, and with the other names of the larger part: "moonroof glass" is also a "sunroof glass". */
function textsOf({ at, of, own }: Piece, { words, vocabulary }: Words): string[] {
  const said = (some: readonly number[]) => some.map((one) => words[one] ?? '').join(' ')
  const names = of.flatMap(({ means }) =>
    means.isEnding ? [] : means.types.flatMap((type) => vocabulary.partTypes.formsOf(type)),
  )
  const others = own ? names.map((name) => `${name.join(' ').replace(/ assembly$/, '')} ${said(own)}`) : []
  return [...new Set([said(at), ...others])]
}

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
  const own = positions(head)
  const before = parts.find((part) => part.to === head.from && !heads.includes(part))
  if (before && isPiece) return [{ at: [...positions(before), ...own], of: [before], own }]
  const across = before?.means.isEnding && pieceAcross(before, head, { words, vocabulary })
  if (across) return [across]
  const whole = parts.find((part) => isPiece && isOf(head, part, spans, { words, vocabulary }))
  if (whole) return [{ at: [...positions(whole), ...own], of: [whole], own }]
  const kind = kindOf(head, { spans, words, vocabulary })
  if (kind.length > 0 && (head.means.isEnding || isElsewhere(head, { words, vocabulary }))) {
    const whole = heads.find(({ to }) => to === kind[0])
    const isRead =
      head.means.types.length > 1 || kind.some((at) => vocabulary.partTypes.isWord(words[at] ?? ''))
    return [{ at: [...kind, ...own], of: isRead ? [] : [head], ...(whole && { besides: positions(whole) }) }]
  }
  return pieceBehind(head, { parts, spans, words, vocabulary })
}

/**
 * Positions of the words before a part that say which it is: "cruise control" of a switch. Beside an ending of names, which
 * says little, an ordinary word does, too: the height of a "height sensor".
 */
function kindOf(head: PartSpan, { spans, words, vocabulary }: Omit<Around, 'heads' | 'parts'>): number[] {
  const { roles, vehicleWords } = vocabulary.language
  const wordAt = (at: number) => (spans[at]?.means.kind === 'word' ? (words[spans[at].from] ?? '') : '')
  const isGeneral = (word: string) => roles.set('kind of any part').has(word)
  const isKind = (word: string) => {
    const describes = ['look', 'describing', 'damage'].some((role) => roles.set(role).has(word))
    const isOfCar = vehicleWords.isTrim(word) || vehicleWords.isBodyWord(word)
    const isIdle = !head.means.isEnding && vocabulary.isOrdinary(word)
    return /^\p{L}{3,}$/u.test(word) && !describes && !isOfCar && !isIdle
  }
  const last = spans.findIndex(({ to }) => to === head.from)
  if (isGeneral(wordAt(last))) return []
  let first = last
  while (isKind(wordAt(first))) first -= 1
  return spans.slice(first + 1, last + 1).map(({ from }) => from)
}

/** Whether the name of no type has the word, which is a small part's: of a shift boot, that is no trunk lid. */
const isElsewhere = ({ from, to, means }: PartSpan, { words, vocabulary }: Words): boolean => {
  const { partNames, partTypes } = vocabulary
  const said = words.slice(from, to)
  const [word = ''] = partTypes.wordsIn(said.join(' '))
  return (
    partNames.isPieceOf(said, means) &&
    partNames.isPiece(said[0] ?? '') &&
    means.types.every(({ name }) => !partTypes.wordsIn(name).includes(word))
  )
}

/** A word for a small part behind the larger one; that one may go on behind it: "cooler line transmission". */
function pieceBehind(head: PartSpan, { parts, spans, words, vocabulary }: Omit<Around, 'heads'>): Piece[] {
  const next = spans.find(({ from }) => from === head.to)
  if (next?.means.kind !== 'word' || !vocabulary.partNames.isPiece(words[next.from] ?? '')) return []
  const behind = parts.find(({ from }) => from === next.to)
  const together = behind && joinedMeaning([...wordsAt(behind, words), ...wordsAt(head, words)], vocabulary)
  const own = positions(next)
  if (!together) return [{ at: [...positions(head), ...own], of: [head], own }]
  return [{ at: [...positions(behind), ...positions(head), ...own], of: [{ ...head, means: together }], own }]
}

const wordsAt = ({ from, to }: Span, words: readonly string[]) => words.slice(from, to)

/** The switch of a brake light, whose last words alone would be a light switch. */
function pieceAcross(before: PartSpan, head: PartSpan, { words, vocabulary }: Words): Piece | undefined {
  for (let to = head.from + 1; to < head.to; to += 1) {
    const means = joinedMeaning(words.slice(before.from, to), vocabulary)
    const own = positions({ from: to, to: head.to })
    if (means && own.every((at) => vocabulary.partNames.isPiece(words[at] ?? ''))) {
      return { at: [...positions(before), ...positions(head)], of: [{ ...before, to, means }], own }
    }
  }
  return undefined
}
