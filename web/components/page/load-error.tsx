import { Alert, Button, Group, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

type LoadErrorProps = {
  /** What could not be loaded, as a sentence. */
  message: string
  onRetry: () => void
  retrying?: boolean
}

/** Replaces content that could not be loaded, with a retry button. */
export function LoadError({ message, onRetry, retrying = false }: LoadErrorProps) {
  return (
    <Alert color="bad" variant="light" radius="lg" role="alert">
      <Group justify="space-between">
        <Text>{message}</Text>
        <Button variant="default" onClick={onRetry} loading={retrying}>
          Try again
        </Button>
      </Group>
    </Alert>
  )
}

/** The same for a query, with its own retry. */
export function QueryError({ message, query }: { message: string; query: UseQueryResult }) {
  return <LoadError message={message} onRetry={() => void query.refetch()} retrying={query.isFetching} />
}

type LoadedProps<Data> = {
  query: UseQueryResult<Data>
  /** The error message if there is nothing to show. */
  failure: string
  waiting: ReactNode
  /** Without it, the caller shows the data. */
  children?: (data: Data) => ReactNode
}

/** A query's data, its placeholder or its error. Loaded data stays visible if only a refresh failed. */
export function Loaded<Data>({ query, failure, waiting, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children?.(query.data)
  if (!query.isError) return waiting
  return <QueryError message={failure} query={query} />
}
