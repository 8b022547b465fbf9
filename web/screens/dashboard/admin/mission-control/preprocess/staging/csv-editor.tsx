import { Text } from '@mantine/core'
import { useLayoutEffect, useSyncExternalStore } from 'react'
import { GridDesk } from '#web/components/data-grid/grid-desk.tsx'
import { LiveWords } from '#web/components/data-grid/live-words.tsx'
import { useColumnLayout } from '#web/components/data-grid/use-column-layout.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { GridShape } from './grid-shape.tsx'
import type { StagedSheet } from './staged-sheet.ts'

type CsvEditorProps = {
  staged: StagedSheet
  /** Rows of a large file, of which not all are here. */
  isPart: boolean
  onSave: () => void
}

/** The rows as a spreadsheet. */
export function CsvEditor({ staged, isPart, onSave }: CsvEditorProps) {
  const { grid, sheet } = staged
  const columns = useSyncExternalStore(sheet.subscribe, staged.columns)
  const controls = useColumnLayout(columns, 'stagingColumns')
  const { shown } = controls
  useLayoutEffect(() => grid.showColumns(shown), [grid, shown])
  return (
    <>
      <GridShape staged={staged} isPart={isPart} />
      {columns.length === 0 && (
        <Text className="second" mb="xs">
          No columns here. “Add Column” makes the first one.
        </Text>
      )}
      <GridDesk
        grid={grid}
        controls={controls}
        label="Staged file as CSV"
        onSave={onSave}
        onTooLong={(sentence) => notifyProblem(sentence.replace('load more rows', 'add rows'))}
        empty={<Text className="second">No rows here. “Add Row” makes the first one.</Text>}
      />
      <LiveWords grid={grid} />
    </>
  )
}
