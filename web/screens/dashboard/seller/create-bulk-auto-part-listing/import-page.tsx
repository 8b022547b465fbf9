import { Alert, Button, Card, Group, Progress, Stack, Text } from '@mantine/core'
import { Link, useNavigate } from 'react-router'
import type { User } from '#contract/accounts.ts'
import { useLeaveGuard } from '#web/components/form/leave-guard.ts'
import { SellerListingNav } from '#web/components/listing-nav.tsx'
import { Page } from '#web/components/page/page.tsx'
import { paths } from '#web/paths.ts'
import { useTemplates } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/use-templates.ts'
import { percentSent } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/run/upload-card.tsx'
import {
  ChooseFile,
  PageDrop,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/upload/drop-zone.tsx'
import { useWizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import { WizardView } from './wizard-view.tsx'
import '@mantine/core/styles/Progress.layer.css'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import { formatBytes, formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import {
  importSentence,
  needsOnboarding,
  onboardingAfterMs,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-failures.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/wizard.ts'
import classes from './import-page.module.css'

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

/** The file that all tabs are about: while it is read, once it is, and where it cannot be. */
function FileBar({ wizard }: { wizard: Wizard }) {
  const { chosen, file, choose, locked, said, readAs } = wizard
  if (chosen.step === 'reading') {
    return (
      <Card component="section" aria-label="Your file" mb="md" padding="md">
        <Stack gap="xs">
          <Text role="status">Reading {chosen.name}…</Text>
          <Progress value={chosen.share * 100} color="sea" aria-label={`Reading ${chosen.name}`} />
        </Stack>
      </Card>
    )
  }
  if (chosen.step === 'none') {
    if (chosen.problem === undefined) return null
    return (
      <Alert color="bad" variant="light" role="alert" mb="md">
        {chosen.problem}
        {Object.keys(said).length > 0 && (
          <div>
            <Button variant="default" size="xs" mt="xs" onClick={() => readAs({})}>
              Read it as it was detected
            </Button>
          </div>
        )}
      </Alert>
    )
  }
  if (file === undefined) return null
  return (
    <Card component="section" aria-label="Your file" mb="md" padding="md">
      <Group justify="space-between" gap="md">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <IconFileSpreadsheet size={32} stroke={1.4} aria-hidden className={classes.icon} />
          <div className={classes.name}>
            <Text fw={600}>{file.file.name}</Text>
            <Text className="second" role="status">
              {factsOf(file)}
            </Text>
          </div>
        </Group>
        <ChooseFile onChoose={choose} label="Choose another file" variant="default" disabled={locked} />
      </Group>
    </Card>
  )
}

function factsOf({ records, headers, file, sheets, reading }: ImportFile): string {
  const facts = [rowsInWords(records), `${formatCount(headers.length)} columns`, formatBytes(file.size)]
  return sheets.length > 1
    ? [...facts, `sheet “${reading.sheet ?? sheets[0]}”`].join(' · ')
    : facts.join(' · ')
}

/** Who never began payout onboarding is told so, then led there. */
function useOnboardingRedirect(error: unknown): void {
  const needed = needsOnboarding(error)
  const navigate = useNavigate()
  const tell = useEffectEvent(() => notifyProblem(importSentence(error, ''), { about: 'import' }))
  useEffect(() => {
    if (!needed) return
    tell()
    const timer = setTimeout(() => void navigate(paths.onboarding), onboardingAfterMs)
    return () => clearTimeout(timer)
  }, [needed, navigate])
}
