import { Button, Group, Text, Transition } from '@mantine/core'
import classes from './save-bar.module.css'

type SaveBarProps = {
  /** Whether there is something to save; the bar is hidden otherwise. */
  changed: boolean
  saving?: boolean
  message?: string
  saveLabel?: string
  /** Without it, the button submits the surrounding form. */
  onSave?: () => void
  discardLabel?: string
  /** Without it, there is no discard button. */
  onDiscard?: (() => void) | undefined
}

/** Stays at the bottom of the window while a form has unsaved changes. */
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
