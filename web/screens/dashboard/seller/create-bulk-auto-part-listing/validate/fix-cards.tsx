import { Button, Card, Group, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useSheetRow, useSheetView } from '#web/components/data-grid/grid.ts'
import { problemOf } from '#web/components/data-grid/sheet-row.ts'
import { CardToolbar, SheetTextField } from '#web/components/data-grid/view/cards.tsx'
import { formatCount } from '#web/components/imports/import-words.ts'
import { joinedWithNext } from './cell-shifts.ts'
import { type FileColumn, FixState, titleOf } from './fix-columns.tsx'
import { cellField, type FixingSheet } from './fixing-sheet.ts'
import classes from './validate.module.css'

type FixCardsProps = { fixing: FixingSheet; columns: readonly FileColumn[]; empty: ReactNode }

const CARDS_AT_ONCE = 20

/** On a phone: a card a row, and its cells as a form, the wrong ones first. */
export function FixCards({ fixing, columns, empty }: FixCardsProps) {
  const { ids } = useSheetView(fixing.sheet)
  const [shown, setShown] = useState(CARDS_AT_ONCE)
  const [editing, setEditing] = useState<string>()
  return (
    <Stack gap="sm">
      <CardToolbar grid={fixing.grid} />
      {ids.length === 0 && empty}
      {ids.slice(0, shown).map((id) => (
        <FixCard key={id} {...{ fixing, id, columns }} onEdit={() => setEditing(id)} />
      ))}
      {ids.length > shown && (
        <Button variant="default" onClick={() => setShown(shown + CARDS_AT_ONCE)}>
          Show more rows ({formatCount(ids.length - shown)} left)
        </Button>
      )}
      {editing !== undefined && (
        <FixForm {...{ fixing, id: editing, columns }} onClose={() => setEditing(undefined)} />
      )}
    </Stack>
  )
}

type CardProps = { fixing: FixingSheet; id: string; columns: readonly FileColumn[] }

function FixCard({ fixing, id, columns, onEdit }: CardProps & { onEdit: () => void }) {
  const row = useSheetRow(fixing.sheet, id)
  if (!row) return null
  const isOut = fixing.stateOf(row) === 'leftOut'
  return (
    <Card component="article" padding="sm" aria-label={`Row ${id}`}>
      <Text fw={650}>Row {formatCount(Number(id))}</Text>
      <Text size="sm" className="second">
        {titleOf(row, columns)}
      </Text>
      <Text size="sm" component="div" mt={4} className={classes.wrapping}>
        <FixState fixing={fixing} row={row} />
      </Text>
      <Group mt="sm" grow>
        <Button variant="default" disabled={isOut} onClick={onEdit}>
          Fix row
        </Button>
        <Button variant="subtle" onClick={() => fixing.leaveOut([id], !isOut)}>
          {isOut ? 'Put back' : 'Leave out'}
        </Button>
      </Group>
    </Card>
  )
}

function FixForm({ fixing, id, columns, onClose }: CardProps & { onClose: () => void }) {
  const row = useSheetRow(fixing.sheet, id)
  // The fields keep their places while one writes in them.
  const [ordered] = useState(() => orderedColumns(fixing, id, columns))
  if (!row) return null
  const tooMany = fixing.cellsTooMany(id)
  return (
    <Modal opened onClose={onClose} fullScreen title={`Row ${formatCount(Number(id))}`}>
      <div className={classes.cardFields}>
        <div className={classes.wrapping}>
          <FixState fixing={fixing} row={row} />
        </div>
        {tooMany < 0 && (
          <Button variant="default" onClick={() => fixing.fillUp([id])}>
            Take missing cells as empty
          </Button>
        )}
        {ordered.map(({ at, label }) => (
          <div key={at}>
            <SheetTextField sheet={fixing.sheet} row={row} field={cellField(at)} label={label} />
            {tooMany > 0 && at < fixing.width - 1 && (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={`Join with next cell: ${label}`}
                onClick={() => fixing.reshape('Join', [id], (cells) => joinedWithNext(cells, at))}
              >
                Join with next cell
              </Button>
            )}
          </div>
        ))}
        <Button onClick={onClose}>Done</Button>
      </div>
    </Modal>
  )
}

/** Wrong ones first; of a row whose cells have moved, all in the order of the file. */
function orderedColumns(fixing: FixingSheet, id: string, columns: readonly FileColumn[]): FileColumn[] {
  if (fixing.cellsTooMany(id) > 0) return columns.toSorted((one, other) => one.at - other.at)
  const row = fixing.sheet.row(id)
  const isWrong = ({ at }: FileColumn) => row !== undefined && problemOf(row, cellField(at)) !== undefined
  return [...columns.filter(isWrong), ...columns.filter((column) => !isWrong(column))]
}
