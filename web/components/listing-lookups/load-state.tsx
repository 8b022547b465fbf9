import { Anchor, type SelectProps } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'

type LoadStateProps = Pick<SelectProps, 'nothingFoundMessage' | 'description' | 'inputWrapperOrder'>
type Loading = Pick<UseQueryResult, 'isPending' | 'isError' | 'isFetching' | 'refetch'>

/** What a select says of its options: on their way, not there with a quiet Retry, or none of that name. */
export function loadState(
  { isPending, isError, isFetching, refetch }: Loading,
  none: string,
): LoadStateProps {
  if (!isError) return { nothingFoundMessage: isPending ? 'Loading…' : none }
  return {
    nothingFoundMessage: 'Could not be loaded',
    description: (
      <>
        Could not be loaded.{' '}
        <Anchor component="button" type="button" inherit onClick={() => void refetch()} disabled={isFetching}>
          Retry
        </Anchor>
      </>
    ),
    inputWrapperOrder: ['label', 'input', 'description', 'error'],
  }
}
