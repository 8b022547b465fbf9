import { Button, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ApiError } from '#web/api/failures.ts'
import { useSingleMutation } from '#web/components/form/use-single-mutation.ts'
import { LoadError } from '#web/components/page/load-error.tsx'
import { notifyError } from '#web/components/toasts.tsx'

/*
 * What the pages of links in our emails share. Mail scanners open links, so a page only shows what its link would do; the
 * button does it.
 */

/**
 * The token from an emailed link. It is in the URL fragment, which browsers send to no server, and is removed from the
 * address bar as soon as it is read. `kept`: the history entry keeps it for a reload, if it opens no account.
 */
export function useLinkToken({ kept = false } = {}): string | undefined {
  const { hash, pathname, state } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState(
    hash.slice(1) || (kept && (state as { token?: string } | null)?.token) || '',
  )
  useEffect(() => {
    if (hash === '') return
    // A newer link may be opened while this page is open.
    setToken(hash.slice(1))
    void navigate(pathname, { replace: true, ...(kept && { state: { token: hash.slice(1) } }) })
  }, [hash, pathname, navigate, kept])
  return token === '' ? undefined : token
}

export const isExpired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'LINK_EXPIRED'

type CheckedLinkProps<Found> = {
  token: string
  check: (token: string, signal: AbortSignal) => Promise<Found>
  /** Instead of the page, if the link was used or has expired. */
  dead: ReactNode
  children: (found: Found) => ReactNode
}

/** First checks the link that opened the page, so that a used one shows at once. */
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

type LinkRequest<Done> = {
  run: () => Promise<Done>
  onDone?: (done: Done) => void
  /** Shown if it failed for a reason other than an old link. */
  failed: string
}

/** What the button of such a page does; if the link expired meanwhile, the page itself shows that. */
export function useLinkRequest<Done>({ run, onDone, failed }: LinkRequest<Done>) {
  const { mutate, error, isSuccess, isPending } = useSingleMutation({
    mutationFn: run,
    onSuccess: (done) => onDone?.(done),
    onError: (error) => {
      if (!isExpired(error)) notifyError(error, failed)
    },
  })
  return { send: () => mutate(), isDone: isSuccess, isDead: isExpired(error), loading: isPending }
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
        This link doesn’t work
      </Title>
      <Text>{children}</Text>
      {next}
    </Stack>
  )
}
