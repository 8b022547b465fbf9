import { Anchor, Button, Card, Group, List, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { IMPORT_ROOT, type ImportRecord } from '#contract/imports.ts'
import { useSession } from '#web/api/session.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { momentWords } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import { RejectedRowsButton, rejectedCount, useConfirm } from './import-actions.tsx'
import classes from './import-body.module.css'
import { ImportPlan } from './import-plan.tsx'
import { formatCount, listingsInWords, rowsInWords, stateWords } from './import-words.ts'
import { ImportQuestions } from './name-questions.tsx'
import { RateProgress } from './rate-progress.tsx'
import { Receipt } from './receipt.tsx'

type ImportBodyProps = { record: ImportRecord; seenAtMs: number }

/** An import's stages, current state, rejected rows and staged files. Used on its page and in the wizard. */
export function ImportBody({ record, seenAtMs }: ImportBodyProps) {
  return (
    <>
      {/* Announces a state change once. The progress card announces every 10%. */}
      <VisuallyHidden role="status">This import: {stateWords(record).label}</VisuallyHidden>
      <ImportStages record={record} />
      <ImportState record={record} seenAtMs={seenAtMs} />
      <ImportQuestions record={record} />
      {rejectedCount(record) > 0 && <RejectedRows record={record} />}
      <StagedCard record={record} />
    </>
  )
}

const stages = ['Uploaded', 'Compared', 'Live'] as const
/** The number of completed stages in each state. */
const stageOf: Record<ImportRecord['state'], number> = {
  receiving: 0,
  abandoned: 0,
  withdrawn: 0,
  staged: 1,
  planning: 1,
  planned: 2,
  review: 2,
  applying: 2,
  failed: 2,
  applied: 3,
  undoing: 3,
  undone: 3,
}

function ImportStages({ record }: { record: ImportRecord }) {
  const undone = record.state === 'undone'
  const all = undone || record.state === 'undoing' ? [...stages, 'Undone'] : stages
  const reached = undone ? all.length : stageOf[record.state]
  return (
    <ol className={classes.stages} aria-label="Import stages">
      {all.map((stage, place) => (
        <li
          key={stage}
          data-done={place < reached || undefined}
          aria-current={place === reached ? 'step' : undefined}
        >
          <span className={classes.mark} aria-hidden>
            {place < reached && <IconCheck size={14} stroke={3} />}
          </span>
          {stage}
        </li>
      ))}
    </ol>
  )
}

function ImportState({ record, seenAtMs }: ImportBodyProps) {
  switch (record.state) {
    case 'receiving':
      return <Incomplete record={record} />
    case 'abandoned':
      return (
        <SectionCard title="This import expired">
          <Text>
            Not all rows were uploaded within 7 days. No listing was changed. Import the file again.
          </Text>
        </SectionCard>
      )
    case 'withdrawn':
      return (
        <SectionCard title="You canceled this import">
          <Text>
            Nothing went live and no listing was changed. To import the file after all, choose it again.
          </Text>
        </SectionCard>
      )
    case 'staged':
    case 'planning':
      return (
        <SectionCard title="Working out what will change…" busy>
          <Text className="second">
            We are comparing your rows with your listings. Nothing has changed yet. You can leave this page.
          </Text>
        </SectionCard>
      )
    case 'planned':
      return (
        <SectionCard title="Your import is waiting for approval">
          <Text>
            An administrator will review it before it goes live. There is nothing for you to do; after
            approval it continues automatically.
          </Text>
          <ImportPlan record={record} />
        </SectionCard>
      )
    case 'review':
      return <Question record={record} />
    case 'applying':
    case 'undoing':
      if (record.rest) return <WaitingRest record={record} rest={record.rest} />
      return <ImportProgress record={record} seenAtMs={seenAtMs} />
    case 'applied':
    case 'undone':
      return <Receipt record={record} />
    case 'failed':
      return (
        <SectionCard title="This import failed">
          <Text>{record.error ?? 'Something went wrong on our side.'}</Text>
          <Text className="second">
            {record.canUndo
              ? 'Part of it is live. Click “Undo this import”, then import the file again.'
              : 'No listing was changed. Import the file again. If it fails again, ask technical support.'}
          </Text>
          <Button component={Link} to={paths.support} variant="default" style={{ alignSelf: 'flex-start' }}>
            Ask technical support
          </Button>
        </SectionCard>
      )
  }
}

function Incomplete({ record }: { record: ImportRecord }) {
  const { received, chunkCount, missingChunks, fileName } = record
  const [first] = missingChunks
  return (
    <SectionCard title="The rest of the file is still missing">
      <Text>
        {formatCount(received)} of {formatCount(chunkCount)} chunks uploaded
        {first !== undefined && `; chunk ${formatCount(first + 1)} is next`}. No listing was changed.
      </Text>
      <Text className="second">
        In the same browser, Bulk Import resumes where it stopped. In another browser, choose{' '}
        {fileName || 'the same file'} again with the same columns and values. An incomplete import expires
        after 7 days.
      </Text>
      <Group>
        <Button component={Link} to={paths.createBulkListing}>
          Open Bulk Import
        </Button>
      </Group>
    </SectionCard>
  )
}

/** Listings going live or being undone: how many, how fast, how long it will take. */
function ImportProgress({ record, seenAtMs }: ImportBodyProps) {
  const undoing = record.state === 'undoing'
  const title = undoing ? 'Undoing the import' : 'Your listings are going live'
  const { done, total } = record.progress ?? { done: 0, total: 0 }
  const percent = total === 0 ? 0 : Math.floor((done / total) * 100)
  return (
    <SectionCard title={`${title}…`} busy>
      <RateProgress label={title} {...{ done, total, percent }} atMs={seenAtMs} inWords={listingsInWords} />
      <Text size="sm" className="second">
        {undoing
          ? 'You can leave this page. The undo will continue.'
          : 'Buyers see each listing as soon as it is live. You can leave this page.'}
      </Text>
      {!undoing && <ImportPlan record={record} figuresOnly />}
    </SectionCard>
  )
}

type WaitingRestProps = { record: ImportRecord; rest: NonNullable<ImportRecord['rest']> }

/** The first parts of a new seller are live; the rest goes live later, or waits for an administrator. */
function WaitingRest({ record, rest: { changes, liveAt, heldAt } }: WaitingRestProps) {
  const done = record.progress?.done ?? 0
  return (
    <SectionCard title={heldAt ? 'The rest of your import is on hold' : 'Your first parts are live'}>
      <Text>
        {listingsInWords(done)} {done === 1 ? 'is' : 'are'} live.{' '}
        {heldAt ? (
          `Several buyers reported your listings, so the other ${formatCount(changes)} wait until an administrator reviews them. Without a decision they go live ${momentWords(liveAt)}.`
        ) : (
          <>
            As this is your first import, the other {formatCount(changes)} go live at{' '}
            <time dateTime={liveAt}>{timeOfDay(liveAt)}</time> unless buyers report your listings.
          </>
        )}
      </Text>
      <Text className="second">
        {heldAt
          ? 'You will get an email when they are live. If the file was wrong, undo this import and send a corrected one.'
          : 'There is nothing for you to do. You will get an email with the receipt.'}
      </Text>
      <ImportPlan record={record} figuresOnly />
    </SectionCard>
  )
}

const timeOfDay = (at: string): string =>
  new Date(at).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })

