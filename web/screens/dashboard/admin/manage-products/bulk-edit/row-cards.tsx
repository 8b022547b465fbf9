import { Badge, Button, Card, Group, Modal, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { grades } from '#contract/listing/listing-rules.ts'
import { listingStatuses } from '#contract/listings.ts'
import type { ColumnControls } from '#web/components/data-grid/columns.ts'
import { type Grid, useSheetRow, useSheetView } from '#web/components/data-grid/grid.ts'
import type { Sheet } from '#web/components/data-grid/sheet.ts'
import {
  conflictsOf,
  isChanged,
  problemOf,
  type SheetRow,
  textOf,
} from '#web/components/data-grid/sheet-row.ts'
import { CardToolbar, fieldProps, SheetTextField } from '#web/components/data-grid/view/cards.tsx'
import { type GridViews, SavedViews } from '#web/components/data-grid/view/saved-views.tsx'
import { gradeWords } from '#web/site/card/listing-words.ts'
import { isRefused, type RowActions } from './bulk-columns.tsx'
import classes from './bulk-edit.module.css'
import { labelOf, sentencesOf, titleOf } from './bulk-values.ts'

type RowCardsProps = {
  grid: Grid
  controls: ColumnControls
  views: GridViews
  from: number
  to: number
  actions: RowActions
  empty: ReactNode
}

/** On a phone, each row is a card and its cells are a form. */
export function RowCards({ grid, controls, views, from, to, actions, empty }: RowCardsProps) {
  const { sheet } = grid
  const view = useSheetView(sheet)
  const [editing, setEditing] = useState<string>()
  return (
    <Stack gap="sm">
      <Group justify="flex-end">
        <SavedViews grid={grid} controls={controls} views={views} />
      </Group>
      <CardToolbar grid={grid} />
      {view.ids.length === 0 && empty}
      {view.ids.slice(from, to).map((id) => (
        <RowCard key={id} sheet={sheet} id={id} actions={actions} onEdit={setEditing} />
      ))}
      {editing !== undefined && <RowForm sheet={sheet} id={editing} onClose={() => setEditing(undefined)} />}
    </Stack>
  )
}

type RowCardProps = { sheet: Sheet; id: string; actions: RowActions; onEdit: (id: string) => void }

function RowCard({ sheet, id, actions, onEdit }: RowCardProps) {
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
        <Button variant="default" onClick={() => onEdit(id)}>
          Edit row
        </Button>
        {conflictsOf(row).length > 0 && <Button onClick={() => actions.onResolve(id)}>Resolve</Button>}
        {isRefused(row) && conflictsOf(row).length === 0 && (
          <Button variant="default" onClick={() => actions.onDiscard(id)}>
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

type SheetFieldProps = { sheet: Sheet; row: SheetRow; field: string; className?: string | undefined }

const choices: Readonly<Record<string, { value: string; label: string }[]>> = {
  partgrade: [
    { value: '', label: 'No grade' },
    ...grades.map((grade) => ({ value: grade, label: `${grade}, ${gradeWords[grade]}` })),
  ],
  status: listingStatuses.map((status) => ({ value: status, label: status })),
}

export function SheetField({ sheet, row, field, className }: SheetFieldProps) {
  const label = labelOf(field)
  const options = choices[field]
  if (!options) {
    const several = field === 'partdescription' && { rows: 4 }
    return <SheetTextField {...{ sheet, row, field, label, className }} {...several} />
  }
  const known = textOf(row, field)
  const unknown = options.some(({ value }) => value === known) ? [] : [{ value: known, label: known }]
  return (
    <NativeSelect
      {...fieldProps(row, field)}
      label={label}
      className={className}
      data={[...unknown, ...options]}
      value={known}
      onChange={(event) => sheet.edit('Typing', [{ id: row.id, field, text: event.currentTarget.value }])}
    />
  )
}
