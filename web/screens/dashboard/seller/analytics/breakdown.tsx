import { ActionIcon, Button, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { TextLink } from '#web/components/links.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { paths } from '#web/paths.ts'
import classes from './analytics.module.css'
import { type Analytics, count, percent, type Sums } from './figures.ts'

/** Rows shown before “Show all”. */
const atFirst = 10

/** The server lists at most this many parts. */
const most = 50

type Row = Sums & { key: string; name: ReactNode; edit?: ReactNode }

export function ByListing({ listings }: { listings: Analytics['byListing'] }) {
  return (
    <Breakdown
      title="By listing"
      lead={listings.length < most ? 'Most viewed first.' : `The ${most} most viewed.`}
      column="Part"
      rows={listings.map(({ slug, title, ...sums }) => ({
        ...sums,
        key: slug,
        name: (
          <TextLink to={paths.part(slug)} inherit>
            {title}
          </TextLink>
        ),
        edit: (
          <ActionIcon
            component={Link}
            to={paths.editListing(slug)}
            variant="subtle"
            color="gray"
            aria-label={`Edit ${title}`}
          >
            <IconPencil size={18} stroke={1.6} />
          </ActionIcon>
        ),
      }))}
    />
  )
}

export function ByCategory({ categories }: { categories: Analytics['byCategory'] }) {
  return (
    <Breakdown
      title="By category"
      column="Category"
      rows={categories.map(({ name, ...sums }) => ({ ...sums, key: name, name }))}
    />
  )
}

type BreakdownProps = { title: string; lead?: string; column: string; rows: Row[] }

/** Views and leads by listing or category, most viewed first. */
function Breakdown({ title, lead, column, rows }: BreakdownProps) {
  const [all, setAll] = useState(false)
  const withEdit = rows.some(({ edit }) => edit)
  const mostViews = Math.max(1, ...rows.map(({ views }) => views))
  return (
    <SectionCard title={title} lead={lead}>
      {rows.length === 0 ? (
        <Text>No views in this period.</Text>
      ) : (
        <Table verticalSpacing="xs" className={classes.breakdown}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{column}</Table.Th>
              <Table.Th scope="col" className={classes.figure}>
                Views
              </Table.Th>
              <Table.Th scope="col" className={classes.figure}>
                Leads
              </Table.Th>
              <Table.Th scope="col" className={classes.figure} abbr="Conversion">
                Conv<span className={classes.wide}>ersion</span>
                <span className={classes.small}>.</span>
              </Table.Th>
              {withEdit && (
                <Table.Th scope="col" className={classes.edit}>
                  <VisuallyHidden>Edit</VisuallyHidden>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows
              .slice(0, all ? undefined : atFirst)
              .map(({ key, name, edit, views, leads, conversionPercent }) => (
                <Table.Tr key={key}>
                  <Table.Th scope="row" fw={400}>
                    {name}
                    <div className={classes.bar} style={{ width: `${(views / mostViews) * 100}%` }} />
                  </Table.Th>
                  <Table.Td className={classes.figure}>{count(views)}</Table.Td>
                  <Table.Td className={classes.figure}>{count(leads)}</Table.Td>
                  <Table.Td className={classes.figure}>{percent(conversionPercent)}</Table.Td>
                  {withEdit && <Table.Td className={classes.edit}>{edit}</Table.Td>}
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
      )}
      {rows.length > atFirst && !all && (
        <Button variant="subtle" color="sea" mt="xs" onClick={() => setAll(true)}>
          Show all {count(rows.length)}
        </Button>
      )}
    </SectionCard>
  )
}
