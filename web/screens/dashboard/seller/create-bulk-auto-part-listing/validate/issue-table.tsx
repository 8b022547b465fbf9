import { Table } from '@mantine/core'
import type { RowIssue } from '#contract/imports.ts'
import { formatCount } from '#web/components/imports/import-words.ts'
import classes from './issue-table.module.css'

/** What is wrong, cell by cell, as the spreadsheet numbers its rows. */
export function IssueTable({ issues }: { issues: readonly RowIssue[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.scroll} aria-label="Problems by row" tabIndex={0}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Row</Table.Th>
            <Table.Th>Column</Table.Th>
            <Table.Th>Value</Table.Th>
            <Table.Th>What is wrong</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {issues.map(({ row, column, code, value, message }) => (
            <Table.Tr key={`${row} ${column} ${code}`}>
              <Table.Td className={classes.row}>{formatCount(row)}</Table.Td>
              <Table.Td data-label="Column">{column || 'Whole row'}</Table.Td>
              <Table.Td data-label="Value">
                {value === '' ? (
                  <span className="second">empty</span>
                ) : (
                  <code className={classes.value}>{value}</code>
                )}
              </Table.Td>
              <Table.Td>{message}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
