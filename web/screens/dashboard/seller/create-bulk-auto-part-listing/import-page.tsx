import { Button, Skeleton, Stack } from '@mantine/core'
import { useEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import type { User } from '#contract/accounts.ts'
import { useLeaveGuard } from '#web/components/leave-guard.ts'
import { SellerListingNav } from '#web/components/listing-nav/seller-listing-nav.tsx'
import { Page } from '#web/components/page.tsx'
import { paths } from '#web/paths.ts'
import { FileStep } from './file-step.tsx'
import { ImportForm } from './import-form.tsx'
import { RecentImports } from './recent-imports.tsx'
import { percentSent } from './upload-card.tsx'
import { useImportFile } from './use-import-file.ts'
import { useImportRun } from './use-import-run.ts'
import { useOnboardingRedirect } from './use-onboarding-redirect.ts'
import { allTemplates, useTemplates } from './use-templates.ts'

const name = 'Bulk Import'

export function ImportPage({ user }: { user: User }) {
  const { chosen, choose } = useImportFile()
  const run = useImportRun()
  const templates = useTemplates()
  const navigate = useNavigate()
  const { state } = run
  useOnboardingRedirect(state.step === 'failed' ? state.error : templates.error)
  useLeaveGuard(state.step === 'sending', {
    title: 'Stop sending your file?',
    text: 'Not all rows are sent yet. Choose the same file again later, and it goes on where it stopped.',
    confirm: 'Stop and leave',
  })
  useEffect(() => {
    if (state.step === 'sent') void navigate(paths.importRun(state.importId))
  }, [state, navigate])

  function chooseFile(file: File): void {
    run.reset()
    void choose(file)
  }
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
      <Stack gap="md">
        <FileStep chosen={chosen} onChoose={chooseFile} locked={state.step === 'sending'} />
        {chosen.step === 'ready' && templates.isPending && <Skeleton height={320} radius="lg" />}
        {chosen.step === 'ready' && !templates.isPending && (
          <ImportForm
            // Another file begins with its own columns.
            key={`${chosen.file.file.name} ${chosen.file.file.lastModified} ${chosen.file.file.size}`}
            user={user}
            file={chosen.file}
            templates={allTemplates(templates.data)}
            run={run}
          />
        )}
        <RecentImports />
      </Stack>
    </Page>
  )
}
