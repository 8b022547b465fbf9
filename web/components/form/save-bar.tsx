import { Button, Group, Text, Transition } from '@mantine/core'
import classes from './save-bar.module.css'

type SaveBarProps = {
  /** Shown while there is something to save. */
  changed: boolean
  saving?: boolean
  message?: string
  saveLabel?: string
  /** Without it the save button is a submit button of the form around. */
  onSave?: () => void
  discardLabel?: string
  /** Without it there is nothing to discard yet. */
  onDiscard?: (() => void) | undefined
}

/** Stays at the bottom of the window while a form holds what is not saved yet. */
export function SaveBar({
  changed,
  saving = false,
  message = 'Unsaved changes',
  saveLabel = 'Save Changes',
  onSave,
  discardLabel = 'Discard',
  onDiscard,
}: SaveBarProps) {
  return (
    <Transition mounted={changed || saving} transition="slide-up" duration={150}>
      {(style) => (
        <section className={classes.bar} style={style} aria-label={saveLabel}>
          <Text fw={600} role="status">
            {message}
          </Text>
          <Group gap="sm">
            {onDiscard && (
              <Button variant="default" onClick={onDiscard} disabled={saving}>
                {discardLabel}
              </Button>
            )}
            <Button
              type={onSave ? 'button' : 'submit'}
              loading={saving}
              {...(onSave ? { onClick: onSave } : {})}
            >
              {saveLabel}
            </Button>
          </Group>
        </section>
      )}
    </Transition>
  )
}
