import { Kbd, Modal, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Kbd.layer.css'
import { shortcuts } from './grid-keys.ts'
import classes from './grid-toolbar.module.css'

type ShortcutSheetProps = { opened: boolean; onClose: () => void }

/** What the keys do. */
export function ShortcutSheet({ opened, onClose }: ShortcutSheetProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size="60rem">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        {shortcuts.map(({ group, keys }) => (
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
      <Text className="second" size="sm" mt="md">
        On a Mac, Cmd is Ctrl. While you write in a cell, the keys are those of a text field.
      </Text>
    </Modal>
  )
}
