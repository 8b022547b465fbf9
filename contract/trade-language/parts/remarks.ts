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
const SEPARATOR = /\s*(?:[;|…]|\.{2,}|(?<!\d),|,(?!\d)|\*+|\((?=[^()]*\)\s*$))\s*|\s+(?:[-–—]+|\/\/)\s+/g

const MAY_SEPARATE = /[,;|…(*]|\.\.|\s(?:[-–—]|\/\/)/

/** A pasted description has no clear end of the name. */
const LONGEST = 300

type PartWord = (piece: string) => boolean

/** @param namesPart whether a piece has a word of a part or a place */
export function openRemarks(roles: WordRoles, namesPart: PartWord): (text: string) => RemarkedName {
  const words = new Set(roles.list('remark').flatMap((word) => wordsOf(word).map(singular)))
  const isRemark = (piece: string) => wordsOf(piece).some((word) => words.has(singular(word)))
  return (text) => {
    const whole = { plain: text, name: text, remark: '' }
    // Most names have none, and a test is faster than cutting.
    if (text.length > LONGEST || !MAY_SEPARATE.test(text)) return whole
    const pieces = piecesOf(text)
    const [, ...further] = pieces
    const remarks = further.filter(({ text: piece }) => isRemark(piece))
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
      remark: remark.includes('(') ? remark : remark.replace(/\)$/, ''),
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
