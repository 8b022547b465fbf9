import { Card, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { LoadError } from '#web/components/page/load-error.tsx'
import type { DryRunResult } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
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
  /** Somebody asked for it just now, and is taken there. */
  isAsked: boolean
  /** The place of a column in which the same mistake is to be replaced. */
  replacing: number | undefined
  onReplaced: () => void
}

/** The failing rows themselves, to be put right without leaving the page. */
export function FixRows({ isAsked, ...props }: FixRowsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isAsked) heading.current?.focus()
  }, [isAsked])
  const failing = props.result.failing.numbers.length
  return (
    <Card component="section" aria-labelledby="fix-rows">
      <Stack gap="sm">
        <div>
          <Title order={2} size="h3" id="fix-rows" ref={heading} tabIndex={-1}>
            Fix rows
          </Title>
          <Text className="second">{openedWords(failing, MOST_ROWS_OPENED)}</Text>
        </div>
        <OpenedRows {...props} />
      </Stack>
    </Card>
  )
}

function OpenedRows({ wizard, order, result, replacing, onReplaced }: Omit<FixRowsProps, 'isAsked'>) {
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
