import { LONGEST_LOOKUP_NAME } from '#contract/listing/listing-rules.ts'
import type { Places } from '#contract/trade-language/places.ts'
import { type KnownName, MAX_CANDIDATES } from '#contract/trade-language/verdicts.ts'
import type { WordRoles } from '#contract/trade-language/words.ts'
import { type OwnPart, openAsides, openFaults, type PieceReading } from './beside-part.ts'
import { type KindWords, openKindWords } from './kind-words.ts'
import {
  type Beside,
  certaintyAlone,
  type Found,
  type HintReading,
  isAll,
  isRelated,
  type NameReading,
  needsHint,
  oneAmong,
  onlyOf,
} from './name-reading.ts'
import type { PartMeaning, PartTypes } from './part-types.ts'
import { type NameWords, readNameWords, withoutDisplacement } from './part-words.ts'
import { openRemarks, piecesOf, type RemarkedName } from './remarks.ts'
import { CERTAINTY, knownType, MIN_PART_CERTAINTY, type TypeVerdict, unsureAmong } from './type-verdicts.ts'

/*
 * Finds the part type of a name. Its own words decide first, since the last noun of a part name is nearly always its
 * type; the yard's word for it ("Body", "Doors", "Glass") is a hint. Together they determine how certain the type is.
 */

/** `partType`: the part in the name, without side, vehicle and numbers; '' if there is none. */
export type PartName = {
  readonly verdict: TypeVerdict
  readonly partType: string
  /** The name is a general one, so that other words of the row may name another of these: `KindWords.said`. */
  readonly kinds?: readonly KnownName[]
}

/** The type of a part in questions about it; its whole name if the type is unknown. */
export const typeOfPart = ({ partType }: PartName, name: string): string =>
  partType === '' ? name.trim().slice(0, LONGEST_LOOKUP_NAME) : partType

// A yard has dozens of words; a wrongly mapped column has one for each row.
const MOST_REMEMBERED = 5_000

// A name has a handful of words; a pasted description has hundreds.
const MAX_WORDS = 12

/** A part number in the name, as in titles: the B of "B5Z-2425-B" is not a word. */
const NUMBER = /\b(?=(?:[a-z-]*\d){4})[a-z\d]+(?:-[a-z\d]+)+\b/gi
/** Whether a name may go on behind a separator; most do not. */
const SEPARATED = /[,;|]|\s[-–—]\s/
const BRACKETS = /[([]([^()[\]]*)[)\]]/g
/** "Gear/Rack", "radiator & fan", but not "A/C", "w/o" and "L/R". */
const ALTERNATIVES = /(\p{L}{2,})(?:\s*[/&+]\s*|\s+and\s+)(?=\p{L}{2})/iu

/** Measures such as "130 amp", "6 speed" and "90 day warr", whose units are also words of parts. */
const MEASURE =
  /\b\d[\d.,x/-]*\s*(?:amps?|speed|spd|inch|in|volts?|ft|gal|spokes?|cyl(?:inders?)?|liters?|mm|doors?|dr|channels?|pins?|posts?|(?:days?|months?|mos?|yrs?|years?)(?: warr(?:anty)?)?)\b/gi

/** Built once, then used for any number of parts. */
export class PartNames {
  readonly #types: PartTypes
  readonly #places: Places
  readonly #words: NameWords
  readonly #hints = new Map<string, HintReading>()
  readonly #remarks: (text: string) => RemarkedName
  /** Without text that describes the part: "Door mirror with signal", "Radiator for F-150". */
  readonly #withoutAside: (text: string) => string
  readonly #withoutFaults: ReturnType<typeof openFaults>
  /** Where a part sits, which is none of its name. */
  readonly #sits: RegExp
  /** Parts of which we have no type, although their last words alone name one: a clutch master cylinder. */
  readonly #otherParts: ReadonlySet<string>
  readonly kinds: KindWords

