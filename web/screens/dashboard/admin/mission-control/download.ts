import { useMutation } from '@tanstack/react-query'
import { saveFile } from '#web/components/save-file.ts'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from './run-feedback.tsx'

type Download = { name: string; read: () => Promise<Blob> }

/** Downloads a file with the user's token, which a plain link would not send. */
export function useDownload() {
  return useMutation({
    mutationFn: async ({ name, read }: Download) => saveFile(await read(), name),
    onError: (error, { name }) => notifyProblem(failureWords(error, `Failed to download ${name}`)),
  })
}

/** Copies text; browsers refuse that without https or permission: then shows what to do `instead`. */
export async function copyText(text: string, messages: { done: string; instead: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notifyDone(messages.done)
  } catch {
    notifyProblem(`The browser did not allow copying. ${messages.instead}`)
  }
}
