import { useLocation } from 'react-router'
import { useSession } from '#web/api/session.ts'
import empty from '#web/artwork/empty.svg?url'
import { paths } from '#web/paths.ts'
import { ButtonLink } from '#web/site/button.tsx'
import { Head } from '#web/site/head.tsx'
import { Empty, Page } from '#web/site/page.tsx'

/** One placeholder for every page that is linked but not built yet. */
export function Component() {
  const { pathname } = useLocation()
  const { title, heading, text } = placeholders[pathname.replace(/\/+$/, '')] ?? fallback
  const signedIn = useSession().token !== undefined
  return (
    <Page heading={title} width="text">
      <Head title={title} noindex />
      <Empty
        drawing={empty}
        title={heading}
        text={text}
        action={
          <ButtonLink to={signedIn ? paths.sellerDashboard : paths.home}>
            {signedIn ? 'Go to my seller dashboard' : 'Go to the home page'}
          </ButtonLink>
        }
      />
    </Page>
  )
}

type Placeholder = { title: string; heading: string; text: string }

const comingSoon = (title: string, text: string): Placeholder => ({ title, heading: 'Coming soon', text })

const placeholders: Record<string, Placeholder> = {
  [paths.searchEngineAdvertising]: comingSoon(
    'Search Engine Advertising',
    'Advertise individual parts or your whole yard on search engines.',
  ),
  [paths.customerReviews]: comingSoon('Customer Reviews', 'Read and answer reviews of your parts.'),
  [paths.careers]: comingSoon('Careers', 'We have no open positions right now.'),
  [paths.press]: comingSoon('Press', 'We have no press materials yet. For questions, contact us.'),
  [paths.marketingAutomation]: {
    title: 'Marketing Automation',
    heading: 'Not available yet',
    text: 'Automatic promotions: boosts for slow-moving parts, and emails to buyers who contacted you before. You are not charged for this.',
  },
  [paths.manageOrders]: comingSoon(
    'Manage Orders',
    'Buyers and sellers arrange payment directly, so there are no orders to manage here yet.',
  ),
}

const fallback = comingSoon('Coming soon', 'This page isn’t ready yet.')
