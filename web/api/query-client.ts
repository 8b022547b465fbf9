import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './failures.ts'

/** A refusal stays a refusal; a broken connection or a busy server is asked twice more. */
function mayRetry(failures: number, error: unknown): boolean {
  const passing = !(error instanceof ApiError) || error.status >= 500
  return passing && failures < 2
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // The browser's own idea of being offline would hold a call back for ever, without a word.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      retry: mayRetry,
      retryDelay: (failures) => 500 * 2 ** failures,
      // Going back to a list shows it at once and asks again behind it.
      staleTime: 10_000,
    },
  },
})
