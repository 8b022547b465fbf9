import { Badge, Button, Card, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CardToolbar } from '#web/components/data-grid/card-toolbar.tsx'
import type { Grid } from '#web/components/data-grid/grid.ts'
import type { Sheet } from '#web/components/data-grid/sheet.ts'
import { conflictsOf, isChanged, problemOf, textOf } from '#web/components/data-grid/sheet-row.ts'
import { useSheetRow, useSheetView } from '#web/components/data-grid/use-grid.ts'
import { isRefused, type RowWays } from './bulk-columns.tsx'
import classes from './bulk-edit.module.css'
import { sentencesOf, titleOf } from './bulk-values.ts'
import { SheetField } from './sheet-field.tsx'

type RowCardsProps = {
  grid: Grid
  /** Places of the rows that are looked at. */
  from: number
  to: number
  ways: RowWays
  empty: ReactNode
}

/** On a phone: a card a row, and its cells as a form. */
export function RowCards({ grid, from, to, ways, empty }: RowCardsProps) {
  const { sheet } = grid
  const view = useSheetView(sheet)
  const [editing, setEditing] = useState<string>()
  return (
    <Stack gap="sm">
      <CardToolbar grid={grid} />
      {view.ids.length === 0 && empty}
      {view.ids.slice(from, to).map((id) => (
        <RowCard
          key={id}
          sheet={sheet}
          id={id}
          onEdit={() => setEditing(id)}
          onResolve={() => ways.onResolve(id)}
          onDiscard={() => ways.onDiscard(id)}
        />
      ))}
      {editing !== undefined && <RowForm sheet={sheet} id={editing} onClose={() => setEditing(undefined)} />}
    </Stack>
  )
}

type RowCardProps = {
  sheet: Sheet
  id: string
  onEdit: () => void
  onResolve: () => void
  onDiscard: () => void
}

function RowCard({ sheet, id, onEdit, onResolve, onDiscard }: RowCardProps) {
  const row = useSheetRow(sheet, id)
  if (!row) return null
  const sentences = sentencesOf(row)
  return (
    <Card component="article" padding="sm" aria-label={titleOf(row)}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text fw={600}>{titleOf(row)}</Text>
        {isChanged(row) && (
          <Badge color="warning" flex="none">
            Changed
          </Badge>
        )}
      </Group>
      <Group gap="sm" mt={4}>
        <Text className={classes.price}>
          {problemOf(row, 'partprice') === undefined && '$'}
          {textOf(row, 'partprice')}
        </Text>
        {textOf(row, 'partgrade') !== '' && <Badge>Grade {textOf(row, 'partgrade')}</Badge>}
        <Text className="second">Part # {textOf(row, 'partnum') || '–'}</Text>
      </Group>
      <Text size="sm" className="second">
        {[textOf(row, 'dealername'), textOf(row, 'dealerphone')].filter(Boolean).join(' · ')}
      </Text>
      {sentences.length > 0 && (
        <Text size="sm" c="bad" mt={4}>
          {sentences.join('; ')}
        </Text>
      )}
      <Group mt="sm" grow>
        <Button variant="default" onClick={onEdit}>
          Edit row
        </Button>
        {conflictsOf(row).length > 0 && <Button onClick={onResolve}>Resolve</Button>}
        {isRefused(row) && conflictsOf(row).length === 0 && (
          <Button variant="default" onClick={onDiscard}>
            Discard
          </Button>
        )}
      </Group>
    </Card>
  )
}

const fields = [
  'partprice',
  'partgrade',
  'partnum',
  'dealername',
  'dealerphone',
  'partyear',
  'partmodel',
  'partname',
  'partdescription',
  'partcity',
  'partstate',
  'zipcode',
  'status',
]

function RowForm({ sheet, id, onClose }: { sheet: Sheet; id: string; onClose: () => void }) {
  const row = useSheetRow(sheet, id)
  return (
    <Modal opened onClose={onClose} fullScreen title={row ? titleOf(row) : ''}>
      {row && (
        <SimpleGrid cols={1} spacing="sm">
          {fields.map((field) => (
            <SheetField key={field} sheet={sheet} row={row} field={field} />
          ))}
          <Button onClick={onClose}>Done</Button>
        </SimpleGrid>
      )}
    </Modal>
  )
}
