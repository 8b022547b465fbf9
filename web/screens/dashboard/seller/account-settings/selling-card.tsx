import {
  Alert,
  Badge,
  Button,
  Group,
  NativeSelect,
  Radio,
  Skeleton,
  Stack,
  Switch,
  Text,
} from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { User } from '#contract/account/accounts.ts'
import { type ShippingRule, shippingRules } from '#contract/order/combined-shipping.ts'
import { type OwnSelling, orderEndpoints } from '#contract/order/order-calls.ts'
import type { SaleMode } from '#contract/order/order-steps.ts'
import { call } from '#web/api/client.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { NumberField } from '#web/components/form/number-field.tsx'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { useSingleMutation } from '#web/components/form/use-single-mutation.ts'
import { TextLink } from '#web/components/links.tsx'
import { dollars } from '#web/components/orders/order-facts.ts'
import { sellingKey, useOwnSelling } from '#web/components/orders/own-selling.ts'
import { Loaded } from '#web/components/page/load-error.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { useOpenPayoutSettings, useResumeOnboarding } from '#web/components/payments/account-actions.ts'
import { keepReturnPath } from '#web/components/payments/onboarding-state.ts'
import { PaymentButton } from '#web/components/payments/payment-buttons.tsx'
import { longDate } from '#web/components/time-words.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths, sellingCard, sellingSettings } from '#web/paths.ts'

const toast = { place: 'top-center', about: 'selling' } as const

/** Whether buyers can pay for the yard's parts here, and how. Not shown where nothing can be bought. */
export function SellingCard({ user }: { user: User }) {
  const card = useRef<HTMLDivElement>(null)
  const { hash } = useLocation()
  const selling = useOwnSelling()
  const { data } = selling
  const isLoaded = data !== undefined
  useEffect(() => {
    if (isLoaded && hash === `#${sellingCard}`) card.current?.scrollIntoView()
  }, [isLoaded, hash])
  if (data && !data.available && !data.enabled) return null
  return (
    <div ref={card} id={sellingCard}>
      <SectionCard
        title="Selling online"
        lead="Buyers pay for your parts here, and you ship them or hand them over."
        aside={data && <Badge size="md">{data.enabled ? 'On' : 'Off'}</Badge>}
      >
        <Loaded
          query={selling}
          failure="Unable to load your selling settings"
          waiting={<Skeleton height={160} role="status" aria-label="Loading your selling settings…" />}
        >
          {(saved) => <SellingForm key={JSON.stringify(saved)} saved={saved} user={user} />}
        </Loaded>
      </SectionCard>
    </div>
  )
}

type FormProps = { saved: OwnSelling; user: User }

