import { Button, Skeleton, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type CSSProperties, useMemo } from 'react'
import { useColumnLayout } from '#web/components/data-grid/columns.ts'
import { useGridState, useSheetView } from '#web/components/data-grid/grid.ts'
import { GridDesk, LiveWords } from '#web/components/data-grid/view/grid-desk.tsx'
import { HEADER, ROW } from '#web/components/data-grid/view/grid-pointer.ts'
import { formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import { LoadError } from '#web/components/page/load-error.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { notifyProblem } from '#web/components/toasts.tsx'
import type { DryRunResult } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-order.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import { ERRORS, FixCards, fileColumns, fixColumns } from './fix-columns.tsx'
import {
  type FixingSheet,
  joinedWithNext,
  type RowState,
  withCellInserted,
  withCellRemoved,
} from './fixing-sheet.ts'
import { ReplaceDialog } from './replace-dialog.tsx'
import { MAX_ROWS_OPENED, useFixing, useRowCheck } from './use-fixing.ts'
import classes from './validate.module.css'

type FixRowsProps = {
  wizard: Wizard
  order: RunOrder
  result: DryRunResult
  /** The user just asked to fix rows, so focus moves here. */
  isAsked: boolean
  /** Opens the replace dialog for the column with this index. */
  replacing: number | undefined
  onReplaced: () => void
}

export function FixRows({ isAsked, ...props }: FixRowsProps) {
  return (
    <SectionCard isNews={isAsked} title="Fix rows" lead={openedHint(props.result.failing.numbers.length)}>
      <OpenedRows {...props} />
    </SectionCard>
  )
}

function openedHint(failing: number): string {
  if (failing <= MAX_ROWS_OPENED)
    return 'Change a cell, then check the rows again. Every change can be undone.'
  return `Showing the first ${formatCount(MAX_ROWS_OPENED)} of ${formatCount(failing)} rows with errors. If they share a problem, it is faster to fix it in the file or its columns.`
}

function OpenedRows({ wizard, order, result, replacing, onReplaced }: Omit<FixRowsProps, 'isAsked'>) {
  const { state, again } = useFixing({ order, result, edits: wizard.edits, onEdit: wizard.setEdits })
  if (state.step === 'opening') return <Skeleton height={240} radius="lg" aria-label="Opening the rows" />
  if (state.step === 'failed') {
    return (
      <LoadError message="The file could not be read. It may have been moved or changed." onRetry={again} />
    )
  }
  return (
    <>
      <FixDesk fixing={state.fixing} order={order} />
      {replacing !== undefined && <ReplaceDialog fixing={state.fixing} at={replacing} onClose={onReplaced} />}
    </>
  )
}

type FixDeskProps = { fixing: FixingSheet; order: RunOrder }

function FixDesk({ fixing, order }: FixDeskProps) {
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
  const controls = useColumnLayout(columns, 'importFixColumns', grid)
  return (
    <div style={{ '--rows-height': `${heightOf(fixing.rows().length)}px` } as CSSProperties}>
      <RowTools fixing={fixing} />
      <GridDesk
        grid={grid}
        controls={controls}
        label="Rows to fix"
        views={{ of: 'import-rows' }}
        errorColumn={ERRORS}
        onSave={onCheck}
        onTooLong={(sentence) => notifyProblem(sentence.replace(': load more rows and paste again', ''))}
        empty={<NoRows fixing={fixing} />}
      />
    </div>
  )
}

/** Tall enough for the rows, the header and the horizontal scroll bar. */
const heightOf = (rows: number) => HEADER + Math.max(rows, 6) * ROW + 20

function NoRows({ fixing }: { fixing: FixingSheet }) {
  const { loaded, filter } = useSheetView(fixing.sheet)
  if (loaded === 0) return <Text className="second">No rows need fixing.</Text>
  const which = filter === 'wrong' ? 'errors' : 'changes'
  return <Text className="second">No rows with {which}. Choose “All rows” to see the others.</Text>
}

type FixBarProps = { fixing: FixingSheet; isChecking: boolean; onCheck: () => void }

function FixBar({ fixing, isChecking, onCheck }: FixBarProps) {
  useSheetView(fixing.sheet)
  const unchecked = fixing.uncheckedRows().length
  return (
    <div className={classes.bar}>
      <Text role="status" className={classes.tally}>
        {tallyInWords(fixing)}
      </Text>
      <Button loading={isChecking} disabled={unchecked === 0} onClick={onCheck}>
        {unchecked > 0 ? `Check these rows again (${unchecked})` : 'Check these rows again'}
      </Button>
    </div>
  )
}

const tallied: [RowState, (rows: string) => string][] = [
  ['wrong', (rows) => `${rows} with errors`],
  ['unchecked', (rows) => `${rows} changed, not checked yet`],
  ['fine', (rows) => `${rows} fixed`],
  ['leftOut', (rows) => `${rows} left out`],
]

function tallyInWords(fixing: FixingSheet): string {
  const states = fixing.rows().map((row) => fixing.stateOf(row))
  const parts = tallied.flatMap(([state, words]) => {
    const count = states.filter((one) => one === state).length
    return count > 0 ? words(rowsInWords(count)) : []
  })
  return parts.length > 0 ? parts.join(' · ') : 'No rows'
}

function RowTools({ fixing }: { fixing: FixingSheet }) {
  const { grid, sheet } = fixing
  const { ids } = useSheetView(sheet)
  const { anchor } = useGridState(grid).selection
  const { top, bottom } = grid.range()
  const chosen = ids.slice(top, bottom + 1)
  const act = (step: () => number, done: string) => () => {
    grid.announce(`${done}: ${rowsInWords(step())}`)
    grid.focus()
  }
  const areOut = chosen.length > 0 && chosen.every((id) => stateOf(fixing, id) === 'leftOut')
  const lacking = ids.filter((id) => fixing.cellsTooMany(id) < 0)
  const isRagged = lacking.length > 0 || ids.some((id) => fixing.cellsTooMany(id) > 0)
  const field = grid.columns[anchor.column]?.field
  const at = field === undefined ? undefined : fixing.placeOf(field)
  return (
    <div className={classes.tools} role="toolbar" aria-label="Selected rows">
      <Button
        size="xs"
        variant="default"
        disabled={chosen.length === 0}
        onClick={act(() => fixing.leaveOut(chosen, !areOut), areOut ? 'Put back' : 'Left out')}
      >
        {outLabel(areOut, chosen.length)}
      </Button>
      {lacking.length > 0 && (
        <Button
          size="xs"
          variant="default"
          title="For rows with fewer cells than the header"
          onClick={act(() => fixing.fillUp(lacking), 'Missing cells are empty')}
        >
          Read missing cells as empty ({lacking.length})
        </Button>
      )}
      {isRagged && <CellTools fixing={fixing} ids={chosen} at={at} act={act} />}
    </div>
  )
}

function outLabel(areOut: boolean, count: number): string {
  const rows = count === 1 ? 'this row' : `these ${rowsInWords(count)}`
  return areOut ? `Put ${rows} back` : `Leave ${rows} out`
}

const stateOf = (fixing: FixingSheet, id: string) => {
  const row = fixing.sheet.row(id)
  return row && fixing.stateOf(row)
}

type CellToolsProps = {
  fixing: FixingSheet
  ids: readonly string[]
  at: number | undefined
  act: (step: () => number, done: string) => () => void
}

const shifts = [
  { label: 'Join with next cell', shape: joinedWithNext, title: 'For a value that was split at a comma' },
  { label: 'Insert empty cell', shape: withCellInserted, title: 'Moves the following cells to the right' },
  { label: 'Remove cell', shape: withCellRemoved, title: 'Moves the following cells to the left' },
]

/** Realigns the cells of rows with too many or too few. */
function CellTools({ fixing, ids, at, act }: CellToolsProps) {
  return shifts.map(({ label, shape, title }) => (
    <Button
      key={label}
      size="xs"
      variant="default"
      title={title}
      disabled={at === undefined || ids.length === 0}
      onClick={act(() => fixing.reshape(label, ids, (cells) => shape(cells, at ?? 0)), label)}
    >
      {label}
    </Button>
  ))
}
