import { coveredAt, nameAt, unknownName } from './claim-names.ts'
import { isNumberWord, type Reading, wrongMixed, wrongNumber, wrongNumberWord } from './claim-numbers.ts'
import { hasWordRule, wrongWord } from './claim-words.ts'
import type { KnownNames } from './known-names.ts'
import type { Support } from './support.ts'
import { isTitleKind, LONGEST_READ, shapeProblems, type TextKind } from './text-shape.ts'
import { type Token, tokensOf } from './text-tokens.ts'
import type { Problem } from './writer.ts'

export type ClaimVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** What a text is held against: what its record vouches for, the names of the lookups, and what it is written for. */
export type ClaimGround = { readonly support: Support; readonly known: KnownNames; readonly kind: TextKind }

const FINE: ClaimVerdict = { ok: true }
// Enough to tell a writer what to change; a text with more is written anew anyway.
const MOST_PROBLEMS = 12

/**
 * Whether a generated text says only what its record says: every number, name, position and promise in it must be
 * vouched for. It judges words, not meaning, and in doubt it refuses: a refusal costs another try, a wrong fitment a
 * return.
 */
export function checkClaims(text: string, ground: ClaimGround): ClaimVerdict {
  const problems = shapeProblems(text, ground.kind)
  if (text.length > LONGEST_READ) return { ok: false, problems }
  const reading: Reading = { text, tokens: tokensOf(text), support: ground.support }
  for (let at = 0; at < reading.tokens.length && problems.length < MOST_PROBLEMS; ) {
    at += checkAt(reading, at, { ground, problems })
  }
  return problems.length === 0 ? FINE : { ok: false, problems }
}

// English has some tens of thousands of words in use; beyond that it is no English.
const MOST_IDLE = 50_000

/** Whether a token is a small word that nothing asks about; most words of a text are, and one look-up tells. */
function isIdle({ kind, capital, key, text }: Token, known: KnownNames): boolean {
  if (kind !== 'word' || capital) return false
  if (known.idle.has(key)) return true
  if (text !== key || hasWordRule(key) || isNumberWord(key) || known.begins(key)) return false
  if (known.idle.size < MOST_IDLE) known.idle.add(key)
  return true
}

type Findings = { readonly ground: ClaimGround; readonly problems: Problem[] }

/** Judges what begins at a token and answers how many tokens that was. */
function checkAt(reading: Reading, at: number, { ground, problems }: Findings): number {
  const first = reading.tokens[at]
  if (first === undefined || (isIdle(first, ground.known) && !reading.support.literals.has(first.key)))
    return 1
  const covered = coveredAt(reading.tokens, at, ground.support)
  const named = nameAt(reading.tokens, at, ground)
  if (named !== undefined && named.length > covered) {
    if (named.problem) problems.push(named.problem)
    return named.length
  }
  const token = reading.tokens[at]
  // A Chrysler 300 makes no price of $300 and no mileage true: a lone number is judged by what stands around it.
  if (covered > 1 || (covered === 1 && token?.kind !== 'number')) return covered
  const problem = token && wrongToken(reading, at, { token, ground })
  if (problem) problems.push(problem)
  return 1
}

function wrongToken(
  reading: Reading,
  at: number,
  { token, ground }: { token: Token; ground: ClaimGround },
): Problem | undefined {
  if (token.kind === 'number') return wrongNumber(reading, at)
  if (token.kind === 'mixed') return wrongMixed(reading, at)
  const wrong = wrongWord(reading, at, token.key) ?? wrongNumberWord(reading, at, token.key)
  if (wrong !== undefined) return wrong
  if (token.text.includes('-')) return wrongPieces(reading, token, ground)
  return unknownName(token, ground.support, isTitleKind(ground.kind))
}

/** "two-year", "brand-new", "OEM-quality": what a hyphen joins is judged piece by piece. */
function wrongPieces(reading: Reading, token: Token, ground: ClaimGround): Problem | undefined {
  const text = token.text.replaceAll('-', ' ')
  const [first, ...others] = tokensOf(text)
  if (first === undefined) return undefined
  const tokens = [{ ...first, startsSentence: token.startsSentence }, ...others]
  const pieces: Reading = { text, tokens, support: reading.support }
  const problems: Problem[] = []
  for (let at = 0; at < tokens.length; ) at += checkAt(pieces, at, { ground, problems })
  const [problem] = problems
  return problem && { ...problem, claim: token.text }
}
