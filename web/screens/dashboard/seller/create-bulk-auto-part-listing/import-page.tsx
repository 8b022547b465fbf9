import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { User } from '#contract/accounts.ts'
import { useLeaveGuard } from '#web/components/form/leave-guard.ts'
import { SellerListingNav } from '#web/components/listing-nav.tsx'
import { Page } from '#web/components/page/page.tsx'
import { paths } from '#web/paths.ts'
import { FileBar } from './file-bar.tsx'
import { useTemplates } from './mapping/use-templates.ts'
import { percentSent } from './run/upload-card.tsx'
import { PageDrop } from './upload/page-drop.tsx'
import { useOnboardingRedirect } from './use-onboarding-redirect.ts'
import { useWizard } from './use-wizard.ts'
import { WizardView } from './wizard-view.tsx'

const name = 'Bulk Import'

const unsaved = {
  title: 'Leave with a file that is not imported?',
  text: 'Columns, values and corrections are kept on this device. Come back, and they are as you left them.',
  confirm: 'Leave page',
}
const sending = {
  title: 'Stop sending your file?',
  text: 'Not all rows are sent yet. Come back to this page, and it goes on where it stopped.',
  confirm: 'Stop and leave',
}

export function ImportPage({ user }: { user: User }) {
  const wizard = useWizard(user)
  const { state } = wizard.run
  useOnboardingRedirect(useRefusal(wizard.run.state))
  useLeaveGuard(wizard.locked || wizard.unsaved, wizard.locked ? sending : unsaved)
  return (
    <Page
      title={state.step === 'sending' ? `${percentSent(state.order, state.progress)} % · ${name}` : name}
      heading={name}
      lead="From the file of your yard system to live listings: checked first, and taken back if need be."
      actions={
        <Button variant="default" component={Link} to={paths.helpArticle('importing')}>
          What the file needs
        </Button>
      }
    >
      <SellerListingNav />
      <FileBar wizard={wizard} />
      <WizardView wizard={wizard} />
      <PageDrop onDrop={wizard.choose} locked={wizard.locked} />
    </Page>
  )
}

/** What the server refused, of a run or of the templates, which are asked for first. */
function useRefusal(state: ReturnType<typeof useWizard>['run']['state']): unknown {
  const templates = useTemplates()
  return state.step === 'failed' ? state.error : templates.error
}
