import { AreaChart, BarChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { Stack, Text } from '@mantine/core'
import { chartWords, count, type Day, dayName } from './figures.ts'

// Hovering a day shows it in both charts.
const together = { syncId: 'days', margin: { top: 8 } }
const xAxisProps = { scale: 'band', minTickGap: 12, interval: 'equidistantPreserveStart' } as const
// The same width in both charts, so that days line up.
const yAxisProps = { allowDecimals: false, width: 44 }

/** Two charts, because a yard gets about a hundred views per lead: on one scale, leads would be a flat line. */
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
        Today is partial.
      </Text>
    </Stack>
  )
}
