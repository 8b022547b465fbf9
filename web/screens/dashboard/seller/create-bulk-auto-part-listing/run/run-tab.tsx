import { Alert, Button, Card, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'
import { formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { ColumnQuestions } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/decide/column-questions.tsx'
import { Examples } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/decide/examples.tsx'
import { StockQuestion } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/decide/stock-question.tsx'
import { Details } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/next-step-bar.tsx'
import {
  FileProblem,
  type ImportFile,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { isLeftOut } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import type {
  ImportRun,
  RunState,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-order.ts'
import type {
  RunElsewhere,
  RunProgress,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-progress.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import { ModeChoice, PreviewNote } from './run-options-card.tsx'
import '@mantine/core/styles/Progress.layer.css'
import { Link } from 'react-router'
import { ApiError, NetworkError } from '#web/api/failures.ts'
import type { WaitsFor } from '#web/api/patience.ts'
import { RateProgress } from '#web/components/imports/rate-progress.tsx'
import { paths } from '#web/paths.ts'
import {
  importSentence,
  needsOnboarding,
  proOnly,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-failures.ts'
import { ChunkMap } from './chunk-map.tsx'
import { ANSWER_FIRST, CHECK_FIRST, WhatHappens } from './what-happens.tsx'

export function RunTab({ wizard }: { wizard: Wizard }) {
  const { run, file } = wizard
  const { state } = run
  if (state.step === 'elsewhere') return <OtherTabCard run={state.run} />
  if (state.step === 'sending') return <UploadCard sending={state} run={run} />
  if (state.step === 'stopped') return <StoppedCard stopped={state} run={run} />
  return (
    <Stack gap="md">
      {state.step === 'failed' && <Failed failed={state} wizard={wizard} />}
      <StockQuestion wizard={wizard} />
      {file ? <Ready wizard={wizard} file={file} /> : <NoFile wizard={wizard} />}
    </Stack>
  )
}

function Failed({ failed, wizard }: { failed: RunFailureProps['failed']; wizard: Wizard }) {
  const questions = failed.error instanceof ApiError ? failed.error.questions : []
  if (questions.length === 0) return <RunFailure failed={failed} run={wizard.run} />
  return (
    <>
      <Alert color="warning" variant="light" role="alert">
        Nothing was imported. We need an answer first.
      </Alert>
      <ColumnQuestions wizard={wizard} order={failed.order} questions={questions} />
    </>
  )
}

function NoFile({ wizard }: { wizard: Wizard }) {
  return (
    <SectionCard title="No file yet" lead="Please choose a CSV or CSV.GZ file">
      <Button onClick={() => wizard.goTo('upload')} style={{ alignSelf: 'flex-start' }}>
        Choose a file
      </Button>
    </SectionCard>
  )
}

function Ready({ wizard, file }: { wizard: Wizard; file: ImportFile }) {
  const { options, setOptions, preview, run, checkOnce } = wizard
  const checkNow = useEffectEvent(checkOnce)
  const mayCheck = wizard.mayCheck && run.state.step === 'idle'
  useEffect(() => {
    if (mayCheck) checkNow()
  }, [mayCheck])
  const { state } = run
  const checked = state.step === 'checked' ? state.result : undefined
  const isAsked = (checked?.columnQuestions.length ?? 0) > 0
  const isOver = state.step === 'sent' && state.order?.file.file === file.file
  return (
    <SectionCard title="Import your rows" lead={`${file.file.name} · ${rowsInWords(file.records)}`}>
      <ModeChoice
        mode={options.mode}
        onChange={(mode) => setOptions({ ...options, mode })}
        disabled={preview}
        part={wizard.partOfStock}
        missing={checked?.plan?.missing}
      />
      <WhatHappens plan={checked?.plan} goesLive={checked?.goesLive} mode={options.mode} />
      {checked && <Examples wizard={wizard} examples={checked.examples} />}
      {isAsked ? <Text role="status">{ANSWER_FIRST}</Text> : <Facts wizard={wizard} />}
      {isOver && (
        <Alert color="good" variant="light">
          You have already imported these rows; see Results. Importing them again won’t change anything.
        </Alert>
      )}
      {preview ? <PreviewNote /> : <RunButtons wizard={wizard} isAsked={isAsked} />}
    </SectionCard>
  )
}

/** Run, which waits for the check of exactly this file. */
function RunButtons({ wizard, isAsked }: { wizard: Wizard; isAsked: boolean }) {
  const { startImport, check, isSeen } = wizard
  return (
    <Group gap="md">
      {!isSeen && (
        <Button size="md" onClick={check}>
          Check rows
        </Button>
      )}
      <Button
        size="md"
        onClick={startImport}
        variant={isSeen ? 'filled' : 'default'}
        disabled={isAsked || !isSeen}
        aria-describedby={isSeen ? undefined : 'run-waits'}
      >
        Run import
      </Button>
      {!isSeen && (
        <Text id="run-waits" className="second">
          {CHECK_FIRST}
        </Text>
      )}
      {isAsked && (
        <Button variant="default" onClick={() => wizard.goTo('validate')}>
          See the questions
        </Button>
      )}
    </Group>
  )
}

function Facts({ wizard }: { wizard: Wizard }) {
  const { run, edits } = wizard
  const checked = run.state.step === 'checked' ? run.state.result : undefined
  const leftOut = [...edits.values()].filter(isLeftOut).length
  return (
    <Text className="second">
      {checkedWords(checked && checked.errors - checked.remarks)}
      {edits.size > leftOut && `${rowsInWords(edits.size - leftOut)} corrected here. `}
      {leftOut > 0 && `${rowsInWords(leftOut)} left out by you. `}
      You can undo an import for 30 days.
    </Text>
  )
}

function checkedWords(errors: number | undefined): string {
  if (errors === undefined) return 'Not checked yet. Rows with errors will be skipped and listed. '
  if (errors === 0) return 'Checked: all rows are good. '
  return `Checked: ${rowsInWords(errors)} with errors will be left out. `
}

type StoppedCardProps = { stopped: Extract<RunState, { step: 'stopped' }>; run: ImportRun }

function StoppedCard({ stopped: { order, progress }, run }: StoppedCardProps) {
  const { file } = order
  const sent =
    progress.rows > 0
      ? `${formatCount(progress.rows)} of ${rowsInWords(file.records)} uploaded.`
      : `${file.file.name} was not uploaded completely.`
  return (
    <SectionCard
      isNews
      title="Upload stopped"
      lead={`${sent} No listing was changed. Uploaded rows are kept for 7 days.`}
    >
      <Group gap="sm">
        <Button onClick={() => void run.start(order)}>Resume</Button>
        <Button variant="default" onClick={run.withdraw} loading={run.isWithdrawing}>
          Delete uploaded rows
        </Button>
      </Group>
    </SectionCard>
  )
}

/** Another tab is uploading. This one only shows its progress. */
export function OtherTabCard({ run }: { run: RunElsewhere | undefined }) {
  const title = run?.dryRun
    ? 'A file is being checked in another tab'
    : 'A file is being uploaded in another tab'
  return (
    <SectionCard title={title} busy>
      {run && (
        <>
          <Progress
            value={Math.floor((run.rows / Math.max(1, run.records)) * 100)}
            color="sea"
            size="lg"
            aria-label={run.fileName}
          />
          <Text>
            {run.fileName}: {formatCount(run.rows)} of {rowsInWords(run.records)}
            {run.paused && ', paused'}
          </Text>
          <WaitingFor waitsFor={run.waitsFor} />
        </>
      )}
      <Text size="sm" className="second">
        If you close that tab early, this one takes over.
      </Text>
    </SectionCard>
  )
}

type RunFailureProps = { failed: Extract<RunState, { step: 'failed' }>; run: ImportRun }

export function RunFailure({ failed, run }: RunFailureProps) {
  const { error, order, progress } = failed
  const sentence = importSentence(error, order.dryRun ? 'Validation failed' : 'Staging failed')
  if (needsOnboarding(error)) {
    return (
      <Alert color="warning" variant="light" role="alert">
        {sentence}
      </Alert>
    )
  }
  return (
    <Alert color="bad" variant="light" role="alert" title={sentence}>
      <Stack gap="sm">
        {reasonOf(error)}
        {!order.dryRun && progress.rows > 0 && (
          <Text>
            {formatCount(progress.rows)} of {rowsInWords(order.file.records)} uploaded. No listing was
            changed.
          </Text>
        )}
        <Chunks chunks={progress.chunks} dryRun={order.dryRun} />
        <Group gap="sm">
          {sentence === proOnly ? (
            <Button component={Link} to={paths.onboarding}>
              Upgrade to Pro
            </Button>
          ) : (
            <>
              <Button variant="default" onClick={() => void run.start(order)}>
                {progress.rows > 0 ? 'Resume' : 'Try again'}
              </Button>
              {!order.dryRun && progress.rows > 0 && (
                <Button variant="subtle" color="gray" onClick={run.withdraw} loading={run.isWithdrawing}>
                  Delete uploaded rows
                </Button>
              )}
            </>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}

function reasonOf(error: unknown) {
  if (error instanceof NetworkError) return <Text>The server did not respond. Check your connection.</Text>
  if (error instanceof FileProblem) return <Text>{error.message}</Text>
  if (error instanceof DOMException) return <Text>The file has changed or was moved. Choose it again.</Text>
  return error instanceof ApiError ? null : <Text>The server sent an unexpected response.</Text>
}

/** Never 100 while running. The total includes rows that the user left out. */
export const percentSent = ({ file }: RunOrder, { rows }: RunProgress): number =>
  Math.min(99, Math.floor((rows / Math.max(1, file.records)) * 100))

type UploadCardProps = { sending: Extract<RunState, { step: 'sending' }>; run: ImportRun }

export function UploadCard({ sending: { order, progress }, run }: UploadCardProps) {
  const { file, dryRun } = order
  const { rows, chunks, atMs, isKept, paused, waitsFor } = progress
  const doing = dryRun ? 'Checking your rows' : 'Uploading your rows'
  const heading = useRef<HTMLHeadingElement>(null)
  // The clicked button is gone, so keyboard users continue from here.
  useEffect(() => heading.current?.focus(), [])
  return (
    <Card component="section" aria-label={doing}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h3" ref={heading} tabIndex={-1}>
            {paused ? 'Paused' : `${doing}…`}
          </Title>
          <Group gap="sm">
            <Button variant="default" onClick={() => run.setPaused(!paused)}>
              {paused ? 'Resume' : 'Pause'}
            </Button>
            <Button variant="subtle" color="bad" onClick={run.stop}>
              Cancel
            </Button>
          </Group>
        </Group>
        <RateProgress
          label={doing}
          done={rows}
          total={file.records}
          percent={percentSent(order, progress)}
          inWords={rowsInWords}
          {...{ atMs, paused }}
        />
        {!paused && <WaitingFor waitsFor={waitsFor} />}
        <Chunks chunks={chunks} dryRun={dryRun} />
        <Text size="sm" className="second">
          {dryRun && 'This changes nothing. '}
          {isKept
            ? 'If you close this page or lose your connection, open it again to resume.'
            : 'Keep this page open until all rows are uploaded. If the connection drops, choose the same file again to resume.'}
        </Text>
      </Stack>
    </Card>
  )
}

function Chunks(props: { chunks: Uint8Array; dryRun: boolean }) {
  if (props.chunks.length < 2) return null
  return (
    <Details>
      <ChunkMap {...props} />
    </Details>
  )
}

function WaitingFor({ waitsFor }: { waitsFor: WaitsFor }) {
  if (waitsFor === 'nobody') return null
  return (
    <Text c="warning" role="status">
      {waitingWords(waitsFor)}
    </Text>
  )
}

function waitingWords(waitsFor: WaitsFor): string {
  if (waitsFor === 'server') return 'The server is busy or not responding. Trying again…'
  return navigator.onLine
    ? 'The connection was lost. Trying again…'
    : 'You are offline. The upload resumes as soon as you are back online.'
}
