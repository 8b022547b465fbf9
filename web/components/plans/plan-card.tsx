import { Badge, Card, Group, List, Stack, Text, Title } from '@mantine/core'
import { IconCheck, IconClock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { PlanFeature, PlanOffer } from './offers.ts'
import classes from './plan-card.module.css'

type PlanCardProps = {
  offer: PlanOffer
  /** Whether the user chose this plan before coming here. */
  chosen?: boolean
  note?: string
  order?: 2 | 3
  action: ReactNode
}

export function PlanCard({ offer, chosen = false, note, order = 3, action }: PlanCardProps) {
  return (
    <Card className={classes.card} data-chosen={chosen || undefined}>
      <Stack gap="md" h="100%">
        <Group justify="space-between">
          <Title order={order} size="h3">
            {offer.name}
          </Title>
          {chosen && <Badge>Your choice</Badge>}
        </Group>
        <Text className={classes.price}>
          <span className="display">${offer.priceDollars}</span> per month
        </Text>
        <Text className="second">{offer.for}</Text>
        <Features features={offer.features} className={classes.features} />
        {note !== undefined && (
          <Text size="sm" className="second">
            {note}
          </Text>
        )}
        {action}
      </Stack>
    </Card>
  )
}

type FeaturesProps = { features: readonly PlanFeature[]; className?: string | undefined }

/** What a plan has; what is not built yet has no check mark. */
export function Features({ features, className }: FeaturesProps) {
  return (
    <List
      className={className}
      spacing={8}
      icon={<IconCheck size={18} stroke={2} className={classes.check} aria-hidden />}
    >
      {features.map(({ text, soon }) => (
        <List.Item
          key={text}
          icon={soon && <IconClock size={18} stroke={2} className={classes.soon} aria-hidden />}
        >
          {text}{' '}
          {soon && (
            <Badge size="sm" color="gray">
              Coming soon
            </Badge>
          )}
        </List.Item>
      ))}
    </List>
  )
}
