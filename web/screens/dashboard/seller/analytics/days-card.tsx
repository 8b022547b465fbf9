import { SegmentedControl, Skeleton, Table } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { loadScreen } from '#web/load-screen.ts'
import classes from './analytics.module.css'
import { count, type Day, dayName } from './figures.ts'

// The charts are ten times the size of this screen, so they load in parallel with the data.
const charts = loadScreen(() => import('./day-charts.tsx'))
const DayCharts = lazy(() => charts.then((loaded) => ({ default: loaded.DayCharts })))

/** Views and leads by day, as a chart or a table. */
export function DaysCard({ days }: { days: Day[] }) {
  const [shown, setShown] = useState('chart')
  return (
    <SectionCard
      title="By day"
      aside={
        <SegmentedControl
          aria-label="Show the days as"
          size="xs"
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
          value={shown}
          onChange={setShown}
        />
      }
    >
      {shown === 'chart' ? (
        <Suspense fallback={<Skeleton height={504} role="status" aria-label="Loading the charts…" />}>
          <DayCharts days={days} />
        </Suspense>
      ) : (
        <DayTable days={days} />
      )}
    </SectionCard>
  )
}

/** Newest first. */
function DayTable({ days }: { days: Day[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling table must be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label="Figures by day">
      <Table stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Day</Table.Th>
            <Table.Th scope="col" className={classes.figure}>
              Views
            </Table.Th>
            <Table.Th scope="col" className={classes.figure}>
              Leads
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map(({ day, views, leads }) => (
            <Table.Tr key={day}>
              <Table.Th scope="row" fw={400}>
                <time dateTime={day}>{dayName(day)}</time>
              </Table.Th>
              <Table.Td className={classes.figure}>{count(views)}</Table.Td>
              <Table.Td className={classes.figure}>{count(leads)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
