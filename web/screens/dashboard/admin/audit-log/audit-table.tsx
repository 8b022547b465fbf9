import { Table, Text } from '@mantine/core'
import classes from '#web/components/admin/records-table.module.css'
import { momentWords } from '#web/components/time-words.ts'
import { actionWords, detailLines } from './audit-words.ts'
import type { AuditEntry } from './use-audit.ts'

export function AuditTable({ entries, turning }: { entries: readonly AuditEntry[]; turning: boolean }) {
  return (
    <div className={classes.frame} aria-busy={turning}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>What</Table.Th>
            <Table.Th>Who</Table.Th>
            <Table.Th>Target and details</Table.Th>
            <Table.Th>From</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function Entry({ entry: { at, action, by, target, detail, ip } }: { entry: AuditEntry }) {
  return (
    <Table.Tr>
      <Table.Td className={classes.moment}>
        <time dateTime={at} title={at}>
          {momentWords(at)}
        </time>
      </Table.Td>
      <Table.Td className={classes.what}>{actionWords(action)}</Table.Td>
      <Table.Td className={classes.person}>
        {by === null ? (
          <span className="second">the program</span>
        ) : (
          <>
            {by.name}
            <Text size="sm" className="second">
              {by.email}
            </Text>
          </>
        )}
      </Table.Td>
      <Table.Td className={classes.details}>
        {target !== null && <code className={classes.code}>{target}</code>}
        {detailLines(detail).map((line) => (
          <Text key={line} size="sm" className="second">
            {line}
          </Text>
        ))}
      </Table.Td>
      <Table.Td data-label="From" className={classes.exact}>
        {ip ?? <span className="second">–</span>}
      </Table.Td>
    </Table.Tr>
  )
}
