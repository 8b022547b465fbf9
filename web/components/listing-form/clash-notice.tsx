import { Alert, Button, Group, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing, ListingBody } from '#contract/listings.ts'
import { useSingleRun } from '#web/components/form/use-single-run.ts'
import { momentWords } from '#web/components/time-words.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'

/** What happened to the listing while it was being edited. */
export type Clash = { kind: 'changed'; who: ErrorReply['changed'] } | { kind: 'deleted' }

type ClashNoticeProps = {
  clash: Clash
  listingId: string
  editor: ListingEditor
  /** Goes on with the listing as it is now, with or without what was typed. */
  onGoOn: (current: Listing, keepTyped: boolean) => void
}

const titles = {
  changed: 'This listing was changed since you opened it',
  deleted: 'This listing was deleted',
}

function textOf(clash: Clash, canRestore: boolean): string {
  if (clash.kind === 'changed') {
    const who = clash.who ? `It was changed by ${clash.who.by} on ${momentWords(clash.who.at)}. ` : ''
    return `${who}Nothing was saved, and what you typed is still here.`
  }
  if (canRestore) return 'What you typed is still here. Restore the listing to save it.'
  return 'What you typed is still here, so that you can copy it. Only the seller can restore the listing.'
}

export function ClashNotice({ clash, listingId, editor, onGoOn }: ClashNoticeProps) {
  const [running, run] = useSingleRun()
  const notice = useRef<HTMLDivElement>(null)
  // The button that led here stands at the other end of a long form.
  useEffect(() => {
    notice.current?.focus({ preventScroll: true })
    notice.current?.scrollIntoView({ block: 'center' })
  }, [])

  const { restore } = editor
  const readAgain = (keepTyped: boolean) =>
    run(async () => {
      try {
        onGoOn(await editor.read(listingId), keepTyped)
      } catch (error) {
        notifyError(error, 'The listing could not be loaded. Please try again.')
      }
    })
  const takeBack = (restoring: NonNullable<ListingEditor['restore']>) =>
    run(async () => {
      try {
        onGoOn(await restoring(listingId), true)
        notifyDone('Listing restored')
      } catch (error) {
        notifyError(error, 'The listing could not be restored. Please try again.')
      }
    })

  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      role="alert"
      color="warning"
      radius="lg"
      mb="md"
      title={titles[clash.kind]}
    >
      <Text mb="sm">{textOf(clash, restore !== undefined)}</Text>
      <Group gap="sm">
        {clash.kind === 'deleted' && restore && (
          <Button onClick={() => void takeBack(restore)} loading={running}>
            Restore listing
          </Button>
        )}
        {clash.kind === 'deleted' && !restore && (
          <Button component={Link} to={editor.leadsTo} variant="default">
            Go to the list
          </Button>
        )}
        {clash.kind === 'changed' && (
          <>
            <Button onClick={() => void readAgain(true)} loading={running}>
              Keep my changes
            </Button>
            <Button variant="default" onClick={() => void readAgain(false)} disabled={running}>
              Load current values
            </Button>
          </>
        )}
      </Group>
    </Alert>
  )
}

/** Who edits a listing, and what they may do with it: its seller, or an admin. */
export type ListingEditor = {
  own: boolean
  /** The list that saving leads to. */
  leadsTo: string
  read: (id: string) => Promise<Listing>
  save: (
    id: string,
    body: ListingBody & { status?: Listing['status'] },
    picture: File | undefined,
  ) => Promise<Listing>
  /** Takes a deletion back; an editor without it cannot. */
  restore?: (id: string) => Promise<Listing>
  maySetStatus?: boolean
  mayMoveAddress?: boolean
}
