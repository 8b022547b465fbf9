import { Button, Group } from '@mantine/core'
import { type NotificationData, notifications, notificationsStore } from '@mantine/notifications'
import { useEffect, useRef } from 'react'
import { errorSentence } from '#web/api/failures.ts'

/** Given by the spec. */
const closeAfterMs = 5000

type Place = 'top-right' | 'top-center'

type ToastOptions = {
  /** The spec's place on My Listings and settings; elsewhere top-right. */
  place?: Place
  /** A follow-up such as Undo; `focus` moves the focus to it. */
  action?: { label: string; run: () => void; focus?: boolean }
  /** The subject: replaces the earlier message about the same subject. */
  about?: string
  closeAfterMs?: number
}

/** Hides the message about a subject, such as an error once a success is shown elsewhere on the page. */
export function clearToast(about: string): void {
  const id = lastAbout.get(about)
  if (id !== undefined) notifications.hide(id)
  lastAbout.delete(about)
}

/** A success, in a few words: "Product deleted". Errors without a subject leave: what failed before has now worked. */
export function notifyDone(message: string, options: ToastOptions = {}): void {
  for (const id of namelessErrors.splice(0)) notifications.hide(id)
  show(message, 'good', options)
}

/** Neither a success nor a failure. */
export function notifyInfo(message: string, options: ToastOptions = {}): void {
  show(message, 'sea', options)
}

/**
 * A failed call: shows the server's sentence, or `fallback` without one. Not for errors shown at a field: an error is
 * shown in one place.
 */
export function notifyError(error: unknown, fallback: string, options: ToastOptions = {}): void {
  show(errorSentence(error, fallback), 'bad', options)
}

/** A problem found in the browser, without a call. */
export function notifyProblem(message: string, options: ToastOptions = {}): void {
  show(message, 'bad', options)
}

const lastAbout = new Map<string, string>()
/** Ids of errors shown without a subject. */
const namelessErrors: string[] = []

function takePlace(id: string, about: string): void {
  const former = lastAbout.get(about)
  if (former !== undefined) notifications.hide(former)
  lastAbout.set(about, id)
}

/** Except in wide windows, the two places overlap: a new toast joins the visible ones so that none covers another. */
function freePlace(wanted: Place): NonNullable<NotificationData['position']> {
  const current = notificationsStore.getState().notifications.at(-1)?.position
  const apart = window.matchMedia('(width >= 85em)').matches
  return apart ? wanted : (current ?? wanted)
}

function show(message: string, color: 'good' | 'sea' | 'bad', options: ToastOptions): void {
  const id = crypto.getRandomValues(new Uint32Array(2)).join('-')
  if (options.about !== undefined) takePlace(id, options.about)
  else if (color === 'bad') namelessErrors.push(id)
  const autoClose = options.closeAfterMs ?? closeAfterMs
  const { action } = options
  notifications.show({
    id,
    color,
    autoClose,
    position: freePlace(options.place ?? 'top-right'),
    role: color === 'bad' ? 'alert' : 'status',
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close this message' },
    // Mantine stops the timer while hovering; keyboard focus stops it too.
    onFocus: () => notifications.update({ id, message: content(message, action, id), autoClose: false }),
    onBlur: () => notifications.update({ id, message: content(message, action, id), autoClose }),
    message: content(message, action, id),
  })
}

function content(message: string, action: ToastOptions['action'], id: string) {
  if (action === undefined) return message
  const run = () => {
    notifications.hide(id)
    action.run()
  }
  return (
    <Group justify="space-between" wrap="nowrap">
      <span>{message}</span>
      <ActionButton label={action.label} focus={action.focus ?? false} onClick={run} />
    </Group>
  )
}

function ActionButton({ label, focus, onClick }: { label: string; focus: boolean; onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focus) button.current?.focus()
  }, [focus])
  return (
    <Button ref={button} variant="subtle" size="compact-sm" style={{ flexShrink: 0 }} onClick={onClick}>
      {label}
    </Button>
  )
}
