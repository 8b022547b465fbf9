import { Alert, Badge, Button, Group, Radio, Skeleton, Stack, Switch, Text } from '@mantine/core'
import type { Person } from '#contract/admin/people.ts'
import { statusWords } from '#web/components/account/account-words.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { Moment, SideDrawer, useLastChosen } from '#web/components/admin/records.tsx'
import { LoadError } from '#web/components/page/load-error.tsx'
import { type PersonChange, usePerson, usePersonChanges } from './people.ts'
import '@mantine/core/styles/Radio.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { useSession } from '#web/api/session.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { accessQuestions, type Question } from './access-questions.ts'

type PersonDrawerProps = { id: string | undefined; listed: Person | undefined; onClose: () => void }

export function PersonDrawer({ id, listed, onClose }: PersonDrawerProps) {
  const last = useLastChosen(id)
  const person = usePerson(last, listed)
  return (
    <SideDrawer opened={id !== undefined} onClose={onClose} title={person.data?.name ?? 'User'}>
      {person.data && <Account key={person.data.id} person={person.data} />}
      {person.isLoading && !person.data && (
        <Skeleton height={320} radius="lg" role="status" aria-label="Loading the user…" />
      )}
      {person.isError && !person.data && (
        <LoadError
          message="Unable to load this user"
          onRetry={() => void person.refetch()}
          retrying={person.isFetching}
        />
      )}
    </SideDrawer>
  )
}

function Account({ person }: { person: Person }) {
  return (
    <Stack gap="lg" pb="lg">
      <Stack gap="xs">
        <Text className="second">{person.email}</Text>
        <PersonBadges person={person} />
      </Stack>
      <Facts
        facts={[
          { name: 'Seller', value: person.sellerName },
          { name: 'Active listings', value: person.activeListings.toLocaleString('en-US') },
          { name: 'Subscription', value: statusWords(person.subscriptionStatus) },
          { name: 'Payouts', value: statusWords(person.connectStatus) },
          { name: 'Joined', value: <Moment at={person.createdAt} /> },
          {
            name: 'Last seen',
            value: person.lastSeenAt === null ? 'never' : <Moment at={person.lastSeenAt} />,
          },
          { name: 'Signed in on', value: devices(person.sessions) },
        ]}
      />
      {person.planProblem && (
        <Alert color="warning" variant="light" title="Check this plan">
          {planProblems[person.planProblem]}
        </Alert>
      )}
      <PersonAccess person={person} />
    </Stack>
  )
}

function devices(sessions: number): string {
  if (sessions === 0) return 'Not signed in'
  return sessions === 1 ? '1 device' : `${sessions} devices`
}

export function PersonBadges({ person }: { person: Person }) {
  const pro = person.sellerTier === 'PAID'
  return (
    <Group gap={6}>
      {person.role === 1 && <Badge size="md">Admin</Badge>}
      <Badge size="md" color={pro ? 'good' : 'gray'}>
        {pro ? planWords(person) : 'Free'}
      </Badge>
      {person.trusted && (
        <Badge size="md" color="sea">
          Trusted importer
        </Badge>
      )}
      {person.reviewImports && (
        <Badge size="md" color="warning">
          Imports reviewed
        </Badge>
      )}
      {person.planProblem && (
        <Badge size="md" color="warning">
          Plan problem
        </Badge>
      )}
      {person.disabledAt !== null && (
        <Badge size="md" color="bad">
          Disabled
        </Badge>
      )}
    </Group>
  )
}

const planWords = ({ proGranted }: Person) => (proGranted ? 'Pro, granted' : 'Pro')

type Ending = NonNullable<PersonChange['subscription']>

/** When the subscription ends that the change ends. */
function EndingChoice({ text, onChoose }: { text: string; onChoose: (chosen: Ending) => void }) {
  return (
    <Stack gap="md">
      {text}
      <Radio.Group
        label="Their Pro subscription ends"
        description="They are notified by email."
        defaultValue={'period-end' as Ending}
        onChange={onChoose}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="period-end" label="At the end of the paid month" />
          <Radio value="now" label="Now, without a refund" />
        </Stack>
      </Radio.Group>
    </Stack>
  )
}

