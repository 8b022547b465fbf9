import { Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type CSSProperties, useLayoutEffect, useMemo } from 'react'
import { useColumnLayout } from '#web/components/data-grid/columns.ts'
import { useSheetView } from '#web/components/data-grid/grid.ts'
import { GridDesk, LiveWords } from '#web/components/data-grid/view/grid-desk.tsx'
import { HEADER, ROW } from '#web/components/data-grid/view/grid-pointer.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import { FixBar, RowTools } from './fix-bar.tsx'
import { FixCards } from './fix-cards.tsx'
import { ERRORS, fileColumns, fixColumns } from './fix-columns.tsx'
import type { FixingSheet } from './fixing-sheet.ts'
import { useRowCheck } from './use-fixing.ts'

type FixDeskProps = { fixing: FixingSheet; order: RunOrder }

/** Failing rows with everything to put them right: a grid where there is room for one, cards on a phone. */
export function FixDesk({ fixing, order }: FixDeskProps) {
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const { isChecking, check } = useRowCheck(order, fixing)
  const columns = useMemo(() => fileColumns(fixing, order.mapping), [fixing, order])
  return (
    <>
      <FixBar fixing={fixing} isChecking={isChecking} onCheck={check} />
      {isPhone ? (
        <FixCards fixing={fixing} columns={columns} empty={<NoRows fixing={fixing} />} />
      ) : (
        <FixGrid fixing={fixing} order={order} onCheck={check} />
      )}
      <LiveWords grid={fixing.grid} />
    </>
  )
}

function FixGrid({ fixing, order, onCheck }: FixDeskProps & { onCheck: () => void }) {
  const { grid } = fixing
  const columns = useMemo(() => fixColumns(fixing, order.mapping), [fixing, order])
  const controls = useColumnLayout(columns, 'importFixColumns')
  const { shown } = controls
  useLayoutEffect(() => grid.showColumns(shown), [grid, shown])
  return (
    <div style={{ '--rows-height': `${heightOf(fixing.rows().length)}px` } as CSSProperties}>
      <RowTools fixing={fixing} />
      <GridDesk
        grid={grid}
        controls={controls}
        label="Rows to fix"
        errorColumn={ERRORS}
        onSave={onCheck}
        onTooLong={(sentence) => notifyProblem(sentence.replace(': load more rows and paste again', ''))}
        empty={<NoRows fixing={fixing} />}
      />
    </div>
  )
}

/** A few rows need no window of their own; with the header, and room for the sideways bar. */
const heightOf = (rows: number) => HEADER + Math.max(rows, 6) * ROW + 20

function NoRows({ fixing }: { fixing: FixingSheet }) {
  const { loaded, filter } = useSheetView(fixing.sheet)
  if (loaded === 0) return <Text className="second">No row needs a look.</Text>
  const which = filter === 'wrong' ? 'an error' : 'changes'
  return <Text className="second">No row here has {which}. “All rows” shows the others.</Text>
}
