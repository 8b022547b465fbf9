import { Badge, Button, Table } from '@mantine/core'
import { Moment } from '#web/components/admin/moment.tsx'
import classes from '#web/components/admin/records-table.module.css'
import { askToConfirm } from '#web/components/confirm.tsx'
import { listingsInWords } from '#web/components/imports/import-words.ts'
import { momentWords } from '#web/components/time-words.ts'
import type { BulkSave, useUndoSave } from './use-bulk-saves.ts'

type SavesTableProps = { saves: readonly BulkSave[]; undoing: ReturnType<typeof useUndoSave>['undoing'] }

const whoOf = ({ by }: BulkSave) => by ?? 'the program'

export function SavesTable({ saves, undoing }: SavesTableProps) {
  const ask = async (save: BulkSave) => {
    const sure = await askToConfirm({
      title: `Undo this save of ${listingsInWords(save.listings)}?`,
      text: `They will be as they were before ${whoOf(save)} saved them on ${momentWords(save.at)}. What was changed since stays, and is named afterwards.`,
      confirm: 'Undo save',
      destroys: true,
    })
    if (sure) undoing.mutate(save)
  }
  return (
    <div className={classes.frame}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Saved</Table.Th>
            <Table.Th>By</Table.Th>
            <Table.Th>How</Table.Th>
            <Table.Th className={classes.number}>Listings</Table.Th>
            <Table.Th>
              <span className={classes.hidden}>Undo</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {saves.map((save) => (
            <Table.Tr key={save.id}>
              <Table.Td>
                <Moment at={save.at} />
              </Table.Td>
              <Table.Td data-label="By">{whoOf(save)}</Table.Td>
              <Table.Td data-label="How" className={classes.begins}>
                {save.how}
              </Table.Td>
              <Table.Td data-label="Listings" className={classes.number}>
                {save.listings.toLocaleString('en-US')}
              </Table.Td>
              <Table.Td className={classes.action}>
                {save.undoneAt === null ? (
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => void ask(save)}
                    loading={undoing.isPending && undoing.variables.id === save.id}
                    aria-label={`Undo the save of ${listingsInWords(save.listings)} on ${momentWords(save.at)}`}
                  >
                    Undo
                  </Button>
                ) : (
                  <Badge color="gray" title={momentWords(save.undoneAt)}>
                    Undone
                  </Badge>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
