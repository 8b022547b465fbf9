import { Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { LoadError } from '#web/components/load-error.tsx'
import type { DryRunResult } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/dry-run-result.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/import-run.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard.ts'
import { openedWords } from './check-words.ts'
import { FixDesk } from './fix-desk.tsx'
import { MOST_ROWS_OPENED } from './open-failing-rows.ts'
import { ReplaceDialog } from './replace-dialog.tsx'
import { useFixing } from './use-fixing.ts'

type FixRowsProps = {
  wizard: Wizard
  order: RunOrder
  result: DryRunResult
  isOpen: boolean
  onOpen: () => void
  /** The place of a column in which the same mistake is to be replaced. */
  replacing: number | undefined
  onReplaced: () => void
}

/** The failing rows themselves, to be put right without leaving the page. */
export function FixRows({ isOpen, onOpen, ...props }: FixRowsProps) {
  const failing = props.result.failing.numbers.length
  return (
    <Card component="section" aria-labelledby="fix-rows">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <div>
            <Title order={2} size="h3" id="fix-rows">
              Fix rows here
            </Title>
            <Text className="second">{openedWords(failing, MOST_ROWS_OPENED)}</Text>
          </div>
          {!isOpen && (
            <Button variant="default" onClick={onOpen}>
              Fix rows here
            </Button>
          )}
        </Group>
        {isOpen && <OpenedRows {...props} />}
      </Stack>
    </Card>
  )
}

function OpenedRows({
  wizard,
  order,
  result,
  replacing,
  onReplaced,
}: Omit<FixRowsProps, 'isOpen' | 'onOpen'>) {
  const { state, again } = useFixing({ order, result, edits: wizard.edits, onEdit: wizard.setEdits })
  if (state.step === 'opening') return <Skeleton height={240} radius="lg" aria-label="Opening the rows" />
  if (state.step === 'failed') {
    return <LoadError message="The file could not be read. Was it moved or changed?" onRetry={again} />
  }
  return (
    <>
      <FixDesk fixing={state.fixing} order={order} />
      {replacing !== undefined && <ReplaceDialog fixing={state.fixing} at={replacing} onClose={onReplaced} />}
    </>
  )
}
