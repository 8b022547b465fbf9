import { type ClaimVerdict, checkClaims } from './claim-check.ts'
import type { KnownNames } from './known-names.ts'
import type { Support } from './support.ts'
import type { TextKind } from './text-shape.ts'
import type { LandingText, Written } from './writer.ts'

/** What texts are checked with, for the whole of a job. */
export type Checking = {
  readonly known: KnownNames
  /** Set by the flag of that name: what is written goes unchecked. */
  readonly skipValidation?: boolean
}

/** A text if it says only what its record says. */
export function checkedText(
  text: string,
  { support, kind }: { support: Support; kind: TextKind },
  { known, skipValidation }: Checking,
): Written<string> {
  const verdict: ClaimVerdict = skipValidation ? { ok: true } : checkClaims(text, { support, known, kind })
  return verdict.ok ? { ok: true, text } : { ok: false, problems: verdict.problems, refused: text }
}

/** The three texts of a landing page; one bad one spoils all. */
export function checkedLanding(
  text: LandingText,
  support: Support,
  checking: Checking,
): Written<LandingText> {
  const kinds = ['title', 'metaDescription', 'intro'] as const
  const problems = kinds.flatMap((kind) => {
    const written = checkedText(text[kind], { support, kind }, checking)
    return written.ok ? [] : written.problems
  })
  return problems.length === 0 ? { ok: true, text } : { ok: false, problems, refused: text }
}
