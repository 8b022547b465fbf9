import { Button, Text } from '@mantine/core'
import { useGridState, useSheetView } from '#web/components/data-grid/grid.ts'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import { joinedWithNext, withCellInserted, withCellRemoved } from './cell-shifts.ts'
import type { FixingSheet, RowState } from './fixing-sheet.ts'
import classes from './validate.module.css'

type FixBarProps = { fixing: FixingSheet; isChecking: boolean; onCheck: () => void }

/** How far the fixing is, and the check of what was changed. */
export function FixBar({ fixing, isChecking, onCheck }: FixBarProps) {
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
  ['fine', (rows) => `${rows} fine now`],
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

/** What is done to whole rows: those that are selected. */
export function RowTools({ fixing }: { fixing: FixingSheet }) {
  const { grid, sheet } = fixing
  const { ids } = useSheetView(sheet)
  const { anchor } = useGridState(grid).selection
  const { top, bottom } = grid.range()
  const chosen = ids.slice(top, bottom + 1)
  const act = (step: () => number, done: string) => () => {
    grid.say(`${done}: ${rowsInWords(step())}`)
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
          title="Rows with fewer cells than the header has names: what they lack is empty"
          onClick={act(() => fixing.fillUp(lacking), 'Missing cells are empty')}
        >
          Take missing cells as empty ({lacking.length})
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
  { label: 'Join with next cell', shape: joinedWithNext, title: 'A comma inside a value had cut it in two' },
  { label: 'Insert empty cell', shape: withCellInserted, title: 'The cells from here on move to the right' },
  { label: 'Remove cell', shape: withCellRemoved, title: 'The cells behind it move to the left' },
]

/** Moves the cells of ragged rows to where they belong, in the order of the file. */
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
