import { Group, Progress, Text, VisuallyHidden } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { useRate } from '#web/components/rate.ts'
import { formatCount, timeInWords } from './import-words.ts'

type RateProgressProps = {
  label: string
  done: number
  total: number
  percent: number
  /** When `done` was measured. */
  atMs: number
  inWords: (count: number) => string
  paused?: boolean
}

/** "12 pictures/s", or "14 pictures/min" on a slow connection. */
const paceOf = (rate: number, inWords: RateProgressProps['inWords']): string =>
  rate >= 1 ? `${inWords(Math.round(rate))}/s` : `${inWords(Math.ceil(rate * 60))}/min`

/** A progress bar with counts, pace and remaining time. */
export function RateProgress(props: RateProgressProps) {
  const { label, done, total, percent, atMs, inWords, paused = false } = props
  const rate = useRate(done, atMs)
  const left = total - done
  return (
    <>
      <Progress value={percent} color="sea" size="lg" aria-label={label} />
      <Group justify="space-between" gap="xs">
        <Text>
          {formatCount(done)} of {inWords(total)}
        </Text>
        <Text className="second">
          {!paused &&
            rate !== undefined &&
            left > 0 &&
            `${paceOf(rate, inWords)} · ${timeInWords(left / rate)} left`}
        </Text>
      </Group>
      {/* Announced every 10%, not for every change. */}
      <VisuallyHidden role="status">
        {label}: {Math.floor(percent / 10) * 10} percent
      </VisuallyHidden>
    </>
  )
}
