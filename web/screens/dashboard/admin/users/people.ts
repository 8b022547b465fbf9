import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { adminPeopleEndpoints, type Person } from '#contract/admin/people.ts'
import { LAST_PAGE } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import type { ListState, PageSizes } from '#web/components/listing-filters/list-state.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'

export const peoplePageSizes: PageSizes = [24]
export const noFilters = { q: '', role: '', tier: '', state: '' } as const
export type PeopleFilters = typeof noFilters

const oneOf = <Value extends string>(values: readonly Value[], typed: string): Value | undefined =>
  values.find((value) => value === typed)

/** The query for the server; unknown values in the URL filter nothing. */
function peopleQuery({ filters, page, perPage }: ListState<PeopleFilters>) {
  const role = oneOf(['admin', 'seller'], filters.role)
  const tier = oneOf(['FREE', 'PAID'], filters.tier)
  const state = oneOf(['active', 'disabled'], filters.state)
  return {
    page: Math.min(page, LAST_PAGE),
    perPage,
    ...(filters.q !== '' && { q: filters.q }),
    ...(role && { role }),
    ...(tier && { tier }),
    ...(state && { state }),
  }
}

export function usePeople(list: ListState<PeopleFilters>) {
  const query = peopleQuery(list)
  return useQuery({
    queryKey: ['people', query],
    queryFn: ({ signal }) => call(adminPeopleEndpoints.listPeople, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** One account; `listed` is shown until it is loaded. */
export function usePerson(id: string | undefined, listed: Person | undefined) {
  return useQuery({
    queryKey: ['people', 'one', id],
    queryFn: ({ signal }) => call(adminPeopleEndpoints.readPerson, { params: { id: id ?? '' }, signal }),
    enabled: id !== undefined,
    ...(listed && { placeholderData: listed }),
  })
}

export type PersonChange = {
  role?: 0 | 1
  proGranted?: boolean
  trusted?: boolean
  reviewImports?: boolean
  certified?: boolean
  disabled?: boolean
  subscription?: 'now' | 'period-end'
}

export function usePersonChanges({ id, name }: Person) {
  const queryClient = useQueryClient()
  const about = `person ${id}`
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['people'] })
  const changing = useMutation({
    mutationFn: ({ change }: { change: PersonChange; done: string }) =>
      call(adminPeopleEndpoints.changePerson, { params: { id }, body: change }),
    onSuccess: (person, { done }) => {
      queryClient.setQueryData(['people', 'one', id], person)
      notifyDone(done, { about })
    },
    onError: (error) => notifyError(error, 'The account could not be changed. Try again.', { about }),
    onSettled: refresh,
  })
  const signingOut = useMutation({
    mutationFn: () => call(adminPeopleEndpoints.signOutPerson, { params: { id } }),
    onSuccess: () => notifyDone(`${name} is signed out everywhere`, { about }),
    onError: (error) => notifyError(error, 'Could not sign them out. Try again.', { about }),
    onSettled: refresh,
  })
  return { changing, signingOut }
}
