import { Alert, Button, Group, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing, ListingBody } from '#contract/listings.ts'
import { useSingleRun } from '#web/components/form/use-single-run.ts'
import { ButtonLink } from '#web/components/links.tsx'
import { momentWords } from '#web/components/time-words.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'

/** What someone else did to the listing while it was being edited. */
export type Clash = { kind: 'changed'; who: ErrorReply['changed'] } | { kind: 'deleted' }

type ClashNoticeProps = {
  clash: Clash
  listingId: string
  editor: ListingEditor
  /** Continues with the current listing, with or without the user's edits. */
  onResolve: (current: Listing, keepTyped: boolean) => void
}

const titles = {
  changed: 'This listing was changed since you opened it',
  deleted: 'This listing was deleted',
}

function textOf(clash: Clash, canRestore: boolean): string {
  if (clash.kind === 'changed') {
    const who = clash.who ? `It was changed by ${clash.who.by} on ${momentWords(clash.who.at)}. ` : ''
    return `${who}Nothing was saved. Your edits are still here.`
  }
  if (canRestore) return 'Your edits are still here. Restore the listing to save them.'
  return 'Your edits are still here, so you can copy them. Only the seller can restore the listing.'
}

export function ClashNotice({ clash, listingId, editor, onResolve }: ClashNoticeProps) {
  const [running, run] = useSingleRun()
  const notice = useRef<HTMLDivElement>(null)
  // The Save button is at the other end of a long form.
  useEffect(() => {
    notice.current?.focus({ preventScroll: true })
    notice.current?.scrollIntoView({ block: 'center' })
  }, [])

  const { restore } = editor
  const load = (work: () => Promise<void>, failed: string) =>
    run(() => work().catch((error: unknown) => notifyError(error, failed)))
  const reload = (keepTyped: boolean) =>
    load(
      async () => onResolve(await editor.read(listingId), keepTyped),
      'The listing could not be loaded. Please try again.',
    )
  const undelete = (restoring: NonNullable<ListingEditor['restore']>) =>
    load(async () => {
      onResolve(await restoring(listingId), true)
      notifyDone('Listing restored')
    }, 'The listing could not be restored. Please try again.')

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
          <Button onClick={() => void undelete(restore)} loading={running}>
            Restore listing
          </Button>
        )}
        {clash.kind === 'deleted' && !restore && (
          <ButtonLink to={editor.listPath} variant="default">
            Go to the list
          </ButtonLink>
        )}
        {clash.kind === 'changed' && (
          <>
            <Button onClick={() => void reload(true)} loading={running}>
              Keep my changes
            </Button>
            <Button variant="default" onClick={() => void reload(false)} disabled={running}>
              Load current values
            </Button>
          </>
        )}
      </Group>
    </Alert>
  )
}

/** What the editor (the listing's seller or an admin) may do with it. */
export type ListingEditor = {
  own: boolean
  /** Where saving leads. */
  listPath: string
  read: (id: string) => Promise<Listing>
  save: (id: string, body: ListingBody & { status?: Listing['status'] }) => Promise<Listing>
  /** Undoes a deletion, if the editor may. */
  restore?: (id: string) => Promise<Listing>
  maySetStatus?: boolean
  mayMoveAddress?: boolean
}
