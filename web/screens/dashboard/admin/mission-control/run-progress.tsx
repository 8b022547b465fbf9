import { Group, Progress, Text } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { formatCount, timeInWords } from '#web/components/imports/import-words.ts'
import type { JobProgress } from '#web/components/job-stream/feed-log.ts'
import { useRate } from '#web/components/use-rate.ts'

type RunProgressProps = {
  progress: JobProgress
  /** It goes on at the moment, so that a pace says something. */
  isMoving: boolean
}

/** How far a script is, how fast, and how long it will still take. */
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
