import { Button, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { ApiError } from '#web/api/failures.ts'
import { LoadError } from '#web/components/page/load-error.tsx'

/*
 * What the pages of links in our emails share. Mail scanners open links, so a page only shows what its link would do; the
 * button does it.
 */

export const isExpired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'LINK_EXPIRED'

type CheckedLinkProps<Found> = {
  token: string
  check: (token: string, signal: AbortSignal) => Promise<Found>
  /** Instead of the page, if the link was used or has expired. */
  dead: ReactNode
  children: (found: Found) => ReactNode
}

/** Checks a link first: a used one says so at once. */
export function CheckedLink<Found>({ token, check, dead, children }: CheckedLinkProps<Found>) {
  const query = useQuery({
    queryKey: ['emailed link', token],
    queryFn: ({ signal }) => check(token, signal),
    retry: false,
    // The button uses the link up; the page then shows the result of that.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (query.data !== undefined) return children(query.data)
  if (query.isPending) return <Skeleton height={150} role="status" aria-label="Checking the link…" />
  if (isExpired(query.error)) return dead
  return (
    <LoadError
      message="Could not check the link."
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  )
}

type LinkStepProps = {
  heading: string
  children: ReactNode
  action?: { label: string; run: () => void; loading: boolean; color?: 'bad' } | undefined
}

/** One state of the page: what the link would do with the button for it, or what it did. */
export function LinkStep({ heading, children, action }: LinkStepProps) {
  const title = useRef<HTMLHeadingElement>(null)
  const isDone = action === undefined
  useEffect(() => {
    if (isDone) title.current?.focus()
  }, [isDone])
  return (
    <Stack gap="md" align="flex-start">
      <Title size="h3" order={2} ref={title} tabIndex={-1}>
        {heading}
      </Title>
      {children}
      {action && (
        <Button
          size="md"
          onClick={action.run}
          loading={action.loading}
          {...(action.color && { color: action.color })}
        >
          {action.label}
        </Button>
      )}
    </Stack>
  )
}

/** For a link that was used, has expired or is incomplete. */
export function DeadLink({ children, next }: { children: ReactNode; next?: ReactNode }) {
  return (
    <Stack gap="md" align="flex-start" role="alert">
      <Title size="h3" order={2}>
        This link does not work
      </Title>
      <Text>{children}</Text>
      {next}
    </Stack>
  )
}
