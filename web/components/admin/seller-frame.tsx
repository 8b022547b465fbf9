import { Group, NativeSelect, Text } from '@mantine/core'
import type { ReactNode, SyntheticEvent } from 'react'
import { useSearchParams } from 'react-router'
import type { User } from '#contract/accounts.ts'
import { useSession } from '#web/api/session.ts'
import { usePageTitle } from '#web/components/page.tsx'
import { notifyInfo } from '#web/components/toasts.tsx'
import { readSellerState, sampleSeller, stateChoices } from './sample-seller.ts'
import classes from './seller-frame.module.css'

type SellerFrameProps = {
  title: string
  tier: User['sellerTier']
  children: (seller: User) => ReactNode
}

/** What a seller sees, for looking only: everything in the frame can be read and reached, but nothing happens. */
export function SellerFrame({ title, tier, children }: SellerFrameProps) {
  const { user } = useSession()
  const [params, setParams] = useSearchParams()
  usePageTitle(title)
  if (!user) return null
  const state = readSellerState(params, tier)
  const change = (name: string, value: string) =>
    setParams(
      (before) => {
        before.set(name, value)
        return before
      },
      { preventScrollReset: true },
    )
  return (
    <section aria-label={title} className={classes.frame}>
      <div className={classes.notice}>
        <div>
          <Text fw={700}>{title}: read-only view</Text>
          <Text size="sm" className="second">
            What such a seller sees. Figures are those of your own account; nothing in the frame does
            anything.
          </Text>
        </div>
        <Group gap="sm">
          {stateChoices.map(({ name, label, data }) => (
            <NativeSelect
              key={name}
              label={label}
              data={data}
              value={state[name]}
              onChange={(event) => change(name, event.currentTarget.value)}
            />
          ))}
        </Group>
      </div>
      <div className={classes.view} onClickCapture={refuse} onSubmitCapture={refuse}>
        {children(sampleSeller(user, tier, state))}
      </div>
    </section>
  )
}

function refuse(event: SyntheticEvent): void {
  event.preventDefault()
  event.stopPropagation()
  const pressed = event.target instanceof Element && event.target.closest('a, button') !== null
  if (pressed) notifyInfo('Read-only view: nothing happens here', { about: 'read-only' })
}
