/** How a job ended that a promotion waits for; `gone` where not even its record is left. */
export type DeadEnd = 'failed' | 'cancelled' | 'gone'

/** What a fault of ours is told as. What broke inside is for the job's record and the log: it may name files and tables. */
export const faultOf = (jobId: string): string =>
  `A fault on our side stopped it. Technical support finds what happened under the number ${jobId}.`

/** Why a promotion stands still whose job ended without it, and what can be done. */
export function stopReason(stopped: { state: string; applied: number; jobId: string; end: DeadEnd }): string {
  const { state, applied, jobId, end } = stopped
  const why = end === 'cancelled' ? 'It was stopped by an administrator.' : faultOf(jobId)
  if (state === 'undoing') return `${why} Not all of it is taken back yet: undo it again to go on.`
  if (applied === 0) return `${why} Nothing of it went live; the file can be promoted again.`
  return `${why} What is live so far can be undone, or the file promoted again to go on.`
}
