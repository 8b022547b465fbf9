import { useMutation } from '@tanstack/react-query'
import { accountEndpoints } from '#contract/accounts.ts'
import { type CallOptions, call } from '#web/api/client.ts'
import { type AccountCopy, keepOnDevice } from '#web/api/device-copies.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { keepUser } from '#web/api/keep-user.ts'
import { currentSession } from '#web/api/session.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'

type Changes = CallOptions<typeof accountEndpoints.updateProfile>['body']
type Saving = {
  changes: Changes
  /** The spec's toast. */
  done: string
  failed: string
  /** Which part of the changes is kept on the device too. */
  copy?: AccountCopy[]
}

/** Saves a card of the settings to the account. `problems` names the fields that the server refused. */
export function useSaveSettings() {
  const saving = useMutation({
    mutationFn: ({ changes }: Saving) => call(accountEndpoints.updateProfile, { body: changes }),
    onSuccess: async (user, { changes, copy = [], done }) => {
      await keepUser(user)
      // Signed out meanwhile, the copies are gone for whoever comes next to this computer.
      if (currentSession().user?.id !== user.id) return
      // Not before the account has them: the device would show as saved what a failure kept from the account.
      for (const key of copy) keepOnDevice(key, changes[key] ?? {})
      notifyDone(done, { place: 'top-center' })
    },
    onError: (error, { failed }) => notifyError(error, failed, { place: 'top-center', about: failed }),
  })
  return { save: saving.mutateAsync, saving: saving.isPending, problems: fieldProblems(saving.error) }
}
