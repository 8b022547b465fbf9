import { Anchor, Badge, Card, SimpleGrid, Text, Title } from '@mantine/core'
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import classes from './analytics.module.css'
import { type Analytics, type Change, changeOf, count, percent, pointsOf } from './figures.ts'

/** The three figures of the period, each against the one before. */
export function Totals({ analytics: { totals, previous, days } }: { analytics: Analytics }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
      <Total
        name="Views"
        value={count(totals.views)}
        change={changeOf(totals.views, previous.views, days)}
        note="Each visitor once a visit; your own looks are not counted."
      />
      <Total
        name="Leads"
        value={count(totals.leads)}
        change={changeOf(totals.leads, previous.leads, days)}
        note={
          <Anchor component={Link} to={paths.leads} size="sm">
            See messages
          </Anchor>
        }
      />
      <Total
        name="Conversion"
        value={percent(totals.conversionPercent)}
        change={pointsOf(totals.conversionPercent, previous.conversionPercent, days)}
        note="Leads for every hundred views."
      />
    </SimpleGrid>
  )
}

type TotalProps = { name: string; value: string; change: Change | undefined; note: ReactNode }

function Total({ name, value, change, note }: TotalProps) {
  return (
    <Card component="section" aria-label={name}>
      <Title order={2} size="h4">
        {name}
      </Title>
      <p className={`display ${classes.value}`}>{value}</p>
      {change && <ChangeLine change={change} />}
      <Text size="sm" className="second" mt="auto" pt="xs">
        {note}
      </Text>
    </Card>
  )
}

const colors = { up: 'good', down: 'bad', same: 'gray' }
const icons = { up: <IconArrowUpRight size={14} />, down: <IconArrowDownRight size={14} />, same: null }

function ChangeLine({ change: { trend, short, rest } }: { change: Change }) {
  return (
    <p className={classes.change}>
      <Badge component="span" color={colors[trend]} leftSection={icons[trend]}>
        {short}
      </Badge>{' '}
      {rest}
    </p>
  )
}
