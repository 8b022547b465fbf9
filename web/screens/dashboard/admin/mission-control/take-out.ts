import { useMutation } from '@tanstack/react-query'
import { saveFile } from '#web/components/downloads.tsx'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from './run-feedback.tsx'

type Wanted = { name: string; read: () => Promise<Blob> }

/** Fetches a file with the person's token, which a plain link would not carry, and hands it to the downloads. */
export function useDownload() {
  return useMutation({
    mutationFn: async ({ name, read }: Wanted) => saveFile(await read(), name),
    onError: (error, { name }) => notifyProblem(failureWords(error, `Failed to download ${name}`)),
  })
}

/** Copies, and says so or what to do `instead`: browsers refuse it without https, and where a person has forbidden it. */
export async function copyText(text: string, said: { done: string; instead: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notifyDone(said.done)
  } catch {
    notifyProblem(`The browser did not let us copy. ${said.instead}`)
  }
}