  constructor(types: PartTypes, { roles, places }: { roles: WordRoles; places: Places }) {
    this.#types = types
    this.#places = places
    this.#words = readNameWords(roles)
    this.#otherParts = new Set(roles.list('other part').map((name) => types.wordsIn(name).join(' ')))
    this.kinds = openKindWords(roles)
    this.#withoutAside = openAsides(roles)
    this.#withoutFaults = openFaults(roles)
    this.#sits = new RegExp(`^(?:${roles.list('beside a part').join('|')})\\b`, 'i')
    this.#remarks = openRemarks(
      roles,
      (piece) => places.sideOf(piece) !== undefined || this.#hasPartWord(piece),
      (text) => this.#sure(text) !== undefined,
    )
  }

  /** The name of a part up to remarks about its condition or about where it sits, and these. */
  withoutRemarks(text: string): Pick<RemarkedName, 'name' | 'remark'> {
    const { name, remark } = this.#remarks(text)
    const { own, rest } = this.#upToOther(name)
    if (!this.#sits.test(rest)) return { name, remark }
    return { name: own, remark: text.slice(text.indexOf(rest)) }
  }

  /**
   * A name up to the separator that another part's name follows: "ECM, BY GLOVE BOX" is an engine's computer.
   * "Mirror, door" continues. Parts of one group may be meant by either name: "Radiator, cooling fan".
   */
  #upToOther(name: string): OwnPart & { rest: string } {
    const whole = { own: name, rest: '' }
    if (!SEPARATED.test(name)) return whole
    for (const { from, after, text } of piecesOf(name).slice(1)) {
      const own = name.slice(0, after)
      const { sure: before, types } = this.#readPiece(own)
      const other = types.length > 0 ? this.#sure(text) : undefined
      if (!other || types.some(({ id }) => id === other.id)) continue
      const { words } = this.#read(own)
      const { best } = this.#read(`${own} ${text}`)
      if (best !== undefined && best.from < words.length) continue
      const isRepeated = this.#types.wordsIn(text).some((word) => words.includes(word))
      if (types.every(({ group }) => group !== other.group)) return { own, rest: name.slice(from) }
      if (before && !isRepeated) return { ...whole, rivals: [before, other] }
    }
    return whole
  }

  #ownPart(text: string): OwnPart {
    const upTo = this.#upToOther(text)
    return upTo.rivals
      ? upTo
      : this.#withoutFaults(this.#withoutAside(upTo.own), (one) => this.#readPiece(one))
  }

  #readPiece(text: string): PieceReading {
    const reading = this.#read(text)
    const { words, best } = reading
    const types = best?.meaning.types ?? []
    return { sure: this.#sureIn(reading), types, length: words.length, from: best?.from ?? -1 }
  }

  /** "Fairing, right side", whose noun we do not know, is asked as “Fairing”, not as “side”. */
  #withoutPlaces(name: string): string {
    const isKept = (one: string) => /^(?:front|rear)$/.test(one) || !this.#words.qualifiers.has(one)
    const kept = name.split(/\s+/).filter((word) => {
      const words = this.#types.wordsIn(word)
      return words.length === 0 || this.#types.withoutExtras(words).some(isKept)
    })
    return kept.join(' ').replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N})]+$/gu, '')
  }

  /** What a question is about. An answer about “motor” for “Centralita motor” would be wrong for every other motor. */
  #asked(name: string, { head, words, best, hasMore }: NameReading, { kind }: TypeVerdict): string {
    const isUnknownWord = hasMore && kind === 'unsure' && onlyOf(best?.meaning.types ?? []) !== undefined
    if (head === -1 || isUnknownWord) return this.#withoutPlaces(name)
    return words.filter((each) => !this.#words.looks.has(each)).join(' ')
  }

  #hasPartWord(piece: string): boolean {
    return this.#types.wordsIn(piece).some((word) => this.#isPartWord(word))
  }

  /** `word`: the yard's own category; '' if it has none. */
  match(typed: string, word: string): PartName {
    const { own: name, rivals } = this.#ownPart(this.#remarks(typed).plain)
    const reading = this.#read(name)
    const hint = this.#readHint(word)
    const oneOfTwo = rivals ? oneAmong(rivals, hint) : this.#oneOfTwo(name, reading, hint)
    const kindOfHint = this.kinds.amongHinted(typed, reading, hint.general)
    const ofHint = kindOfHint && knownType(kindOfHint, CERTAINTY.fromWord)
    const verdict = oneOfTwo ?? ofHint ?? this.#decide(reading, hint)
    const partType = this.#asked(name, reading, verdict)
    const { own, types } = reading.best?.meaning ?? hint.general ?? {}
    const isGeneral = verdict.kind === 'known' && verdict.id === own?.id && types !== undefined
    if (!isGeneral) return { verdict, partType }
    const kind = this.kinds.said(types, `${typed} ${word}`)
    return kind
      ? { verdict: knownType(kind, verdict.certainty), partType }
      : { verdict, partType, kinds: types }
  }

  /**
   * Whether words mean a different part after the name of a larger part: a transfer case motor is not an engine.
   */
  isPieceOf(words: readonly string[], { types, isEnding }: PartMeaning): boolean {
    const [word = '', ...more] = words.flatMap((each) => this.#types.wordsIn(each))
    if (isEnding) return true
    if (more.length > 0) return false
    const isOwnName = types.some((type) => this.#types.wordsIn(type.name).join(' ') === word)
    return !isOwnName && (this.#words.loose.has(word) || this.#words.pieces.has(word))
  }

  /** Whether a word names small parts, so that after a larger part's name it is none of our part types. */
  isPiece(word: string): boolean {
    const [plain = ''] = this.#types.wordsIn(word)
    return this.#words.pieces.has(plain)
  }

  /** "Tailgate/Trunk Lid" is one or the other, so the seller is asked; both halves of "Steering Gear/Rack" are the same. */
  #oneOfTwo(text: string, { words, best }: NameReading, hint: HintReading): TypeVerdict | undefined {
    const slash = ALTERNATIVES.exec(text)
    const isWhole = best !== undefined && best.to - best.from === words.length
    if (!slash || isWhole) return undefined
    const before = text.slice(0, slash.index)
    const after = text.slice(slash.index + slash[0].length)
    const one = this.#sure(before + slash[1])
    const other = this.#sure(before + after) ?? this.#sure(after)
    if (!one || !other) return undefined
    return one.id === other.id ? knownType(one, CERTAINTY.longer) : oneAmong([one, other], hint)
  }

  #sure(text: string): KnownName | undefined {
    return this.#sureIn(this.#read(text))
  }

  #sureIn(reading: NameReading): KnownName | undefined {
    return reading.certainty >= MIN_PART_CERTAINTY ? onlyOf(this.#typesOf(reading)) : undefined
  }

  #decide(name: NameReading, hint: HintReading): TypeVerdict {
    const types = this.#typesOf(name)
    const only = onlyOf(types)
    const { category } = hint
    if (category && this.#isKindOf(name, category)) return knownType(category, CERTAINTY.fromWord)
    const certainty = certaintyAlone(name, hint)
    if (only && certainty >= MIN_PART_CERTAINTY) return knownType(only, certainty)
    if (category && this.#agrees(name, types, category)) return knownType(category, CERTAINTY.fromWord)
    const possible = types.length > 1 ? types : this.#possible(name)
    const hinted = this.#narrowed(name, possible, hint)
    if (hinted) return knownType(hinted, CERTAINTY.hinted)
    const isWhole = name.best !== undefined && name.best.to - name.best.from === name.words.length
    if (isWhole || (types.length > 1 && name.certainty >= MIN_PART_CERTAINTY)) return unsureAmong(types)
    const likely = [...this.#nearest(name), ...this.#ofKind(name, possible), ...(category ? [category] : [])]
    return unsureAmong((likely.length > 0 ? likely : this.#namedBy(hint)).slice(0, MAX_CANDIDATES))
  }

  /** The types of the name's head; fewer if the name also has an end or side that only some of them have. */
  #typesOf(reading: NameReading): readonly KnownName[] {
    const types = this.#typesOfHead(reading)
    const [only, ...others] = types
    return only && others.length === 0 ? [this.#atEnd(only, reading) ?? only] : types
  }

  /** “Door shell” is another name of one type; at the other end, it is that type's sibling. */
  #atEnd({ name }: KnownName, { end }: NameReading): KnownName | undefined {
    const [said, opposite] = end === 'front' ? ['Front', 'Rear '] : ['Rear', 'Front ']
    if (!end || !name.startsWith(opposite)) return undefined
    const sibling = this.#types.match(`${said} ${name.slice(opposite.length)}`)
    return sibling.kind === 'known' && sibling.how === 'exact'
      ? { ...sibling, aliases: [], confirmed: true }
      : undefined
  }

  #typesOfHead({ best, words, isSided, end: atCorner, isPhrase }: NameReading): readonly KnownName[] {
    const { own, types = [] } = best?.meaning ?? {}
    if (own) return [own]
    if (types.length < 2 || isPhrase) return types
    const end = (['front', 'rear'] as const).find((one) => words.includes(one)) ?? atCorner
    const atEnd = end ? types.filter(({ name }) => name.toLowerCase().startsWith(`${end} `)) : []
    const left = atEnd.length > 0 ? atEnd : types
    const sided = left.filter(({ name }) =>
      this.#types.wordsIn(name).some((word) => this.#words.sided.has(word)),
    )
    return isSided && sided.length > 0 ? sided : left
  }

  /** The category of the head, unless that is a piece of something else: a headlight motor is not an engine. */
  #nearest({ best, words }: NameReading): readonly KnownName[] {
    if (!best) return []
    const isPiece =
      best.to - best.from === 1 && words.length > 1 && this.#words.pieces.has(words[best.from] ?? '')
    return isPiece ? [] : best.meaning.types
  }

  #readHint(word: string): HintReading {
    const before = this.#hints.get(word)
    if (before) return before
    const words = this.#types.wordsIn(word)
    const groups = this.#words.sections.get(words.join(' '))
    const isName = word !== '' && !groups && !this.#types.isPlaceholder(word)
    const verdict = isName ? this.#types.match(word) : undefined
    const category = verdict?.kind === 'known' ? { ...verdict, aliases: [], confirmed: true } : undefined
    const general = this.#types.meaningOf(words)
    const reading = { words, groups, category, general: general?.own && general }
    if (this.#hints.size >= MOST_REMEMBERED) this.#hints.clear()
    this.#hints.set(word, reading)
    return reading
  }

  /** Whether the name leaves room for the category that the yard named: an alternator bracket is not an alternator. */
  #agrees({ words, head }: NameReading, types: readonly KnownName[], category: KnownName): boolean {
    const noun = words[head]
    if (noun === undefined || types.some(({ id }) => id === category.id)) return true
    return this.#types.formsOf(category).some((form) => form.includes(noun))
  }

  /** For a generic name, the yard's category may decide: a "wheel" under Steering Wheel. */
  #isKindOf({ best, words }: NameReading, category: KnownName): boolean {
    const kind = words.join(' ')
    const isGeneral = best?.meaning.own !== undefined && best.to - best.from === words.length
    return isGeneral && this.#types.wordsIn(category.name).join(' ').endsWith(` ${kind}`)
  }

  /** Categories with all words of the name and more. */
  #possible({ words, head }: NameReading): KnownName[] {
    const noun = words[head]
    if (noun === undefined) return []
    const all = this.#types.havingAll(words)
    if (all.length > 0) return all
    const around = words.filter((word, at) => at === head || !this.#words.qualifiers.has(word))
    return around.length < words.length ? this.#types.havingAll(around) : []
  }

  /**
   * The categories of this kind of part, by their names or else by an alias: an alloy wheel is a wheel, a wheel hub is
   * not.
   */
  #ofKind({ words, head }: NameReading, entries: readonly KnownName[]): readonly KnownName[] {
    const noun = words[head]
    const named = entries.filter(({ name }) => this.#types.wordsIn(name).at(-1) === noun)
    if (named.length > 0) return named
    const kinds = entries.filter((entry) => this.#types.formsOf(entry).some((form) => form.at(-1) === noun))
    return kinds.length > 0 ? kinds : entries
  }

  /** The only possible category that the yard's word allows. */
  #narrowed(name: NameReading, possible: readonly KnownName[], hint: HintReading): KnownName | undefined {
    const { best, words, others } = name
    const type = best && onlyOf(best.meaning.types)
    const isLoose = best && others.length === 0 && this.#words.loose.has(words[best.from] ?? '')
    // A "cradle" among the yard's suspension parts is a Subframe.
    if (type && isLoose && hint.groups?.includes(type.group ?? ''))
      return words.length === best.to - best.from ? type : undefined
    if (hint.words.length === 0 && needsHint(name)) return undefined
    const said = new Set([...hint.words, ...words])
    const noun = words[name.head] ?? ''
    const named = possible.filter((entry) =>
      this.#types
        .formsOf(entry)
        .some((form) => form.at(-1) === noun && form.every((each) => said.has(each) || each === 'assembly')),
    )
    return onlyOf(named)
  }

  #namedBy(hint: HintReading): KnownName[] {
    const words = this.#types.withoutExtras(hint.words)
    return words.length === 0 ? [] : this.#types.havingAll(words)
  }

  #read(text: string): NameReading {
    return this.#readPhrase(text) ?? this.#readName(text)
  }

  /** A name that is a known phrase as a whole, such as "dana 60" or "front clip". */
  #readPhrase(text: string): NameReading | undefined {
    const plain = withoutDisplacement(text)
    const meaning = this.#types.meaningOfText(plain)
    const words = this.#types.withoutExtras(this.#types.wordsIn(plain))
    if (!meaning || meaning.isEnding || words.length === 0) return undefined
    const best = { meaning, from: 0, to: words.length, inOrder: true }
    const certainty = this.#certaintyOf(best, { words, others: [], hasMore: false })
    return { words, head: words.length - 1, best, others: [], certainty, isSided: false, isPhrase: true }
  }

  #readName(text: string): NameReading {
    const name = this.#outsideBrackets(text)
    const cut = this.#withoutAside(name)
    const short = this.#readWords(cut)
    if (name !== text && short.certainty < MIN_PART_CERTAINTY) {
      const open = this.#readWords(text)
      if (isAll(open)) return open
    }
    return short
  }

  #readWords(text: string): NameReading {
    const isSided = this.#places.sideOf(text) !== undefined
    const all = this.#types
      .wordsIn(text.replaceAll(MEASURE, ' ').replaceAll(NUMBER, ' '))
      .filter((word) => !/\d/.test(word) || (/[a-z]/.test(word) && this.#types.isWord(word)))
    const spelled = this.#types.withoutExtras(all).slice(0, MAX_WORDS)
    const ofText = { isSided, end: this.#places.endOf(text) }
    const asTyped = { ...this.#readSpelled(spelled), ...ofText }
    if (asTyped.best) return asTyped
    const corrected = this.#types.corrected(spelled, this.#words.qualifiers)
    if (!corrected) return asTyped
    const read = this.#readSpelled(corrected.words)
    return read.best
      ? { ...read, ...ofText, certainty: Math.min(read.certainty, CERTAINTY.mistyped) }
      : asTyped
  }

  #readSpelled(spelled: readonly string[]): Omit<NameReading, 'isSided'> {
    const words = spelled.filter((word) => this.#isPartWord(word))
    const head = words.findLastIndex((word) => !this.#words.qualifiers.has(word))
    const found = this.#findAll(words)
    const hasMore = words.length < spelled.length
    const twice = this.#saidTwice(words, found)
    if (twice) return { words, head, best: twice, others: [], certainty: CERTAINTY.longer, hasMore }
    const best = found
      .filter(({ from, to }) => from <= head && head < to)
      .toSorted(
        (a, b) => b.to - b.from - (a.to - a.from) || Number(b.inOrder) - Number(a.inOrder) || b.to - a.to,
      )[0]
    if (best && this.#isOfOtherPart(words.slice(0, best.to), best.from))
      return { words, head, best: undefined, others: [], certainty: 0 }
    const others = found.filter(({ meaning }) => meaning !== best?.meaning)
    // Words that are not about parts, such as a brand or a vehicle.
    const certainty = best ? this.#certaintyOf(best, { words, others, hasMore }) : 0
    return { words, head, best, others, certainty, hasMore }
  }

  /** Titles say a part in all of its names, so that any search finds it: "Engine Computer ECM Control Module". */
  #saidTwice(words: readonly string[], found: readonly Found[]): Found | undefined {
    const ofType = (id: string) => found.filter(({ meaning }) => meaning.types.some((type) => type.id === id))
    const first = found.find(({ meaning }) => {
      const type = onlyOf(meaning.types)
      const names = type ? ofType(type.id) : []
      const isName = (at: number) => names.some(({ from, to }) => from <= at && at < to)
      return names.length > 1 && words.every((word, at) => isName(at) || this.#words.qualifiers.has(word))
    })
    return first && { ...first, from: 0, to: words.length }
  }

  #isOfOtherPart(words: readonly string[], before: number): boolean {
    return words.slice(0, before).some((_, from) => this.#otherParts.has(words.slice(from).join(' ')))
  }

  #isPartWord(word: string): boolean {
    return this.#types.isWord(word) || this.#words.pieces.has(word) || this.#words.qualifiers.has(word)
  }

  /** The parts in a name, except those inside a longer one: there is no wheel in "wheel bearing". */
  #findAll(words: readonly string[]): Found[] {
    const found: Found[] = []
    for (let size = words.length; size > 0; size -= 1) {
      for (let from = words.length - size; from >= 0; from -= 1) {
        const to = from + size
        if (found.some((other) => other.from <= from && to <= other.to)) continue
        const span = words.slice(from, to)
        const meaning = this.#types.meaningOf(span)
        if (!meaning || meaning.isEnding) continue
        const inOrder = meaning.types.some((type) =>
          this.#types.formsOf(type).some((form) => form.join() === span.join()),
        )
        found.push({ meaning, from, to, inOrder })
      }
    }
    return found
  }

  #certaintyOf({ meaning, from, to }: Found, { words, others, hasMore }: Beside): number {
    const { qualifiers, loose, pieces } = this.#words
    const rest = words.filter((word, at) => (at < from || at >= to) && !qualifiers.has(word))
    if (to - from === 1) {
      const word = words[from] ?? ''
      const isOwn = meaning.types.some((type) => this.#types.wordsIn(type.name).join(' ') === word)
      const isOwnName = isOwn && rest.length === 0
      if (!isOwnName && (loose.has(word) || (pieces.has(word) && rest.length > 0))) return CERTAINTY.loose
    }
    // The switch in "brake light switch" is of brake lights, and no light switch: its first words are another part's.
    const isOfOther = others.some(
      (other) =>
        other.from < from && from < other.to && !other.meaning.types.some((one) => isRelated(one, meaning)),
    )
    if (isOfOther) return CERTAINTY.ambiguous
    // A piece before the name belongs to it ("hinge cover"), one after it would be the head.
    if (rest.length === 0) return hasMore ? CERTAINTY.longer : CERTAINTY.exact
    return others.some((other) => other.from > to) ? CERTAINTY.ambiguous : CERTAINTY.longer
  }

  /** "Fuse Box (Engine)" is not an engine; "Bumper (Front)" is a front bumper. */
  #outsideBrackets(text: string): string {
    const outside = text.replaceAll(BRACKETS, (_, inside: string) =>
      this.#types.wordsIn(inside).every((word) => this.#words.qualifiers.has(word)) ? ` ${inside} ` : ' ',
    )
    return outside.trim() === '' ? text : outside
  }
}
