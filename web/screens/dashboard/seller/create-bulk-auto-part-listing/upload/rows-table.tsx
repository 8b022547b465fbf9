import { Table } from '@mantine/core'
import classes from './rows-table.module.css'

type RowsTableProps = { label: string; header: readonly string[]; rows: readonly (readonly string[])[] }

/** More columns than anybody compares; the rest is seen when the columns are matched. */
const MOST_COLUMNS = 40

/** Rows of a file as they stand, to see whether cells fall under the right names. */
export function RowsTable({ label, header, rows }: RowsTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {header.slice(0, MOST_COLUMNS).map((name, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never move, and two may have one name
              <Table.Th key={place} scope="col">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows never move, and two may be alike
            <Table.Tr key={row}>
              {header.slice(0, MOST_COLUMNS).map((_, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells never move
                <Table.Td key={place}>{cells[place] ?? ''}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
