import { singular, wordsOf } from '#contract/trade-language/names.ts'
import type { WordRoles } from '#contract/trade-language/words.ts'

/*
 * Remarks after a part's name: "SIDE MIRROR LH, LIGHT SURFACE RUST". They describe the part and never decide what it
 * is. A remark follows a separator and contains a word about condition; the words are those of `words.csv`.
 */

export type RemarkedName = {
  /** The name without remarks, for finding out what the part is. */
  readonly plain: string
  /** The name up to its remarks as typed, and these; the whole name and '' if a word of a part follows them. */
  readonly name: string
  readonly remark: string
}

/** Between the pieces of a name. A comma may be inside a number; a bracket is at the end. */
const SEPARATOR =
  /\s*(?:[;|…]|\.{2,}|(?<!\d),|,(?!\d)|\*+|[([](?=[^()[\]]*[)\]]\s*$))\s*|\s+(?:[-–—]+|\/\/)\s+/g

const MAY_SEPARATE = /[,;|…([*]|\.[. ]|\s(?:[-–—]|\/\/)/

const ONE_WORD = /^\s*\p{L}+\s*$/u

/** A pasted description has no clear end of the name. */
const LONGEST = 300

type PartWord = (piece: string) => boolean

/** A full stop, unless it is an abbreviation's: "Frt. Bumper". */
const STOP = /(?<=\p{L}{3})\.(?=\s+\p{L})/gu

/**
 * @param namesPart whether a piece has a word of a part or a place
 * @param isPart whether a text surely names one part
 */
export function openRemarks(
  roles: WordRoles,
  namesPart: PartWord,
  isPart: PartWord,
): (text: string) => RemarkedName {
  const shortened = new Set(roles.list('abbreviation'))
  /** A full stop at the end of a part's name separates as a semicolon does. */
  const withStops = (text: string) => {
    const end = [...text.matchAll(STOP)].find(({ index }) => {
      const before = text.slice(0, index)
      return !shortened.has(wordsOf(before).at(-1) ?? '') && isPart(before)
    })
    return end ? text.replaceAll(STOP, (stop, at: number) => (at < end.index ? stop : ';')) : text
  }
  const words = new Set(roles.list('remark').flatMap((word) => wordsOf(word).map(singular)))
  const isRemark = (piece: string) => wordsOf(piece).some((word) => words.has(singular(word)))
  /** “BOARD, RUNNING” is a running board, whose noun alone is no part. */
  const isInverted = (noun: string, piece: string) =>
    ONE_WORD.test(noun) && ONE_WORD.test(piece) && !isPart(noun) && isPart(`${piece} ${noun}`)
  return (text) => {
    // Most names have none, and a test is faster than cutting.
    if (text.length > LONGEST || !MAY_SEPARATE.test(text)) return { plain: text, name: text, remark: '' }
    const separated = text.includes('. ') ? withStops(text) : text
    const whole = { plain: separated, name: text, remark: '' }
    const pieces = piecesOf(separated)
    const [noun, ...further] = pieces
    const remarks = further.filter(
      ({ text: piece }) => isRemark(piece) && !isInverted(noun?.text ?? '', piece),
    )
    const [first] = remarks
    if (!first) return whole
    const plain = pieces
      .filter((piece) => !remarks.includes(piece))
      .map(({ text: piece }) => piece)
      .join(', ')
    const isLast = pieces
      .slice(pieces.indexOf(first))
      .every((piece) => remarks.includes(piece) || !namesPart(piece.text))
    if (!isLast) return { ...whole, plain }
    const remark = text.slice(first.from).trim()
    return {
      plain,
      name: text.slice(0, first.after).trim(),
      remark: /[([]/.test(remark) ? remark : remark.replace(/[)\]]$/, ''),
    }
  }
}

/** Pieces with a character other than spaces: where each begins, and where the one before it ends. */
export function piecesOf(text: string): { text: string; from: number; after: number }[] {
  const pieces: { text: string; from: number; after: number }[] = []
  let from = 0
  let after = 0
  const add = (to: number) => {
    const piece = text.slice(from, to)
    if (/[\p{L}\p{N}]/u.test(piece)) pieces.push({ text: piece, from, after })
  }
  for (const { index, 0: separator } of text.matchAll(SEPARATOR)) {
    add(index)
    after = pieces.length > 0 ? index : after
    from = index + separator.length
  }
  add(text.length)
  return pieces
}
