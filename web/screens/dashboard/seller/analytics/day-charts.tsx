import { AreaChart, BarChart } from '@mantine/charts'
import type { ReactNode } from 'react'
import '@mantine/charts/styles.layer.css'
import { Stack, Text } from '@mantine/core'
import { chartWords, count, type Day, dayName } from './figures.ts'

// Hovering a day shows it in both charts.
const together = { syncId: 'days', margin: { top: 8 } }
// The same width in both charts, so that days line up.
const yAxisProps = { allowDecimals: false, width: 44 }

/** Two charts, because a yard gets about a hundred views per lead: on one scale, leads would be a flat line. */
export function DayCharts({ days }: { days: Day[] }) {
  const shared = {
    data: days.map(({ day, views, leads }) => ({ day: dayName(day), Views: views, Leads: leads })),
    dataKey: 'day',
    valueFormatter: count,
    xAxisProps: { scale: 'band', minTickGap: 12, interval: 'equidistantPreserveStart' },
    accessibilityLayer: false,
  } as const
  return (
    <Stack gap="lg">
      <Chart name="Views" values={days.map(({ day, views }) => ({ day, value: views }))}>
        <AreaChart
          {...shared}
          h={220}
          series={[{ name: 'Views', color: 'sea' }]}
          curveType="linear"
          withDots={days.length <= 7}
          areaChartProps={together}
          yAxisProps={yAxisProps}
        />
      </Chart>
      <Chart name="Leads" values={days.map(({ day, leads }) => ({ day, value: leads }))}>
        <BarChart
          {...shared}
          h={150}
          series={[{ name: 'Leads', color: 'rust' }]}
          maxBarWidth={28}
          barChartProps={together}
          yAxisProps={{ ...yAxisProps, tickCount: 3 }}
        />
      </Chart>
      <Text size="sm" className="second">
        Today is partial.
      </Text>
    </Stack>
  )
}

type ChartProps = { name: string; values: { day: string; value: number }[]; children: ReactNode }

const Chart = ({ name, values, children }: ChartProps) => (
  <figure style={{ margin: 0 }}>
    <Text component="figcaption" fw={600} mb="xs">
      {name}
    </Text>
    <div role="img" aria-label={chartWords(name, values)}>
      {children}
    </div>
  </figure>
)
