import { Button, Group } from '@mantine/core'
import type { JobFilters } from './job-filter-words.ts'
import { useBulkAction } from './use-bulk-action.ts'

type BulkButtonsProps = { filters: JobFilters; onBegun: (jobId: string) => void }

export function BulkButtons({ filters, onBegun }: BulkButtonsProps) {
  const acting = useBulkAction(filters, onBegun)
  const pending = acting.isPending ? acting.variables : undefined
  return (
    <Group gap="xs" role="group" aria-label="All jobs of this filter">
      <Button
        variant="default"
        size="xs"
        onClick={() => acting.mutate('retry')}
        loading={pending === 'retry'}
        disabled={pending === 'cancel'}
      >
        Retry all…
      </Button>
      <Button
        variant="default"
        size="xs"
        onClick={() => acting.mutate('cancel')}
        loading={pending === 'cancel'}
        disabled={pending === 'retry'}
      >
        Cancel all…
      </Button>
    </Group>
  )
}
