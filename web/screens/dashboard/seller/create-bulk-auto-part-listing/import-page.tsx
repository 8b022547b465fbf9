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
import {
  useWizard,
  type Wizard,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
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
import classes from './import-page.module.css'

const name = 'Bulk Import'

const unsaved = {
  title: 'Leave without importing?',
  text: 'Your file, columns and corrections are saved on this device. You can continue later.',
  confirm: 'Leave page',
}
const sending = {
  title: 'Stop the upload?',
  text: 'Not all rows have been uploaded. Come back to this page to resume.',
  confirm: 'Stop and leave',
}

export function ImportPage({ user }: { user: User }) {
  const wizard = useWizard(user)
  const { state } = wizard.run
  useOnboardingRedirect(useRefusal(wizard.run))
  useLeaveGuard(wizard.locked || wizard.unsaved, wizard.locked ? sending : unsaved)
  return (
    <Page
      title={state.step === 'sending' ? `${percentSent(state.order, state.progress)}% · ${name}` : name}
      heading={name}
      lead="Turn your inventory file into live listings. Check it first; undo any time for 30 days."
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

/** The server's error for the run, or for the templates, which load first. */
function useRefusal({ state }: Wizard['run']): unknown {
  const templates = useTemplates()
  return state.step === 'failed' ? state.error : templates.error
}

/** The chosen file, shown above all tabs: loading, loaded or failed. */
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
              Use detected settings
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

/** Sellers who have not started payout onboarding get a message, then are redirected there. */
function useOnboardingRedirect(error: unknown): void {
  const needed = needsOnboarding(error)
  const navigate = useNavigate()
  const notify = useEffectEvent(() => notifyProblem(importSentence(error, ''), { about: 'import' }))
  useEffect(() => {
    if (!needed) return
    notify()
    const timer = setTimeout(() => void navigate(paths.onboarding), onboardingAfterMs)
    return () => clearTimeout(timer)
  }, [needed, navigate])
}
