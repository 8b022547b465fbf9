import { Button } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { useSession } from '#web/api/session.ts'
import empty from '#web/artwork/empty.svg?raw'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Page } from '#web/components/page.tsx'
import { paths } from '#web/paths.ts'
import { notYetAt } from './not-yet.ts'

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