/** The plan needs a confirmation: from the seller, or from an administrator if the seller's imports are reviewed. */
function Question({ record }: { record: ImportRecord }) {
  const { plan, review, canConfirm } = record
  const { mutate: confirm, isPending } = useConfirm(record.id)

  async function ask(): Promise<void> {
    if (!plan) return
    const sure = await askToConfirm(
      review.some(({ code }) => code === 'endings')
        ? {
            title: `End ${listingsInWords(plan.ended)}?`,
            text: 'They are no longer in your file and will be taken down. You can undo the import for 30 days.',
            confirm: `End ${listingsInWords(plan.ended)} and import`,
            destroys: true,
          }
        : {
            title: 'Add these new names?',
            text: 'Buyers will see them as categories, makes, and models. Check the spelling. You can undo the import for 30 days.',
            confirm: 'Add the names and import',
          },
    )
    if (sure) confirm(plan.id)
  }
  return (
    <SectionCard title={canConfirm ? 'Is this what you want?' : 'An administrator has to review this import'}>
      <List>
        {review.map(({ code, message }) => (
          <List.Item key={code}>{message}</List.Item>
        ))}
      </List>
      <ImportPlan record={record} />
      {canConfirm ? (
        <Group gap="md">
          <Button onClick={() => void ask()} loading={isPending}>
            Continue as planned
          </Button>
          <Text className="second">Nothing changes until you confirm.</Text>
        </Group>
      ) : (
        <Text className="second">Nothing changes until then. There is nothing for you to do.</Text>
      )}
    </SectionCard>
  )
}

const inMissionControl = (path: string): string =>
  `${paths.missionControl}?${new URLSearchParams({ view: 'preprocess', root: IMPORT_ROOT, path })}`

/** The staged row counts and files. */
function StagedCard({ record }: { record: ImportRecord }) {
  const isAdmin = useSession().user?.role === 1
  const { total, rejected, files } = record
  if (!files) return null
  const file = (path: string) =>
    isAdmin ? (
      <Anchor component={Link} to={inMissionControl(path)}>
        {path}
      </Anchor>
    ) : (
      <code>{path}</code>
    )
  return (
    <Card component="section" aria-label="Details">
      <details>
        <summary>Details</summary>
        <Stack gap="md" align="flex-start" mt="md">
          <dl className={classes.facts}>
            <dt>Rows</dt>
            <dd>{formatCount(total ?? 0)}</dd>
            <dt>Rejected</dt>
            <dd>{formatCount(rejected ?? 0)}</dd>
            <dt>JSON</dt>
            <dd>{file(files.json)}</dd>
            <dt>CSV</dt>
            <dd>{file(files.csv)}</dd>
            <dt>Staging reference</dt>
            <dd>
              <code>{`${IMPORT_ROOT}:${files.json}`}</code>
            </dd>
          </dl>
          {isAdmin && (
            <Button component={Link} to={inMissionControl(files.json)} variant="default">
              Open in Mission Control
            </Button>
          )}
        </Stack>
      </details>
    </Card>
  )
}

/** Rows that were not imported, as a file to correct and import again. */
function RejectedRows({ record }: { record: ImportRecord }) {
  const count = rejectedCount(record)
  return (
    <SectionCard title={`${rowsInWords(count)} ${count === 1 ? 'was' : 'were'} left out`}>
      <Text>
        The file contains these rows as you sent them, with the problem in each. Fix them and import that
        file. Its columns are already matched.
      </Text>
      <Group>
        <RejectedRowsButton record={record}>
          Download {count === 1 ? 'the row' : 'the rows'} (.csv)
        </RejectedRowsButton>
      </Group>
    </SectionCard>
  )
}
