import { Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { DataGrid } from '#web/components/data-grid/data-grid.tsx'
import { FindBar } from '#web/components/data-grid/find-bar.tsx'
import { shortcuts } from '#web/components/data-grid/grid-keys.ts'
import { GridToolbar } from '#web/components/data-grid/grid-toolbar.tsx'
import { LiveWords } from '#web/components/data-grid/live-words.tsx'
import { useColumnLayout } from '#web/components/data-grid/use-column-layout.ts'
import { ShortcutSheet } from '#web/components/shortcuts/shortcut-sheet.tsx'
import { notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
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
  const [isFinding, setFinding] = useState(false)
  const [isHelping, setHelping] = useState(false)
  const onFind = () => setFinding(true)
  const onHelp = () => setHelping(true)
  useHotkeys([['shift+?', onHelp]])
  return (
    <>
      <GridShape staged={staged} isPart={isPart} />
      <GridToolbar
        grid={grid}
        controls={controls}
        errorColumn=""
        onFind={onFind}
        onHelp={onHelp}
        onNotUnderstood={() => notifyProblem('Type +5%, *1.1, -2 or =19.99')}
      />
      {isFinding && (
        <FindBar
          grid={grid}
          onClose={() => setFinding(false)}
          onReplaced={(cells) => notifyInfo(`Replaced in ${cells} cell(s)`)}
        />
      )}
      <DataGrid
        grid={grid}
        controls={controls}
        label="Staged file as CSV"
        actions={{ onSave, onFind, onHelp, errorColumn: '' }}
        panel={() => null}
        panelHeight={0}
        onTooLong={(sentence) => notifyProblem(sentence.replace('load more rows', 'add rows'))}
        empty={<Text className="second">No rows here. “Add Row” makes the first one.</Text>}
      />
      <LiveWords grid={grid} />
      <ShortcutSheet groups={shortcuts} opened={isHelping} onClose={() => setHelping(false)}>
        <Text className="second" size="sm">
          On a Mac, Cmd is Ctrl. While you write in a cell, the keys are those of a text field.
        </Text>
      </ShortcutSheet>
    </>
  )
}