function SellingForm({ saved, user }: FormProps) {
  const queryClient = useQueryClient()
  const [enabled, setEnabled] = useState(saved.enabled)
  const [mode, setMode] = useState<SaleMode>(saved.mode)
  const [days, setDays] = useState<number | undefined>(saved.days)
  const [combinedShipping, setCombinedShipping] = useState<ShippingRule>(saved.combinedShipping)
  const saving = useSingleMutation({
    mutationFn: () =>
      call(orderEndpoints.setSelling, { body: { enabled, mode, days: days as number, combinedShipping } }),
    onSuccess: (own) => {
      queryClient.setQueryData(sellingKey, own)
      // The account shows the royalty that applies to new orders.
      void queryClient.invalidateQueries({ queryKey: ['profile'] })
      notifyDone(sentenceOf(saved, own), toast)
    },
    onError: (error) => notifyError(error, 'Could not save your selling settings', toast),
  })
  const problems = fieldProblems(saving.error)
  const accepts = enabled && !saved.enabled
  const isChanged =
    enabled !== saved.enabled ||
    mode !== saved.mode ||
    days !== saved.days ||
    combinedShipping !== saved.combinedShipping
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    saving.mutate(undefined, { onError: () => focusFirstProblem(form) })
  }
  const isBlocked = saved.problem !== null && !saved.enabled
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {saved.problem !== null && <Problem problem={saved.problem} user={user} isOn={saved.enabled} />}
        <Switch
          label="Sell online"
          description={
            saved.enabled
              ? 'Switching it off stops new orders. Those you have go on.'
              : 'Every part with a price in US dollars gets a Buy button.'
          }
          checked={enabled}
          disabled={isBlocked}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
        />
        {enabled && (
          <>
            <Radio.Group
              label="When a buyer pays"
              value={mode}
              onChange={(value) => setMode(value === 'instant' ? 'instant' : 'confirm')}
            >
              <Stack gap="xs" mt="xs">
                <Radio
                  value="confirm"
                  label="Confirm first"
                  description="You look for the part; the buyer’s card is charged only when you confirm. You have 3 days."
                />
                <Radio
                  value="instant"
                  label="Instant"
                  description="The card is charged at once. For parts that are pulled and on the shelf."
                />
              </Stack>
            </Radio.Group>
            <NumberField
              label="Days to ship"
              description="From the day you confirm. Buyers see the date, and may cancel if you miss it."
              name="days"
              min={1}
              max={30}
              value={days}
              onChange={setDays}
              error={problems.days}
              maw="26rem"
            />
            <NativeSelect
              label="Shipping for several parts"
              description="When a buyer orders several of your parts together. If one is not found, it is computed again for the others, and never costs more."
              name="combinedShipping"
              data={Object.entries(shippingRules).map(([value, label]) => ({ value, label }))}
              value={combinedShipping}
              onChange={(event) => setCombinedShipping(event.currentTarget.value as ShippingRule)}
              error={problems.combinedShipping}
              maw="26rem"
            />
            <Royalty saved={saved} accepts={accepts} />
          </>
        )}
        <Group gap="sm">
          <Button type="submit" disabled={!isChanged || isBlocked} loading={saving.isPending}>
            {accepts ? `Accept ${saved.royaltyPercent}% and sell online` : 'Save selling settings'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function sentenceOf(before: OwnSelling, now: OwnSelling): string {
  if (now.enabled && !before.enabled) return 'You sell online now'
  return before.enabled && !now.enabled ? 'Selling online is off' : 'Selling settings saved'
}

function Royalty({ saved, accepts }: { saved: OwnSelling; accepts: boolean }) {
  const { royaltyPercent, royaltyFloor, acceptedAt } = saved
  return (
    <Text size={accepts ? 'md' : 'sm'} className={accepts ? undefined : 'second'}>
      We keep {royaltyPercent}% of the part’s price, at least {dollars(royaltyFloor)} an order and nothing of
      the shipping, and we pay the card fees.
      {acceptedAt !== null && !accepts && ` You accepted this on ${longDate(acceptedAt)}.`}{' '}
      <TextLink to={paths.helpArticle('plans')} size="sm" underline="always">
        Compare plans
      </TextLink>
    </Text>
  )
}

/** What stands in the way, and how to get past it. */
function Problem({ problem, user, isOn }: { problem: string; user: User; isOn: boolean }) {
  const resume = useResumeOnboarding()
  const openSettings = useOpenPayoutSettings()
  const verify = {
    ...resume,
    run: () => {
      keepReturnPath(user.id, sellingSettings)
      resume.run()
    },
  }
  return (
    <Alert
      color="warning"
      variant="light"
      title={isOn ? 'New orders are stopped' : 'You can’t sell online yet'}
    >
      <Stack gap="sm" align="flex-start">
        <Text>{problem}</Text>
        {user.connectStatus === 'VERIFIED' ? (
          <PaymentButton action={openSettings}>Open Payout Settings</PaymentButton>
        ) : (
          <PaymentButton action={verify}>Verify payouts</PaymentButton>
        )}
      </Stack>
    </Alert>
  )
}
