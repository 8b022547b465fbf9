import { Badge, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconBolt, IconFileSpreadsheet, IconPhoto } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { ButtonLink } from '#web/components/links.tsx'
import { SellerListingNav } from '#web/components/listing-nav.tsx'
import { Page } from '#web/components/page/page.tsx'
import { ProviderActions, UpgradeButton } from '#web/components/payments/payment-buttons.tsx'
import { paths } from '#web/paths.ts'
import classes from './create-listing.module.css'

export function Component() {
  const { user } = useSession()
  const isPro = user?.sellerTier === 'PAID'
  return (
    <Page
      title="Create Listing"
      lead="Choose how you want to list."
      actions={
        <>
          <ButtonLink variant="default" to={paths.sellerDashboard}>
            Back to Dashboard
          </ButtonLink>
          {!isPro && (
            <ProviderActions>
              <UpgradeButton />
            </ProviderActions>
          )}
        </>
      }
    >
      <SellerListingNav />
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
        <Choice
          icon={<IconPhoto aria-hidden />}
          title="E-commerce listing"
          text="A part with a picture, grade, price and shipping. These sell best."
          action={{ label: 'Create an e-commerce listing', to: paths.createAutoPartListing, primary: true }}
        />
        <Choice
          icon={<IconBolt aria-hidden />}
          title="Data-table listing"
          text="Text only: part, car, miles, damage and phone. Quick for parts still on the car."
          action={{ label: 'Create a quick listing', to: paths.createDataTableListing }}
        />
        <Choice
          icon={<IconFileSpreadsheet aria-hidden />}
          title="Bulk import"
          mark={<Badge color="rust">Pro</Badge>}
          text="Upload your inventory file. We check it and publish all of it at once."
          action={{ label: isPro ? 'Import a file' : 'See what it does', to: paths.createBulkListing }}
        />
      </SimpleGrid>
    </Page>
  )
}

type ChoiceProps = {
  icon: ReactNode
  title: string
  mark?: ReactNode
  text: string
  action: { label: string; to: string; primary?: boolean }
}

function Choice({ icon, title, mark, text, action }: ChoiceProps) {
  return (
    <Card className={classes.choice}>
      <Stack gap="sm" h="100%">
        <Group justify="space-between">
          <span className={classes.icon}>{icon}</span>
          {mark}
        </Group>
        <Title size="h3">{title}</Title>
        <Text className="second" flex={1}>
          {text}
        </Text>
        <div>
          {action.primary ? (
            <ButtonLink to={action.to} className={classes.fullWidth}>
              {action.label}
            </ButtonLink>
          ) : (
            <Link to={action.to} className={`${classes.link} ${classes.fullWidth}`}>
              {action.label}
            </Link>
          )}
        </div>
      </Stack>
    </Card>
  )
}
