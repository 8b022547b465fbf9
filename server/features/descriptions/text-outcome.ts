/** What came of a record. */
export type TextOutcome =
  | { readonly kind: 'written'; readonly text: string }
  /** It has a text that is to stay, or the writer says what is there already. */
  | { readonly kind: 'unchanged' }
  /** What was written says what its record does not, or breaks a rule. */
  | { readonly kind: 'refused'; readonly why: string }
  /** Nothing could be written; where `endsJob`, neither could the next one. */
  | { readonly kind: 'failed'; readonly why: string; readonly endsJob: boolean }

/** For whoever prints it: what came of the record that people call `place`. */
export type TextReport = {
  readonly place: string
  readonly before: string
  readonly outcome: TextOutcome
}
