import { useLocation } from 'react-router'

type ListReturn = { readonly listSearch: string }

/** The state of a link from a list to a listing's form: saving leads back to the list as it stands, its page and filters included. */
export function useListReturn(list: string): ListReturn | undefined {
  const { pathname, search } = useLocation()
  return pathname.replace(/\/$/, '') === list ? { listSearch: search } : undefined
}

/** Where a form leads back to: its list, as it was left if that is where one came from. */
export function useListAddress(list: string): string {
  const { state } = useLocation()
  return isListReturn(state) ? list + state.listSearch : list
}

const isListReturn = (state: unknown): state is ListReturn =>
  typeof state === 'object' && state !== null && 'listSearch' in state && typeof state.listSearch === 'string'
