import { Anchor, Button, Stack, Text, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useSite } from '#web/api/site.ts'
import { paths } from '#web/paths.ts'

type SentLink = { email: string; minutes: number; onAgain: () => void }

/** Shown for every address, so the page doesn't reveal who has an account. */
export function CheckYourEmail({ email, minutes, onAgain }: SentLink) {
  const { data: site } = useSite()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Stack gap="md" align="flex-start">
      <Title size="h3" ref={heading} tabIndex={-1}>
        Check your email
      </Title>
      <Text>
        If <strong>{email}</strong> has an account, a link is on its way. It works once, for {minutes}{' '}
        minutes. Didn’t get it? Check your spam folder and the spelling of the address.
      </Text>
      {site?.demo && (
        <Text className="second">
          This is a demo. Emails are not sent:{' '}
          <Anchor href={paths.outbox} underline="always">
            open the outbox
          </Anchor>
          .
        </Text>
      )}
      <Button variant="default" onClick={onAgain}>
        Try another address
      </Button>
    </Stack>
  )
}

/** The login form passes on the address already typed there. */
export function emailFromLogin(state: unknown): string {
  const email = typeof state === 'object' && state !== null && 'email' in state ? state.email : ''
  return typeof email === 'string' ? email : ''
}
