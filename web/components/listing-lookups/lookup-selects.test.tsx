import { MantineProvider } from '@mantine/core'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { loadState } from './lookup-selects.tsx'

const lookup = { isPending: false, isError: false, isFetching: false, refetch: vi.fn() }

test('options that failed to load differ from no options, and there is a Retry', () => {
  const { nothingFoundMessage, description } = loadState({ ...lookup, isError: true }, 'No such model')
  expect(nothingFoundMessage).toBe('Could not be loaded')
  const html = renderToString(<MantineProvider>{description}</MantineProvider>)
  expect(html).toMatch(/<button[^>]*>Retry<\/button>/)
})

test('the list shows that options are loading, and then that nothing was found', () => {
  expect(loadState({ ...lookup, isPending: true }, 'No such model')).toEqual({
    nothingFoundMessage: 'Loading…',
  })
  expect(loadState(lookup, 'No such model')).toEqual({ nothingFoundMessage: 'No such model' })
})
