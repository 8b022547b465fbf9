import { askToConfirm } from '#web/components/confirm.tsx'

/** Goes on at once, or asks first where unsaved changes would be lost. */
export async function withoutLosing(changed: boolean, goOn: () => void): Promise<void> {
  const sure =
    !changed ||
    (await askToConfirm({
      title: 'Discard unsaved changes?',
      text: 'What you changed in this file is not saved yet.',
      confirm: 'Discard changes',
      cancel: 'Keep editing',
      destroys: true,
    }))
  if (sure) goOn()
}
