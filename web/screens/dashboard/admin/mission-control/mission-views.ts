/** Values of the query parameter `view`, in the spec's words and order; the first is the default. */
export const missionViews = [
  { view: 'jobs', label: 'Jobs Watcher' },
  { view: 'preprocess', label: 'Preprocessing' },
  { view: 'ebay', label: 'eBay Crawls' },
  { view: 'hollander', label: 'Hollander Crawls' },
] as const

export type MissionView = (typeof missionViews)[number]['view']

export function viewIn(params: URLSearchParams): MissionView {
  const asked = params.get('view')
  return missionViews.find(({ view }) => view === asked)?.view ?? 'jobs'
}

/** The URL's query for a view; filters and files stay. */
export function withView(params: URLSearchParams, view: MissionView): URLSearchParams {
  const next = new URLSearchParams(params)
  if (view === 'jobs') next.delete('view')
  else next.set('view', view)
  return next
}