const planProblems: Record<NonNullable<Person['planProblem']>, string> = {
  OTHER_PRICE:
    'Pays for a subscription that is not Pro. End it in Stripe, or add its price to STRIPE_PRO_PRICE_ID.',
  OTHER_HOME:
    'The customer belongs to another account or mode of Stripe. The plan stays as it was and cannot be read.',
}

function PersonAccess({ person }: { person: Person }) {
  const { changing, signingOut } = usePersonChanges(person)
  const self = useSession().user?.id === person.id
  const ask = accessQuestions(person, { self })
  const pending = (name: keyof PersonChange) =>
    changing.isPending && changing.variables.change[name] !== undefined

  const change = async (wanted: PersonChange, { done, text, ...question }: Question) => {
    const endsPlan = person.isCharged && (wanted.role === 1 || wanted.disabled === true)
    let subscription = 'period-end' as Ending
    const choice = (
      <EndingChoice
        text={text}
        onChoose={(chosen) => {
          subscription = chosen
        }}
      />
    )
    const isSure = await askToConfirm({ ...question, text: endsPlan ? choice : text })
    if (isSure) changing.mutate({ change: { ...wanted, ...(endsPlan && { subscription }) }, done })
  }
  const signOut = async () => {
    const { done: _, ...question } = ask.signOut
    if (await askToConfirm(question)) signingOut.mutate()
  }

  const isAdmin = person.role === 1
  const disabled = person.disabledAt !== null
  const pro = person.proGranted
  const reviewed = person.reviewImports
  return (
    <Stack gap="lg">
      <Switch
        label="Administrator"
        description="Can see and change everything in the admin area"
        checked={isAdmin}
        disabled={pending('role')}
        onChange={() => void change({ role: isAdmin ? 0 : 1 }, isAdmin ? ask.takeAdmin : ask.giveAdmin)}
      />
      <Switch
        label="Pro by grant"
        description="Pro tools without a subscription"
        checked={pro}
        disabled={pending('proGranted')}
        onChange={() => void change({ proGranted: !pro }, pro ? ask.takePro : ask.givePro)}
      />
      <Switch
        label="Trusted importer"
        description="Imports go live right away, even the first ones"
        checked={person.trusted}
        disabled={pending('trusted')}
        onChange={() =>
          void change({ trusted: !person.trusted }, person.trusted ? ask.takeTrust : ask.giveTrust)
        }
      />
      <Switch
        label="Review imports"
        description="Imports wait for a review before they go live"
        checked={reviewed}
        disabled={pending('reviewImports')}
        onChange={() =>
          void change({ reviewImports: !reviewed }, reviewed ? ask.stopReview : ask.startReview)
        }
      />
      <Switch
        label="Certified for air bags"
        description="May list air bags; you have seen the seller’s certification"
        checked={person.certified}
        disabled={pending('certified')}
        onChange={() =>
          void change(
            { certified: !person.certified },
            person.certified ? ask.takeCertification : ask.giveCertification,
          )
        }
      />
      <Group gap="sm">
        <Button
          variant="default"
          onClick={() => void signOut()}
          loading={signingOut.isPending}
          disabled={person.sessions === 0}
        >
          Sign out everywhere
        </Button>
        <Button
          {...(disabled ? { variant: 'default' } : { variant: 'light', color: 'bad' })}
          onClick={() => void change({ disabled: !disabled }, disabled ? ask.enable : ask.disable)}
          loading={pending('disabled')}
        >
          {disabled ? 'Enable account' : 'Disable account'}
        </Button>
      </Group>
      {disabled && (
        <Text size="sm" className="second">
          Nobody can sign in to this account. Its listings stay.
        </Text>
      )}
    </Stack>
  )
}
