import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { isLeftOut } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import { SectionCard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/section-card.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard.ts'
import { ElsewhereCard } from './elsewhere-card.tsx'
import { ModeChoice } from './mode-choice.tsx'
import { RunFailure } from './run-failure.tsx'
import { StoppedCard } from './stopped-card.tsx'
import { UploadCard } from './upload-card.tsx'

/** From a file that is ready to rows that are staged: the button, and how far the sending is. */
export function RunTab({ wizard }: { wizard: Wizard }) {
  const { run, file } = wizard
  const { state } = run
  if (state.step === 'elsewhere') return <ElsewhereCard run={state.run} />
  if (state.step === 'sending') {
    const { order, progress } = state
    return <UploadCard order={order} progress={progress} onPause={run.setPaused} onCancel={run.stop} />
  }
  if (state.step === 'stopped') return <StoppedCard stopped={state} run={run} />
  return (
    <Stack gap="md">
      {state.step === 'failed' && !state.order.dryRun && <RunFailure failed={state} run={run} />}
      {file ? <Ready wizard={wizard} file={file} /> : <NoFile wizard={wizard} />}
    </Stack>
  )
}

function NoFile({ wizard }: { wizard: Wizard }) {
  return (
    <SectionCard
      title="No file yet"
      lead="Choose the file of your parts first; then it can be imported here."
    >
      <Button onClick={() => wizard.goTo('upload')} style={{ alignSelf: 'flex-start' }}>
        Choose a file
      </Button>
    </SectionCard>
  )
}

function Ready({ wizard, file }: { wizard: Wizard; file: ImportFile }) {
  const { options, setOptions, preview, run, startImport, check } = wizard
  const { state } = run
  const checked = state.step === 'checked' ? state.result : undefined
  const isOver = state.step === 'sent' && state.order?.file.file === file.file
  return (
    <SectionCard title="Import your rows" lead={`${file.file.name} · ${rowsInWords(file.records)}`}>
      <Stack gap="md">
        <ModeChoice
          mode={options.mode}
          onChange={(mode) => setOptions({ ...options, mode })}
          disabled={preview}
        />
        <Facts wizard={wizard} />
        {isOver && (
          <Alert color="good" variant="light">
            These rows were sent. Results shows what became of them; sending them again changes nothing that
            is as the file says.
          </Alert>
        )}
        {preview ? (
          <Alert color="sea" variant="light">
            You see this page as an administrator: you can check a file as sellers do. Importing needs the Pro
            plan.
          </Alert>
        ) : (
          <Group gap="md">
            <Button size="md" onClick={startImport} variant={isOver ? 'default' : 'filled'}>
              Run import
            </Button>
            {checked === undefined && !isOver && (
              <Button variant="default" onClick={check}>
                Check first (dry run)
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </SectionCard>
  )
}

/** What will be sent, in a line each. */
function Facts({ wizard }: { wizard: Wizard }) {
  const { run, edits, options } = wizard
  const checked = run.state.step === 'checked' ? run.state.result : undefined
  const leftOut = [...edits.values()].filter(isLeftOut).length
  return (
    <Text className="second">
      {checkedWords(checked?.errors)}
      {edits.size > leftOut && `${rowsInWords(edits.size - leftOut)} corrected here. `}
      {leftOut > 0 && `${rowsInWords(leftOut)} left out by you. `}
      Sent in chunks of {options.chunkSize.toLocaleString('en-US')} rows, {options.concurrency} at a time. You
      can take an import back for 30 days.
    </Text>
  )
}

function checkedWords(errors: number | undefined): string {
  if (errors === undefined) return 'Not checked yet: rows with errors will be left out and named. '
  if (errors === 0) return 'Checked: all rows are good. '
  return `Checked: ${rowsInWords(errors)} with errors will be left out. `
}
