import { useSearchParams } from 'react-router'

/** The job whose details are open, by the address: a link to it can be sent, and Back closes it. */
export function useChosenJob() {
  const [params, setParams] = useSearchParams()
  const write = (id: string | undefined) => setParams(withJob(params, id), { preventScrollReset: true })
  return { chosen: params.get('job') ?? undefined, choose: write, close: () => write(undefined) }
}

/** The address of a job, or of none, beside the list as it is. */
export function withJob(params: URLSearchParams, id: string | undefined): URLSearchParams {
  const next = new URLSearchParams(params)
  if (id === undefined) next.delete('job')
  else next.set('job', id)
  return next
}
