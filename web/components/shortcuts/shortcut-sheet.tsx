import { Kbd, Modal, SimpleGrid, Stack, Title } from '@mantine/core'
import '@mantine/core/styles/Kbd.layer.css'
import type { ReactNode } from 'react'
import classes from './shortcut-sheet.module.css'

export type ShortcutGroup = {
  group: string
  keys: readonly (readonly [press: string, does: string])[]
}

type ShortcutSheetProps = {
  groups: readonly ShortcutGroup[]
  opened: boolean
  onClose: () => void
  /** A note below the list. */
  children?: ReactNode
}

export function ShortcutSheet({ groups, opened, onClose, children }: ShortcutSheetProps) {
  const isShort = groups.length === 1
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size={isShort ? '32rem' : '60rem'}>
      <SimpleGrid cols={{ base: 1, sm: isShort ? 1 : 2 }} spacing="lg" mb="md">
        {groups.map(({ group, keys }) => (
          <Stack key={group} gap="xs">
            <Title order={3} size="h4">
              {group}
            </Title>
            <dl className={classes.keys}>
              {keys.map(([press, does]) => (
                <div key={press}>
                  <dt>
                    <Kbd>{press}</Kbd>
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </Stack>
        ))}
      </SimpleGrid>
      {children}
    </Modal>
  )
}
