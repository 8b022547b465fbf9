import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'

type Question = {
  title: string
  text?: ReactNode
  /** Verb and noun: "Delete listing". */
  confirm: string
  cancel?: string
  /** Draws the button as one that destroys. */
  destroys?: boolean
}

/** Asks before something that is hard to take back. True only after the confirming button; Escape is a no. */
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
      children: text === undefined ? undefined : <Text>{text}</Text>,
      labels: { confirm, cancel },
      confirmProps: { color: destroys ? 'bad' : 'rust' },
      cancelProps: { 'data-autofocus': true },
      onConfirm: () => answer(true),
      // After a confirmation this does nothing: a promise is answered once.
      onClose: () => answer(false),
    })
  })
}
