import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { focusFirstProblem } from '#web/components/first-problem.ts'
import { PasswordField } from '#web/components/password-field.tsx'
import { paths, planIn } from '#web/paths.ts'
import { useRegistration } from './use-registration.ts'

const empty = { name: '', email: '', password: '' }

export function Component() {
  const [values, setValues] = useState(empty)
  const [search] = useSearchParams()
  const plan = planIn(search)
  const { register, problems, running } = useRegistration(plan)

  const field = (name: keyof typeof empty) => ({
    name,
    value: values[name],
    error: problems[name],
    required: true,
    withAsterisk: false,
    onChange: (event: FormEvent<HTMLInputElement>) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    void register(values).then((done) => done || focusFirstProblem(form))
  }
  const complete = values.name.trim() !== '' && values.email.trim() !== '' && values.password !== ''

  return (
    <EntryPage
      title="Register"
      heading={plan === 'pro' ? 'Become a dealer' : 'Become a seller'}
      lead="One account for everything on this site. No card is needed to start."
      below={
        <>
          Already registered?{' '}
          <Anchor component={Link} underline="always" to={paths.login}>
            Login to your account
          </Anchor>
        </>
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput label="Name" autoComplete="name" {...field('name')} />
          <TextInput label="Email" type="email" autoComplete="email" {...field('email')} />
          <PasswordField
            label="Password"
            description="At least 8 characters; a few words in a row are easy to keep"
            autoComplete="new-password"
            {...field('password')}
          />
          <Button type="submit" size="md" disabled={!complete} loading={running}>
            Register
          </Button>
        </Stack>
      </form>
    </EntryPage>
  )
}
