import { Button, Group, Progress, Text } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { useEffect, useEffectEvent, useRef } from 'react'
import { ApiError, errorSentence } from '#web/api/failures.ts'
import { formatCount, timeInWords } from '#web/components/imports/import-words.ts'
import type { JobProgress } from '#web/components/job-stream/feed-log.ts'
import type { JobStream } from '#web/components/job-stream/job-feed.ts'
import { useRate } from '#web/components/rate.ts'
import { notifyProblem } from '#web/components/toasts.tsx'

type RunProgressProps = {
  progress: JobProgress
  /** Whether it is running, so that a rate makes sense. */
  isMoving: boolean
}

export function RunProgress({ progress, isMoving }: RunProgressProps) {
  const { stage, percentage, count, total, atMs } = progress
  const rate = useRate(count, atMs)
  const left = total === undefined || count === undefined ? 0 : total - count
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm">{[amountOf(progress), stage].filter(Boolean).join(' · ')}</Text>
        <Text size="sm" className="second">
          {isMoving && rate !== undefined && paceOf(rate, left)}
        </Text>
      </Group>
      {percentage !== undefined && (
        <Progress value={percentage} color="sea" size="md" aria-label="Progress of the script" />
      )}
    </div>
  )
}

function amountOf({ count, total }: JobProgress): string {
  if (count === undefined) return ''
  return total === undefined ? formatCount(count) : `${formatCount(count)} of ${formatCount(total)}`
}

function paceOf(rate: number, left: number): string {
  const pace = `${rate < 10 ? rate.toFixed(1) : formatCount(Math.round(rate))}/s`
  return left > 0 ? `${pace} · ${timeInWords(left / rate)} left` : pace
}

type QuietRetryProps = {
  query: { error: unknown; isFetching: boolean; refetch: () => Promise<unknown> }
  /** Shown if the server sent no sentence. */
  fallback: string
}

export function QuietRetry({ query: { error, isFetching, refetch }, fallback }: QuietRetryProps) {
  return (
    <Group gap="sm" role="status" py="xs">
      <Text className="second">{failureWords(error, fallback)}</Text>
      <Button variant="default" size="xs" onClick={() => void refetch()} loading={isFetching}>
        Retry
      </Button>
    </Group>
  )
}

/** The server's sentence, or the spec's fallback. */
export function failureWords(error: unknown, fallback: string): string {
  const isLimited = error instanceof ApiError && error.status === 429
  if (!isLimited || error.retryAfterSeconds === undefined) return errorSentence(error, fallback)
  return errorSentence(error, `Rate limited. Try again after ${error.retryAfterSeconds}s.`)
}

/** Reports once that a job's stream could not be opened, and each time it breaks; the job is polled meanwhile. */
export function useStreamToasts({ state, error, notOpened }: JobStream): void {
  const before = useRef(state)
  const notify = useEffectEvent(() => {
    const was = before.current
    before.current = state
    if (was === state) return
    if (state === 'failed') notifyProblem(failureWords(error, notOpenedWords), { about: 'stream' })
    const broke = was === 'streaming' && (state === 'connecting' || state === 'polling')
    if (broke) notifyProblem('Stream error', { about: 'stream' })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on changes of state
  useEffect(() => notify(), [state])
  useEffect(() => {
    if (notOpened) notifyProblem(notOpenedWords, { about: 'stream' })
  }, [notOpened])
}

/** Given by the spec. */
const notOpenedWords = 'Failed to open stream'
