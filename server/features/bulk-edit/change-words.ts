/** Who changed a listing last, and when. */
export type LastChange = {
  /** Null for the program itself. */
  by: string | null
  how: string
  at: Date
}

/** "Changed by Dana Whitfield at 2026-11-21 06:38 UTC". */
export function changedBy(change: LastChange | undefined): string {
  if (!change) return 'Changed by somebody else'
  const who = change.by ?? `the program (${change.how})`
  return `Changed by ${who} at ${change.at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
