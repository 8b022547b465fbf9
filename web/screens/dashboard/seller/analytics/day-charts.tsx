import { AreaChart, BarChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { Stack, Text } from '@mantine/core'
import { chartWords, count, type Day, dayName } from './figures.ts'

// Hovering a day shows it in both charts.
const together = { syncId: 'days', margin: { top: 8 } }
const xAxisProps = { scale: 'band', minTickGap: 12, interval: 'equidistantPreserveStart' } as const
// The same width, and above a band for each day in both, so that one day stands under the other.
const yAxisProps = { allowDecimals: false, width: 44 }

/** A chart each, as a yard has a hundred views for one lead: on one scale the leads would lie flat. */
export function DayCharts({ days }: { days: Day[] }) {
  const data = days.map(({ day, views, leads }) => ({ day: dayName(day), Views: views, Leads: leads }))
  const valuesOf = (of: 'views' | 'leads') => days.map((day) => ({ day: day.day, value: day[of] }))
  return (
    <Stack gap="lg">
      <figure style={{ margin: 0 }}>
        <Text component="figcaption" fw={600} mb="xs">
          Views
        </Text>
        <div role="img" aria-label={chartWords('Views', valuesOf('views'))}>
          <AreaChart
            h={220}
            data={data}
            dataKey="day"
            series={[{ name: 'Views', color: 'sea' }]}
            curveType="linear"
            withDots={days.length <= 7}
            valueFormatter={count}
            areaChartProps={together}
            xAxisProps={xAxisProps}
            yAxisProps={yAxisProps}
            accessibilityLayer={false}
          />
        </div>
      </figure>
      <figure style={{ margin: 0 }}>
        <Text component="figcaption" fw={600} mb="xs">
          Leads
        </Text>
        <div role="img" aria-label={chartWords('Leads', valuesOf('leads'))}>
          <BarChart
            h={150}
            data={data}
            dataKey="day"
            series={[{ name: 'Leads', color: 'rust' }]}
            maxBarWidth={28}
            valueFormatter={count}
            barChartProps={together}
            xAxisProps={xAxisProps}
            yAxisProps={{ ...yAxisProps, tickCount: 3 }}
            accessibilityLayer={false}
          />
        </div>
      </figure>
      <Text size="sm" className="second">
        The last day is today, so far.
      </Text>
    </Stack>
  )
}
