import { Alert, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { useEffect, useRef } from 'react'
import { MAX_PICTURES } from '#contract/listing/listing-rules.ts'
import { sendWaitingNow } from '#web/api/patience.ts'
import { useLeaveGuard } from '#web/components/form/leave-guard.ts'
import { PageDrop } from '#web/components/form/page-drop.tsx'
import { RateProgress } from '#web/components/imports/rate-progress.tsx'
import { ButtonLink } from '#web/components/links.tsx'
import { SellerListingNav } from '#web/components/listing-nav.tsx'
import { chosenFiles, droppedFiles, type PickedFile } from '#web/components/listing-picture/picked-files.ts'
import { Page, Trail } from '#web/components/page/page.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { paths } from '#web/paths.ts'
import { BatchTable } from './batch-table.tsx'
import { type PictureBatch, picturesInWords, tally, usePictureBatch } from './picture-batch.ts'

const name = 'Add Pictures'

const leaving = {
  title: 'Leave before all pictures are added?',
  text: 'Pictures that are not uploaded yet will not be added. Drop the same files here again to continue. No picture is added twice.',
  confirm: 'Leave page',
}

export function Component() {
  const batch = usePictureBatch()
  const { rows, reading, ready, isRunning, uploads } = batch
  useLeaveGuard(isRunning || ready.length > 0, leaving)
  const percent = Math.floor(tally(uploads).share * 100)
  const isReading = reading.step !== 'idle'
  const add = (files: Promise<PickedFile[]>) => void batch.add(files)
  return (
    <Page
      title={isRunning ? `${percent}% · ${name}` : name}
      heading={name}
      lead="Drop a folder or a ZIP of pictures named by stock number. Each finds its part."
    >
      <SellerListingNav />
      <Trail
        links={[
          { to: paths.home, label: 'Home' },
          { to: paths.myListings, label: 'My Listings' },
        ]}
        here={name}
      />
      <Stack gap="md">
        {batch.problem !== undefined && (
          <Alert color="bad" role="alert">
            {batch.problem}
          </Alert>
        )}
        {isReading && <ReadingCard reading={reading} />}
        {!isReading && rows.length === 0 && <ChooseCard onChoose={add} />}
        {!isReading && rows.length > 0 && (
          <>
            <BatchCard batch={batch} onChoose={add} />
            <BatchTable batch={batch} />
          </>
        )}
      </Stack>
      <PageDrop
        onDrop={(data) => add(droppedFiles(data))}
        isOpen={() => !isReading}
        words="Drop your pictures anywhere"
      />
    </Page>
  )
}

type ChooseProps = { onChoose: (files: Promise<PickedFile[]>) => void }

function ChooseCard({ onChoose }: ChooseProps) {
  return (
    <SectionCard
      title="Which pictures?"
      lead="Drop a folder, a ZIP or any number of pictures anywhere on this page."
    >
      <ChooseButtons onChoose={onChoose} />
      <div>
        <Text fw={600}>How a picture finds its part</Text>
        <ul>
          <li>
            By the stock number at the beginning of its name: <code>A-1042.jpg</code>,{' '}
            <code>A-1042_2.jpg</code>, <code>A-1042 left side.jpg</code>
          </li>
          <li>
            Or by a folder or ZIP named after the stock number: <code>A-1042/IMG_0001.jpg</code>
          </li>
        </ul>
        <Text className="second">
          Pictures are added in the order of their names, after the ones the part already has. A part can have
          up to {MAX_PICTURES}. You see which picture goes where before anything is uploaded.
        </Text>
      </div>
    </SectionCard>
  )
}

// Mantine's and React's types do not know it.
const wholeFolder = { webkitdirectory: '', multiple: true }

function ChooseButtons({ onChoose, isMore = false }: ChooseProps & { isMore?: boolean }) {
  const take = (files: File[]) => onChoose(Promise.resolve(chosenFiles(files)))
  return (
    <Group gap="sm">
      <FileButton multiple onChange={take} inputProps={wholeFolder}>
        {({ onClick }) => (
          <Button onClick={onClick} variant={isMore ? 'default' : 'filled'}>
            {isMore ? 'Add a folder' : 'Choose a folder'}
          </Button>
        )}
      </FileButton>
      <FileButton multiple accept="image/*,.zip,application/zip" onChange={take}>
        {({ onClick }) => (
          <Button onClick={onClick} variant="default">
            {isMore ? 'Add pictures or a ZIP' : 'Choose pictures or a ZIP'}
          </Button>
        )}
      </FileButton>
    </Group>
  )
}

function ReadingCard({ reading }: { reading: PictureBatch['reading'] }) {
  const isMatching = reading.step === 'matching'
  return (
    <SectionCard title={isMatching ? 'Finding the parts…' : 'Reading the files…'} busy>
      {isMatching && (
        <Progress
          value={(reading.done / Math.max(1, reading.total)) * 100}
          color="sea"
          aria-label={`Finding the parts of ${picturesInWords(reading.total)}`}
        />
      )}
    </SectionCard>
  )
}

/** What will be uploaded, is being uploaded, or was. */
function BatchCard({ batch, onChoose }: { batch: PictureBatch } & ChooseProps) {
  const { ready, uploads, isRunning } = batch
  const { done, failed, parts } = tally(uploads)
  const partsReady = new Set(ready.map(({ listingId }) => listingId)).size
  const heading = useRef<HTMLDivElement>(null)
  const isOver = uploads.length > 0 && !isRunning
  // The pressed button is gone.
  useEffect(() => {
    if (isRunning || isOver) heading.current?.focus()
  }, [isRunning, isOver])
  const left = leftOut(batch)
  return (
    <SectionCard title={titleOf(batch)} ref={heading} tabIndex={-1}>
      {isRunning && <Running batch={batch} />}
      {isOver && (
        <Text role="status">
          {picturesInWords(done)} added to {partsInWords(parts)}.
          {failed > 0 && ` ${picturesInWords(failed)} failed; see why below.`}
        </Text>
      )}
      {ready.length > 0 && (
        <Text>
          {picturesInWords(ready.length)} for {partsInWords(partsReady)}.
        </Text>
      )}
      {left.length > 0 && <Text className="second">Left out: {left.join(', ')}.</Text>}
      <BatchActions batch={batch} failed={failed} onChoose={onChoose} />
    </SectionCard>
  )
}

const partsInWords = (count: number) => (count === 1 ? '1 part' : `${count.toLocaleString('en-US')} parts`)

function leftOut({ rows, others, addedBefore }: PictureBatch): string[] {
  const toChoose = rows.filter(({ match, listingId }) => match.listings.length > 1 && !listingId).length
  const without = rows.filter(({ match }) => match.listings.length === 0).length
  const words = [
    [addedBefore.length, `${addedBefore.length.toLocaleString('en-US')} added before`],
    [toChoose, `${toChoose} with several parts to choose from`],
    [without, `${without} without a part`],
    [others, others === 1 ? '1 file that isn’t a picture' : `${others} files that aren’t pictures`],
  ] as const
  return words.flatMap(([count, text]) => (count > 0 ? [text] : []))
}

type BatchActionsProps = { batch: PictureBatch; failed: number } & ChooseProps

function BatchActions({ batch, failed, onChoose }: BatchActionsProps) {
  const { ready, uploads, isRunning, paused } = batch
  const again = failed > 0 && (
    <Button variant="default" onClick={() => batch.retry()}>
      Try again: {picturesInWords(failed)}
    </Button>
  )
  const start = ready.length > 0 && (
    <Button onClick={batch.start}>Upload {picturesInWords(ready.length)}</Button>
  )
  if (isRunning) {
    return (
      <Group gap="sm">
        {start}
        <Button variant="default" onClick={() => batch.setPaused(!paused)}>
          {paused ? 'Resume' : 'Pause'}
        </Button>
        {again}
      </Group>
    )
  }
  return (
    <Group gap="sm">
      {start}
      {again}
      <ChooseButtons onChoose={onChoose} isMore />
      <Button variant="subtle" color="gray" onClick={batch.clear}>
        Start over
      </Button>
      {uploads.length > 0 && (
        <ButtonLink variant="subtle" to={paths.myListings}>
          My Listings
        </ButtonLink>
      )}
    </Group>
  )
}

function titleOf({ rows, ready, uploads, isRunning, paused, addedBefore }: PictureBatch): string {
  if (isRunning) return paused ? 'Paused' : 'Uploading your pictures…'
  if (ready.length > 0) return 'Ready to upload'
  if (uploads.length > 0) return 'Done'
  if (addedBefore.length > 0) return 'Nothing left to upload'
  return rows.some(({ match }) => match.listings.length > 1) ? 'Choose the parts' : 'No matching parts'
}

function Running({ batch: { uploads, paused } }: { batch: PictureBatch }) {
  const { done, failed, share } = tally(uploads)
  const waitsFor = uploads.flatMap(({ state }) => (state.step === 'sending' ? [state.waitsFor] : []))
  const isWaiting = waitsFor.length > 0 && waitsFor.every((each) => each !== 'nobody')
  return (
    <>
      <RateProgress
        label="Uploading your pictures"
        done={done + failed}
        total={uploads.length}
        percent={share * 100}
        atMs={Date.now()}
        inWords={picturesInWords}
        paused={paused}
      />
      {isWaiting && (
        <Group gap="sm">
          <Text c="warning" role="status">
            {waitsFor.includes('network')
              ? 'No connection. The upload resumes as soon as you are back online.'
              : 'The server is busy. Trying again…'}
          </Text>
          <Button size="compact-sm" variant="default" onClick={sendWaitingNow}>
            Try again
          </Button>
        </Group>
      )}
    </>
  )
}
