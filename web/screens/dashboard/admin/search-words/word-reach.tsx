import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  type Counted,
  type SearchWord,
  searchWordEndpoints,
  type WordReach,
} from '#contract/search/search-words.ts'
import { call } from '#web/api/client.ts'
import { formatCount } from '#web/components/imports/import-words.ts'

/* Whom a word affects, so that an administrator sees it before changing anything. */

/** What each word of a page affects. */
export function useWordReach(words: readonly SearchWord[] | undefined) {
  const ids = (words ?? []).map(({ id }) => id).join(',')
  return useQuery({
    queryKey: ['word-reach', ids],
    queryFn: ({ signal }) => call(searchWordEndpoints.readWordReach, { query: { ids }, signal }),
    select: ({ items }) => new Map(items.map((reach) => [reach.word, reach])),
    placeholderData: keepPreviousData,
    enabled: ids !== '',
  })
}

type ReachQuery = Pick<ReturnType<typeof useWordReach>, 'isPending' | 'isError'>

export function ReachCell({ reach, query }: { reach: WordReach | undefined; query: ReachQuery }) {
  if (reach) return <>{reachText(reach) ?? 'Nothing so far'}</>
  return (
    <Text span size="sm" c="dimmed">
      {query.isError ? 'Not counted' : 'Counting…'}
    </Text>
  )
}

const TYPING_MS = 400

/** What the word being typed affects. */
export function ReachOfTyped({ word }: { word: string }) {
  const [settled] = useDebouncedValue(word.trim(), TYPING_MS)
  const { data, isError } = useQuery({
    queryKey: ['word-reach', 'typed', settled],
    queryFn: ({ signal }) => call(searchWordEndpoints.readWordReach, { query: { word: settled }, signal }),
    enabled: settled !== '',
  })
  const [reach] = data?.items ?? []
  const isCurrent = settled === word.trim()
  return (
    <Text size="sm" c="dimmed" role="status">
      {word.trim() === '' ? '' : sentence({ reach, isCounted: isCurrent && data !== undefined, isError })}
    </Text>
  )
}

type Sentence = { reach: WordReach | undefined; isCounted: boolean; isError: boolean }

function sentence({ reach, isCounted, isError }: Sentence): string {
  if (isError) return 'Could not count what this affects. You can still save the word.'
  if (!isCounted) return 'Counting what this affects…'
  const text = reach && reachText(reach)
  return text
    ? `This affects ${text}, and the files that yards import.`
    : 'Nothing contains this word so far.'
}

function reachText({ emptySearches, savedSearches, parts }: WordReach): string | undefined {
  const said = [
    saying(parts, 'part for sale', 'parts for sale'),
    saying(savedSearches, 'saved search', 'saved searches'),
    saying(emptySearches, 'search without a result', 'searches without a result'),
  ].filter((one) => one !== undefined)
  return said.length > 0 ? said.join(', ') : undefined
}

function saying({ count, isAtLeast }: Counted, one: string, many: string): string | undefined {
  if (count === 0 && !isAtLeast) return undefined
  return `${formatCount(count)}${isAtLeast ? '+' : ''} ${count === 1 && !isAtLeast ? one : many}`
}
