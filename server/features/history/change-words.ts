import { type Actor, isAdmin } from '#server/platform/actor.ts'

/** Who changed a listing last, and when. */
export type LastChange = {
  /** Null for the program itself, and for people whose account is gone. */
  userId: string | null
  /** Their name. */
  by: string | null
  kind: 'user' | 'job' | 'system'
  how: string
  at: Date
  /** Whether they belong to the seller of the listing. */
  isOfSeller: boolean
}

/** "Changed by Dana Whitfield at 2026-11-21 06:38 UTC", for admins. */
export function changedBy(change: LastChange | undefined): string {
  if (!change) return 'Changed by somebody else'
  const who = change.by ?? `the program (${change.how})`
  return `Changed by ${who} at ${inMinutes(change.at)}`
}

/** Who it was, as far as the viewer may know: admins know everybody by name, sellers nobody. */
export function whoChanged({ userId, by, kind, how, isOfSeller }: LastChange, viewer: Actor): string {
  if (userId === viewer.userId) return kind === 'user' ? 'you, in another window' : `you (${how})`
  if (userId === null) return kind === 'user' ? 'somebody whose account is gone' : `the program (${how})`
  if (isAdmin(viewer)) return by ?? 'somebody else'
  return isOfSeller ? 'a colleague' : 'an administrator'
}

/** "2026-11-21 06:38 UTC" */
export const inMinutes = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
