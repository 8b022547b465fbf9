import { Button, Group, Text } from '@mantine/core'
import { failureWords } from './failure-words.ts'

type QuietRetryProps = {
  query: { error: unknown; isFetching: boolean; refetch: () => Promise<unknown> }
  /** What is said where the server sent no sentence. */
  fallback: string
}

/** What could not be loaded says so where it stands, without a toast. */
export function QuietRetry({ query: { error, isFetching, refetch }, fallback }: QuietRetryProps) {
  return (
    <Group gap="sm" role="status" py="xs">
      <Text className="second">{failureWords(error, fallback)}</Text>
      <Button variant="default" size="xs" onClick={() => void refetch()} loading={isFetching}>
        Retry
      </Button>
    </Group>
  )
}
