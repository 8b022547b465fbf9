import { useMutation } from '@tanstack/react-query'
import { saveFile } from '#web/components/save-file.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from './failure-words.ts'

type Wanted = { name: string; read: () => Promise<Blob> }

/** Fetches a file with the person's token, which a plain link would not carry, and hands it to the downloads. */
export function useDownload() {
  return useMutation({
    mutationFn: async ({ name, read }: Wanted) => saveFile(await read(), name),
    onError: (error, { name }) => notifyProblem(failureWords(error, `Failed to download ${name}`)),
  })
}
