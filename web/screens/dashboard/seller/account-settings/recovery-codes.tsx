import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { saveFile } from '#web/components/downloads.tsx'
import { notifyDone } from '#web/components/toasts.tsx'
import classes from './devices.module.css'

/** New recovery codes, shown only once. Only its button closes it, so that a stray click can't lose them. */
export function RecoveryCodes({ codes, onClose }: { codes: string[] | undefined; onClose: () => void }) {
  const text = (codes ?? []).join('\n')
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    notifyDone('Codes copied', { place: 'top-center', about: 'two-step' })
  }
  return (
    <Modal
      opened={codes !== undefined}
      onClose={onClose}
      title="Save your recovery codes"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="md">
        <Text>
          Each code signs you in once, if you lose your phone or passkey. Keep them where you will find them.
          They are not shown again.
        </Text>
        <pre className={classes.codes}>{text}</pre>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => void copy()}>
            Copy
          </Button>
          <Button
            variant="default"
            onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'recovery-codes.txt')}
          >
            Download
          </Button>
          <Button onClick={onClose}>I saved them</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
