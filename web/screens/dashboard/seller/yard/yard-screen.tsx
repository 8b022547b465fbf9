import {
  Anchor,
  Button,
  Group,
  NativeSelect,
  Skeleton,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { longestOfYard, type OwnYard, type Yard, yardEndpoints } from '#contract/pages/yard.ts'
import { policyKinds, policyLabels, timeZones } from '#contract/pages/yard-words.ts'
import { stateCode } from '#contract/text/us-states.ts'
import { useProfile } from '#web/api/account.ts'
import { call } from '#web/api/client.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { useLeaveGuard } from '#web/components/form/leave-guard.ts'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { deviceListingDefaults, joinedDefaults } from '#web/components/listing-form/listing-values.ts'
import { Loaded } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { KnownPlace, useOwnYard, yardKey } from '#web/components/seller/own-yard.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import { draftOf, HoursFields, hoursOf, type WeekDraft } from './hours-fields.tsx'

const toastPlace = { place: 'top-center', about: 'yard' } as const

/** Where a seller edits their yard's public page. */
export function Component() {
  const yard = useOwnYard()
  return (
    <Page
      title="Your Yard’s Page"
      lead={
        <>
          Everything here is public. Leave a field empty if you don’t want to show it.{' '}
          <Anchor component={Link} to={paths.helpArticle('your-yards-page')}>
            How the page works
          </Anchor>
        </>
      }
      width="text"
      actions={yard.data?.hasPage && <PageLink slug={yard.data.slug} />}
    >
      <Loaded
        query={yard}
        failure="Unable to load your yard"
        waiting={<Skeleton height={400} role="status" aria-label="Loading your yard…" />}
      >
        {(found) => <YardForm key={found.slug} saved={found} />}
      </Loaded>
    </Page>
  )
}

const PageLink = ({ slug }: { slug: string }) => (
  <Button component="a" variant="default" href={paths.seller(slug)} target="_blank" rel="noreferrer">
    View your page
  </Button>
)

type Draft = Omit<Yard, 'hours'> & { week: WeekDraft }
type Line = 'street' | 'city' | 'state' | 'zip' | 'phone'

const draftOfYard = ({ street, city, state, zip, phone, timeZone, policy, hours }: OwnYard): Draft => ({
  street,
  city,
  state,
  zip,
  phone,
  timeZone,
  policy,
  week: draftOf(hours),
})

const yardOf = ({ week, ...draft }: Draft): Yard => ({ ...draft, hours: hoursOf(week) })

/** The form's values, which of them are not saved yet, and saving them. */
function useYardForm(saved: OwnYard) {
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState(() => draftOfYard(saved))
  const before = draftOfYard(saved)
  const changed = JSON.stringify(yardOf(draft)) !== JSON.stringify(yardOf(before))
  useLeaveGuard(changed)
  const request = useMutation({
    // A variable, because the user may keep typing while it is being saved.
    mutationFn: (sent: Draft) => call(yardEndpoints.changeYard, { body: yardOf(sent) }),
    onSuccess: (kept, sent) => {
      queryClient.setQueryData(yardKey, kept)
      setDraft((now) => (now === sent ? draftOfYard(kept) : now))
      notifyDone('Your page is saved', toastPlace)
    },
    onError: (error) => notifyError(error, 'Could not save your page', toastPlace),
  })
  const set = (change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change }))
  const problems = fieldProblems(request.error)
  return {
    draft,
    set,
    changed,
    problems,
    saving: request.isPending,
    submit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      const form = event.currentTarget
      request.mutate(draft, { onError: () => focusFirstProblem(form) })
    },
    line: (name: Line) => ({
      name,
      value: draft[name],
      error: problems[name],
      maxLength: name === 'zip' ? 5 : longestOfYard[name],
      onChange: (event: ChangeEvent<HTMLInputElement>) => set({ [name]: event.currentTarget.value }),
    }),
  }
}

type YardFormState = ReturnType<typeof useYardForm>

function YardForm({ saved }: { saved: OwnYard }) {
  const form = useYardForm(saved)
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md">
        {!saved.hasPage && <Text>Buyers see your page once you have listed a part.</Text>}
        <AddressFields form={form} />
        <SectionCard
          title="Opening hours"
          lead="Check the days you are open. A closing time after midnight counts for the next day."
        >
          <NativeSelect
            label="Time zone"
            data={Object.entries(timeZones).map(([value, label]) => ({ value, label }))}
            value={form.draft.timeZone}
            error={form.problems.timeZone}
            onChange={(event) => form.set({ timeZone: event.currentTarget.value as Yard['timeZone'] })}
          />
          <HoursFields
            week={form.draft.week}
            problems={form.problems}
            onChange={(week) => form.set({ week })}
          />
        </SectionCard>
        <PolicyFields form={form} />
        <Group>
          <Button type="submit" disabled={!form.changed} loading={form.saving}>
            Save your page
          </Button>
          {form.changed && <Text className="second">Not saved yet.</Text>}
        </Group>
      </Stack>
    </form>
  )
}

function AddressFields({ form: { line, set, draft } }: { form: YardFormState }) {
  const user = useProfile()
  const {
    city,
    state,
    dealerPhone: phone,
  } = joinedDefaults(deviceListingDefaults(), user?.listingDefaults ?? {})
  return (
    <SectionCard title="Address and phone" lead="The map needs your ZIP code, or your city and state.">
      <KnownPlace where="In your listing defaults" known={{ city, state, phone }} typed={draft} onUse={set} />
      <TextInput label="Street address" autoComplete="street-address" {...line('street')} />
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <TextInput label="City" autoComplete="address-level2" miw={160} {...line('city')} />
        <TextInput
          label="State"
          placeholder="OK"
          autoComplete="address-level1"
          miw={72}
          {...line('state')}
          onBlur={() => set({ state: stateCode(draft.state) })}
        />
        <TextInput
          label="ZIP code"
          inputMode="numeric"
          autoComplete="postal-code"
          miw={96}
          {...line('zip')}
        />
      </Group>
      <TextInput
        label="Phone"
        type="tel"
        autoComplete="tel"
        description="On your page only. Whether listings show a phone number is up to your account settings."
        {...line('phone')}
      />
    </SectionCard>
  )
}

const examples = {
  shipping: 'Small parts ship within 1 business day. Freight by quote.',
  returns: '30 days with the receipt. Electrical parts can be exchanged.',
  warranty: '90 days on engines and transmissions, 30 days on everything else.',
} as const

function PolicyFields({ form: { draft, set, problems } }: { form: YardFormState }) {
  return (
    <SectionCard
      title="Shipping, returns and warranty"
      lead={
        <>
          In a few plain sentences, shown on your page and beside each of your parts. Up to{' '}
          {longestOfYard.policy} characters each.
        </>
      }
    >
      {policyKinds.map((kind) => (
        <Textarea
          key={kind}
          name={`policy.${kind}`}
          label={policyLabels[kind]}
          placeholder={`Such as: ${examples[kind]}`}
          rows={3}
          maxLength={longestOfYard.policy}
          value={draft.policy[kind]}
          error={problems[`policy.${kind}`]}
          onChange={(event) => set({ policy: { ...draft.policy, [kind]: event.currentTarget.value } })}
        />
      ))}
    </SectionCard>
  )
}
