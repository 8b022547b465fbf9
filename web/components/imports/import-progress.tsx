import { Group, Progress, Text, VisuallyHidden } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import type { ImportRecord } from '#contract/imports.ts'
import { useRate } from '#web/components/use-rate.ts'
import { ImportPlan } from './import-plan.tsx'
import { formatCount, listingsInWords, timeInWords } from './import-words.ts'
import { StateCard } from './state-card.tsx'

type ImportProgressProps = { record: ImportRecord; seenAtMs: number }

/** Listings going live, or being taken back: how many, how fast, how long still. */
export function ImportProgress({ record, seenAtMs }: ImportProgressProps) {
  const rate = useRate(record.progress?.done, seenAtMs)
  const undoing = record.state === 'undoing'
  const title = undoing ? 'Taking the import back…' : 'Your listings are going live…'
  const { done, total } = record.progress ?? { done: 0, total: 0 }
  const percent = total === 0 ? 0 : Math.floor((done / total) * 100)
  return (
    <StateCard title={title} busy>
      <Progress value={percent} color="sea" size="lg" aria-label={title} />
      <Group justify="space-between" gap="xs">
        <Text>
          {formatCount(done)} of {listingsInWords(total)}
        </Text>
        <Text className="second">{paceOf(rate, total - done)}</Text>
      </Group>
      <VisuallyHidden role="status">
        {title} {Math.floor(percent / 10) * 10} percent
      </VisuallyHidden>
      <Text size="sm" className="second">
        {undoing
          ? 'You may leave this page; the import goes on being taken back.'
          : 'Buyers see them as they arrive. You may leave this page.'}
      </Text>
      {!undoing && <ImportPlan record={record} figuresOnly />}
    </StateCard>
  )
}

function paceOf(rate: number | undefined, left: number): string {
  if (rate === undefined || left <= 0) return ''
  return `${formatCount(Math.round(rate))} a second · ${timeInWords(left / rate)} left`
}
