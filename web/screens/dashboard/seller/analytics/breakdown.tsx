import { Anchor, Card, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import classes from './analytics.module.css'
import { type Analytics, count, percent, type Sums } from './figures.ts'

type Row = Sums & { key: string; name: ReactNode }

export function ByListing({ listings }: { listings: Analytics['byListing'] }) {
  return (
    <Breakdown
      title="By listing"
      lead="The 50 parts with most views."
      column="Part"
      rows={listings.map(({ slug, title, ...sums }) => ({
        ...sums,
        key: slug,
        name: (
          <>
            <Anchor component={Link} to={paths.part(slug)}>
              {title}
            </Anchor>{' '}
            <Anchor
              component={Link}
              to={paths.editListing(slug)}
              size="sm"
              c="var(--second)"
              aria-label={`Edit ${title}`}
            >
              Edit
            </Anchor>
          </>
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

/** Where the views and leads come from, most looked at first. */
function Breakdown({ title, lead, column, rows }: BreakdownProps) {
  const most = Math.max(1, ...rows.map(({ views }) => views))
  const id = title.toLowerCase().replace(' ', '-')
  return (
    <Card component="section" aria-labelledby={id}>
      <Title order={2} size="h3" id={id}>
        {title}
      </Title>
      {lead && <Text className="second">{lead}</Text>}
      {rows.length === 0 ? (
        <Text mt="sm">Nothing was looked at in these days.</Text>
      ) : (
        <Table mt="sm" verticalSpacing="xs" className={classes.breakdown}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{column}</Table.Th>
              {['Views', 'Leads', 'Conversion'].map((name) => (
                <Table.Th key={name} scope="col" className={classes.figure}>
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ key, name, views, leads, conversionPercent }) => (
              <Table.Tr key={key}>
                <Table.Th scope="row" fw={400}>
                  {name}
                  <div className={classes.bar} style={{ width: `${(views / most) * 100}%` }} />
                </Table.Th>
                <Table.Td className={classes.figure}>{count(views)}</Table.Td>
                <Table.Td className={classes.figure}>{count(leads)}</Table.Td>
                <Table.Td className={classes.figure}>{percent(conversionPercent)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  )
}
