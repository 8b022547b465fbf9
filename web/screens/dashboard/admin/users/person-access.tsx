import { Button, Group, Stack, Switch, Text } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import type { Person } from '#contract/admin-people.ts'
import { useSession } from '#web/api/session.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { accessQuestions, type Question } from './access-questions.ts'
import { type PersonChange, usePersonChanges } from './people.ts'

/** Switches and buttons; each asks first, naming the person, where it takes something away or gives much. */
export function PersonAccess({ person }: { person: Person }) {
  const { changing, signingOut } = usePersonChanges(person)
  const self = useSession().user?.id === person.id
  const ask = accessQuestions(person, { self })
  const pending = (name: keyof PersonChange) =>
    changing.isPending && changing.variables.change[name] !== undefined

  const change = async (wanted: PersonChange, { done, ...question }: Question) => {
    if (await askToConfirm(question)) changing.mutate({ change: wanted, done })
  }
  const signOut = async () => {
    const { done: _, ...question } = ask.signOut
    if (await askToConfirm(question)) signingOut.mutate()
  }

  const isAdmin = person.role === 1
  const disabled = person.disabledAt !== null
  const pro = person.proGranted
  return (
    <Stack gap="lg">
      <Switch
        label="Administrator"
        description="Sees and changes everything in the admin area"
        checked={isAdmin}
        disabled={pending('role')}
        onChange={() => void change({ role: isAdmin ? 0 : 1 }, isAdmin ? ask.takeAdmin : ask.giveAdmin)}
      />
      <Switch
        label="Pro by grant"
        description="The Pro tools without a subscription"
        checked={pro}
        disabled={pending('proGranted')}
        onChange={() => void change({ proGranted: !pro }, pro ? ask.takePro : ask.givePro)}
      />
      <Switch
        label="Trusted importer"
        description="Imports go live without a review"
        checked={person.trusted}
        disabled={pending('trusted')}
        onChange={() =>
          void change({ trusted: !person.trusted }, person.trusted ? ask.takeTrust : ask.giveTrust)
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
          Nobody can sign in with this account. Its listings are still there.
        </Text>
      )}
    </Stack>
  )
}
