import { Button, Card, Group, List, Stack, Text, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useProfile } from '#web/api/account.ts'
import { useSite } from '#web/api/site.ts'
import sheet from '#web/artwork/sheet.svg?raw'
import { SellerListingNav } from '#web/components/listing-nav.tsx'
import { Page } from '#web/components/page/page.tsx'
import { TestPayments, UpgradeButton } from '#web/components/payments/payment-buttons.tsx'
import { paths } from '#web/paths.ts'
import { Drawing } from '#web/site/page.tsx'
import { proPlan, usePlanPrice } from '#web/site/plans/offers.ts'
import classes from './import-page.module.css'
import { ImportPage } from './import-page.tsx'

/** Two pages at one URL: the import for Pro sellers, an upsell for everyone else. */
export function Component() {
  const user = useProfile()
  const { data: site } = useSite()
  if (!user) return null
  // Administrators see Pro features unless a setting turns that off. The server decides what they may do.
  const previews = user.role === 1 && site?.adminPreview !== false
  return user.sellerTier === 'PAID' || previews ? <ImportPage user={user} /> : <Upsell />
}

const benefits = [
  'Upload your inventory file, CSV or CSV.GZ, of any size',
  'We match its columns; you confirm them once',
  'A dry run finds every problem before anything changes',
  'Importing again updates only what changed',
  'Undo any time for 30 days',
]

function Upsell() {
  return (
    <Page title="Bulk Import">
      <SellerListingNav />
      <Card padding={0}>
        <div className={classes.offer}>
          <Stack gap="md" className={classes.words}>
            <Title order={2}>Bulk Import is a Pro feature</Title>
            <Text className="second">
              Turn a spreadsheet into live listings. On the free plan you can list as many parts as you like,
              one at a time.
            </Text>
            <List spacing={8} icon={<IconCheck size={18} stroke={2} className={classes.check} aria-hidden />}>
              {benefits.map((benefit) => (
                <List.Item key={benefit}>{benefit}</List.Item>
              ))}
            </List>
            <Group gap="sm">
              <UpgradeButton variant="filled" />
              <Button component={Link} to={paths.onboarding} variant="default">
                Compare the plans
              </Button>
              <Button component={Link} to={paths.createAutoPartListing} variant="default">
                Create a single listing
              </Button>
              <Button component={Link} to={paths.sellerDashboard} variant="subtle" color="gray">
                Back to Dashboard
              </Button>
              <TestPayments />
            </Group>
            <Text size="sm" className="second">
              {proPlan.name}, {usePlanPrice('pro')} per month. {proPlan.for}
            </Text>
          </Stack>
          <Drawing svg={sheet} className={classes.drawing} />
        </div>
      </Card>
    </Page>
  )
}
