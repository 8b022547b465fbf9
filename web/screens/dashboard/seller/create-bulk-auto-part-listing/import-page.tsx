import { Alert, Anchor, Button, Card, Group, Progress, Stack, Tabs, Text } from '@mantine/core'
import { Link, useNavigate } from 'react-router'
import type { User } from '#contract/account/accounts.ts'
import { useLeaveGuard } from '#web/components/form/leave-guard.ts'
import { PageDrop } from '#web/components/form/page-drop.tsx'
import { SellerListingNav } from '#web/components/listing-nav.tsx'
import { Page } from '#web/components/page/page.tsx'
import { paths, payoutsFrom } from '#web/paths.ts'
import { useTemplates } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/use-columns.ts'
import {
  percentSent,
  RunTab,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/run/run-tab.tsx'
import { ChooseFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/upload/drop-zone.tsx'
import {
  useWizard,
  type Wizard,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import '@mantine/core/styles/Progress.layer.css'
import { IconCheck, IconFileSpreadsheet } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { formatBytes, formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import { notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import {
  importSentence,
  needsOnboarding,
  onboardingAfterMs,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-failures.ts'
import classes from './import-page.module.css'
import '@mantine/core/styles/Tabs.layer.css'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { DefaultsTab } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/defaults/defaults-tab.tsx'
import { MappingTab } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/mapping-tab.tsx'
import { ReadingChoices } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/upload/reading-fields.tsx'
import { UploadTab } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/upload/upload-tab.tsx'
import { ValidateTab } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/validate/validate-tab.tsx'
import {
  type WizardTab,
  wizardTab,
  wizardTabs,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/wizard-tabs.ts'
import { GuideTab } from './guide-tab.tsx'
import { ResultsTab } from './results-tab.tsx'

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
  const templates = useTemplates()
  useOnboardingRedirect(state.step === 'failed' ? state.error : templates.error)
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
      <PageDrop
        onDrop={({ files }) => chooseDropped(wizard, files)}
        words={
          wizard.locked
            ? 'Your rows are still uploading. Drop the next file when they are done.'
            : 'Drop your file anywhere'
        }
      />
    </Page>
  )
}

function chooseDropped(wizard: Wizard, [file, ...others]: FileList): void {
  if (!file || wizard.locked) return
  if (others.length > 0) notifyInfo(`One file at a time. Using ${file.name}.`)
  wizard.choose(file)
}

/** The chosen file, shown above all tabs: loading, loaded or failed. */
function FileBar({ wizard }: { wizard: Wizard }) {
  const { chosen, file, choose, locked, overrides, readAs } = wizard
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
        {chosen.opened && <ReadingChoices wizard={wizard} opened={chosen.opened} />}
        {Object.keys(overrides).length > 0 && (
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

const sheetWords = ({ sheet, sheets }: ImportFile['reading'], all: readonly string[]): string =>
  sheets ? `${sheets.length} sheets` : `sheet “${sheet ?? all[0]}”`

function factsOf({ records, headers, file, sheets, reading }: ImportFile): string {
  const facts = [rowsInWords(records), `${formatCount(headers.length)} columns`, formatBytes(file.size)]
  return sheets.length > 1 ? [...facts, sheetWords(reading, sheets)].join(' · ') : facts.join(' · ')
}

/** Sellers who have not started payout onboarding get a message, then are redirected there. */
function useOnboardingRedirect(error: unknown): void {
  const needed = needsOnboarding(error)
  const navigate = useNavigate()
  const notify = useEffectEvent(() => notifyProblem(importSentence(error, ''), { about: 'import' }))
  useEffect(() => {
    if (!needed) return
    notify()
    const timer = setTimeout(() => void navigate(payoutsFrom(paths.createBulkListing)), onboardingAfterMs)
    return () => clearTimeout(timer)
  }, [needed, navigate])
}

function WizardView({ wizard }: { wizard: Wizard }) {
  const { tab, goTo } = wizard
  const panel = useRef<HTMLDivElement>(null)
  const bar = useCurrentTabInSight(tab)
  useFocus(panel, wizard)
  return (
    // Arrow keys move between tabs and Enter opens one, because each opened tab adds a history entry.
    <Tabs value={tab} onChange={(next) => goTo(wizardTab(next))} activateTabWithKeyboard={false}>
      <Tabs.List ref={bar} className={classes.tabs} aria-label="Bulk import steps">
        {wizardTabs.map(({ tab: value, label }) => (
          <Tabs.Tab
            key={value}
            value={value}
            className={classes.tab}
            leftSection={wizard.done.has(value) && <IconCheck size={16} stroke={2.4} aria-hidden />}
            {...(wizard.done.has(value) && { title: 'Nothing left to do here' })}
          >
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {wizardTabs.map(({ tab: value }) => (
        <Tabs.Panel key={value} value={value} tabIndex={-1} className={classes.panel}>
          {value === tab && (
            <div ref={panel}>
              <ObstacleAlert wizard={wizard} />
              {contents[value](wizard)}
            </div>
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

const contents: Record<WizardTab, (wizard: Wizard) => ReactNode> = {
  guide: (wizard) => <GuideTab wizard={wizard} />,
  mapping: (wizard) => <MappingTab wizard={wizard} />,
  defaults: (wizard) => <DefaultsTab wizard={wizard} />,
  upload: (wizard) => <UploadTab wizard={wizard} />,
  validate: (wizard) => <ValidateTab wizard={wizard} />,
  run: (wizard) => <RunTab wizard={wizard} />,
  results: (wizard) => <ResultsTab wizard={wizard} />,
}

function ObstacleAlert({ wizard: { obstacle, tab, goTo } }: { wizard: Wizard }) {
  if (obstacle === undefined) return null
  const place = wizardTabs.find((one) => one.tab === obstacle.tab)
  return (
    <Alert color="bad" variant="light" role="alert" mb="md">
      {obstacle.sentence}
      {obstacle.tab !== tab && (
        <>
          {' '}
          <Anchor
            component="button"
            type="button"
            inherit
            underline="always"
            onClick={() => goTo(obstacle.tab)}
          >
            Go to {place?.label}
          </Anchor>
        </>
      )}
    </Alert>
  )
}

/** Scrolls the open tab into view, because the tab bar is wider than a phone. */
function useCurrentTabInSight(tab: WizardTab): RefObject<HTMLDivElement | null> {
  const bar = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is in another place
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>('[aria-selected=true]')
    if (bar.current && current) bar.current.scrollLeft = current.offsetLeft - bar.current.offsetLeft - 16
  }, [tab])
  return bar
}

/**
 * Focuses the input that was sought, and the first problem when the user cannot continue. If a clicked button disappeared with its tab, focuses the new
 * tab's content.
 */
function useFocus(panel: RefObject<HTMLDivElement | null>, { tries, tab, obstacle, sought }: Wizard): void {
  const leadToProblem = useEffectEvent(() => {
    if (obstacle !== undefined && panel.current) focusFirstProblem(panel.current)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each try, whatever it was about
  useEffect(() => leadToProblem(), [tries])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each change of the tab
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (isLost) panel.current?.parentElement?.focus({ preventScroll: true })
  }, [tab])
  const reached = useRef<Wizard['sought']>(undefined)
  const leadToSought = useEffectEvent(() => {
    const input = sought && sought !== reached.current && document.getElementById(sought.id)
    // The tab that has it may not be open yet.
    if (!input) return
    reached.current = sought
    input.scrollIntoView({ block: 'center' })
    input.focus()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each search, and once its tab is open
  useEffect(() => leadToSought(), [sought, tab])
}
