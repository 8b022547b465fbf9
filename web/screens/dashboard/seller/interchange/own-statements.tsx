import { Button, NativeSelect, Skeleton, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type InterchangeClaim, interchangeEndpoints } from '#contract/search/interchange.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { Loaded } from '#web/components/page/load-error.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { Pager } from '#web/components/pager.tsx'
import { longDate } from '#web/components/time-words.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import classes from './interchange.module.css'

/** The key of everything on this screen: any change may move a part from one list to another. */
export const interchangeKey = ['interchange']
export const toastPlace = { place: 'top-center', about: 'interchange' } as const

/** Removes a yard's statement about two numbers. */
export function useRemoveClaim() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(interchangeEndpoints.removeClaim, { params: { id } }),
    onSuccess: () => notifyDone('Statement removed', toastPlace),
    onError: (error) => notifyError(error, 'Could not remove that', toastPlace),
    onSettled: () => queryClient.invalidateQueries({ queryKey: interchangeKey }),
  })
}

/** The yard's statements about numbers, whether or not it has such a part now. */
export function OwnStatements() {
  const [page, setPage] = useState(1)
  const stated = useQuery({
    queryKey: [...interchangeKey, 'claims', page],
    queryFn: ({ signal }) => call(interchangeEndpoints.listClaims, { query: { page }, signal }),
  })
  const remove = useRemoveClaim()
  return (
    <SectionCard title="Numbers you know" lead="List part numbers that interchange or supersede each other.">
      <StatementForm />
      <Loaded
        query={stated}
        failure="Unable to load your numbers"
        waiting={<Skeleton height={66} role="status" aria-label="Loading your numbers…" />}
      >
        {({ items, total, perPage }) => (
          <>
            <ul className={classes.lines}>
              {items.map((claim) => (
                <li key={claim.id}>
                  <div>
                    <Text>{inWords(claim)}</Text>
                    <Text size="sm" className="second">
                      Added {longDate(claim.at)}
                    </Text>
                  </div>
                  <Button
                    variant="default"
                    size="xs"
                    loading={remove.isPending && remove.variables === claim.id}
                    onClick={() => remove.mutate(claim.id)}
                    aria-label={`Remove: ${inWords(claim)}`}
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
            <Pager
              page={page}
              pageCount={Math.ceil(total / perPage)}
              onChange={setPage}
              label="Pages of your numbers"
            />
          </>
        )}
      </Loaded>
    </SectionCard>
  )
}

const inWords = ({ kind, number, other }: InterchangeClaim) =>
  kind === 'same' ? `${number} is the same part as ${other}` : `${number} replaces ${other}`

type Statement = Pick<InterchangeClaim, 'kind' | 'number' | 'other'>
const nothing: Statement = { number: '', kind: 'replaces', other: '' }

function StatementForm() {
  const queryClient = useQueryClient()
  const [statement, setStatement] = useState(nothing)
  const stating = useMutation({
    mutationFn: (body: Statement) => call(interchangeEndpoints.stateClaim, { body }),
    onSuccess: (claim) => {
      setStatement(nothing)
      notifyDone(`${inWords(claim)}: saved`, toastPlace)
    },
    onError: (error) => {
      if (Object.keys(problemsOf(error)).length === 0) notifyError(error, 'Could not save that', toastPlace)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: interchangeKey }),
  })
  const problems = problemsOf(stating.error)
  const change = (changes: Partial<Statement>) => setStatement({ ...statement, ...changes })
  const save = (event: FormEvent) => {
    event.preventDefault()
    stating.mutate(statement)
  }
  return (
    <form onSubmit={save} className={classes.statement}>
      <TextInput
        label="Number"
        required
        value={statement.number}
        error={problems.number}
        onChange={(event) => change({ number: event.currentTarget.value })}
      />
      <NativeSelect
        label="How they relate"
        data={[
          { value: 'replaces', label: 'replaces' },
          { value: 'same', label: 'is the same part as' },
        ]}
        value={statement.kind}
        onChange={(event) => change({ kind: event.currentTarget.value === 'same' ? 'same' : 'replaces' })}
      />
      <TextInput
        label="Other number"
        required
        value={statement.other}
        error={problems.other}
        onChange={(event) => change({ other: event.currentTarget.value })}
      />
      <Button type="submit" loading={stating.isPending}>
        Add
      </Button>
    </form>
  )
}

const problemsOf = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof ApiError ? error.fields : {}
