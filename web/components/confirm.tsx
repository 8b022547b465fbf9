import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'

type Question = {
  title: string
  text?: ReactNode
  /** Verb and noun: "Delete listing". */
  confirm: string
  cancel?: string
  /** Shows the button as destructive. */
  destroys?: boolean
}

/** Asks before something that is hard to undo. Resolves to true only after the confirm button; Escape means no. */
export function askToConfirm({
  title,
  text,
  confirm,
  cancel = 'Cancel',
  destroys = false,
}: Question): Promise<boolean> {
  return new Promise((answer) => {
    modals.openConfirmModal({
      title,
      children: text === undefined ? undefined : <Text component="div">{text}</Text>,
      labels: { confirm, cancel },
      confirmProps: { color: destroys ? 'bad' : 'rust' },
      cancelProps: { 'data-autofocus': true },
      onConfirm: () => answer(true),
      // Also runs after a confirmation, where it has no effect: the promise is already resolved.
      onClose: () => answer(false),
    })
  })
}
