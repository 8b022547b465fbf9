import { Button, Card, List, Stack, Text, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import sheet from '#web/artwork/sheet.svg?raw'
import { Drawing } from '#web/components/drawing.tsx'
import { ProviderActions } from '#web/components/payments/provider-actions.tsx'
import { UpgradeButton } from '#web/components/payments/upgrade-button.tsx'
import { proPlan } from '#web/components/plans/offers.ts'
import { onboardingFor } from '#web/paths.ts'
import classes from './unlock-pro-card.module.css'

export function UnlockProCard() {
  return (
    <Card padding={0} className={classes.card}>
      <Stack gap="md" p="lg">
        <div>
          <Title order={2} size="h3">
            Unlock Pro Seller tools
          </Title>
          <Text className="second">
            ${proPlan.priceDollars} per month. {proPlan.for}
          </Text>
        </div>
        <List spacing={6} icon={<IconCheck size={18} stroke={2} className={classes.check} aria-hidden />}>
          {proPlan.features.slice(1).map((feature) => (
            <List.Item key={feature}>{feature}</List.Item>
          ))}
        </List>
        <ProviderActions>
          <UpgradeButton />
          <Button component={Link} to={onboardingFor('pro')} variant="subtle" color="gray">
            Compare the plans
          </Button>
        </ProviderActions>
      </Stack>
      <Drawing svg={sheet} className={classes.drawing} />
    </Card>
  )
}
