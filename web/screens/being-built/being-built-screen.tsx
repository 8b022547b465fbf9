import { Button } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { useSession } from '#web/api/session.ts'
import empty from '#web/artwork/empty.svg?raw'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { Page } from '#web/components/page/page.tsx'
import { paths } from '#web/paths.ts'

/** One screen for every page that is known but not there yet. */
export function Component() {
  const { pathname } = useLocation()
  const { title, heading, text } = notYetAt(pathname)
  const signedIn = useSession().token !== undefined
  return (
    <Page title={title} width="text">
      <EmptyState
        drawing={empty}
        title={heading}
        text={text}
        action={
          <Button component={Link} to={signedIn ? paths.sellerDashboard : paths.home} variant="default">
            {signedIn ? 'Go to my seller dashboard' : 'Go to the home page'}
          </Button>
        }
      />
    </Page>
  )
}

type NotYet = { title: string; heading: string; text: string }

const comingSoon = (title: string, text: string): NotYet => ({ title, heading: 'Coming soon', text })
/** Addresses that lead somewhere already, and what will be there. */
const notYet: Record<string, NotYet> = {
  [paths.searchEngineAdvertising]: comingSoon(
    'Search Engine Advertising',
    'Advertise single parts or your whole yard in search engines, from here.',
  ),
  [paths.customerReviews]: comingSoon(
    'Customer Reviews',
    'Read what buyers say about your parts, and answer them.',
  ),
  [paths.careers]: comingSoon('Careers', 'There are no open positions at the moment.'),
  [paths.press]: comingSoon('Press', 'There is no press material yet. For questions, write to us.'),
  [paths.marketingAutomation]: {
    title: 'Marketing Automation',
    heading: 'In preparation',
    text: 'Promotions that run by themselves: boosts for parts that stand too long, and mails to buyers who asked before. Nothing of it runs yet, and nothing is charged for it.',
  },
  [paths.manageOrders]: comingSoon(
    'Manage Orders',
    'Buyers and sellers arrange payment between themselves; there are no orders to manage here yet.',
  ),
}

const someday = comingSoon('Coming soon', 'This page is not there yet.')

function notYetAt(path: string): NotYet {
  return notYet[path.replace(/\/+$/, '')] ?? someday
}
