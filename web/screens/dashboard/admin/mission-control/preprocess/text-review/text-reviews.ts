import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { hasEnded, type JobDetail } from '#contract/admin/automation.ts'
import {
  findScript,
  type TextChange,
  type TextDecision,
  type TextReview,
  textReviewEndpoints,
} from '#contract/admin/scripts.ts'
import { call } from '#web/api/client.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'

/** Whether a job was a dry run of a script that writes texts, and has ended. */
export function hasTextReview({ status, scriptId, payload }: JobDetail): boolean {
  const { flags } = payload as { flags?: { dryRun?: unknown } }
  return hasEnded(status) && flags?.dryRun === true && findScript(scriptId ?? '')?.writes === 'texts'
}

export type ReviewFilters = {
  readonly q: string
  readonly change: TextChange | ''
  readonly decision: TextDecision | 'open' | ''
}

const keyOf = (jobId: string) => ['automation', 'texts', jobId]

const given = ({ q, change, decision }: ReviewFilters) => ({
  ...(q !== '' && { q }),
  ...(change !== '' && { change }),
  ...(decision !== '' && { decision }),
})

export function useTextReview(jobId: string, filters: ReviewFilters) {
  return useInfiniteQuery({
    queryKey: [...keyOf(jobId), filters],
    queryFn: ({ pageParam, signal }) =>
      call(textReviewEndpoints.readTextReview, {
        params: { id: jobId },
        query: { ...given(filters), after: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

type Decision = {
  decision: TextDecision | null
  /** Without positions: all that match the filters. */
  places?: number[]
  filters?: ReviewFilters
}

export function useDecide(jobId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ decision, places, filters }: Decision) => {
      const { decision: _, ...chosen } = filters ? given(filters) : {}
      return call(textReviewEndpoints.decideTexts, {
        params: { id: jobId },
        body: { decision, ...(places && { places }), ...chosen },
      })
    },
    onError: (error) => notifyProblem(failureWords(error, 'Failed to save the decision')),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(jobId) }),
  })
}

/** The result of one click on the button. */
export type WrittenNow = { written: number; version: number | null }

/** Live listings are written a bulk save at a time, until none is left. */
export function useWriteAccepted(jobId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (): Promise<WrittenNow> => {
      const now: WrittenNow = { written: 0, version: null }
      for (let left = 1; left > 0; ) {
        const reply = await call(textReviewEndpoints.writeAcceptedTexts, { params: { id: jobId } })
        now.written += reply.written
        now.version = reply.version
        left = reply.left
      }
      return now
    },
    onError: (error) => notifyProblem(failureWords(error, 'Failed to write the texts')),
    // A staged file has a new version, live listings have new texts.
    onSettled: () => client.invalidateQueries(),
  })
}

export const changeWords: Record<TextChange, string> = {
  new: 'New text',
  added: 'Facts added',
  reworded: 'Reworded',
  drops: 'Drops words',
  refused: 'Refused',
}

/** A sentence about what remains and what was done. */
export function reviewSummary({ open, accepted, rejected, changes, written, stale }: TextReview): string {
  const counts: [number, string][] = [
    [open, 'to decide'],
    [accepted, 'accepted'],
    [rejected, 'rejected'],
    [changes.refused, 'refused'],
    [written, 'written'],
    [stale, 'left alone because they changed since the dry run'],
  ]
  const shown = counts.filter(([count]) => count > 0)
  if (shown.length === 0) return 'The dry run would change nothing.'
  return `${shown.map(([count, what]) => `${count.toLocaleString('en-US')} ${what}`).join(', ')}.`
}

/** A piece of a text, and whether the other text has its words. */
export type TextPiece = { text: string; isShared: boolean }

/** The text in pieces whose words the other text has or does not have; together they are the text. */
export function comparedPieces(text: string, other: string): TextPiece[] {
  const known = new Set(other.split(/\s+/).map(wordKey))
  const pieces: TextPiece[] = []
  for (const piece of text.split(/(?<=\s)(?=\S)/)) {
    const isShared = known.has(wordKey(piece))
    const last = pieces.at(-1)
    if (last?.isShared === isShared) last.text += piece
    else pieces.push({ text: piece, isShared })
  }
  return pieces
}

const wordKey = (word: string) =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
