import { Text } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { formatCount } from './import-words.ts'
import classes from './row-list.module.css'

type RowListProps = {
  title: string
  text?: string
  /** Buttons for all rows. */
  all?: ReactNode
  /** How many there are in all, shown or not. */
  total: number
  /** One list item for each row. */
  children: readonly ReactNode[]
}

/** Some rows of a file, or what became of their listings: a list that scrolls, and how many it leaves out. */
export function RowList({ title, text, all, total, children }: RowListProps) {
  const titleId = useId()
  const more = total - children.length
  if (children.length === 0) return null
  return (
    <section aria-labelledby={titleId}>
      <Text fw={600} id={titleId}>
        {title}
      </Text>
      {text !== undefined && (
        <Text size="sm" className="second">
          {text}
        </Text>
      )}
      {all}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keyboard */}
      <ul className={classes.rows} tabIndex={0}>
        {children}
      </ul>
      {more > 0 && (
        <Text size="sm" className="second">
          {formatCount(more)} more not shown.
        </Text>
      )}
    </section>
  )
}

/** "Row 12", or the record's place in the staged file if its row is unknown. */
export const rowName = (row: number | null, record: number): string =>
  row === null ? `Record ${formatCount(record)}` : `Row ${formatCount(row)}`
