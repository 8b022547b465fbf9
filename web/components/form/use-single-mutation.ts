import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'

/** A mutation that ignores calls while one is running: two clicks can arrive before the button is disabled. */
export function useSingleMutation<Data, Variables = void>(
  options: Omit<UseMutationOptions<Data, Error, Variables>, 'onSettled'>,
): UseMutationResult<Data, Error, Variables> {
  const running = useRef(false)
  const mutation = useMutation({
    ...options,
    onSettled: () => {
      running.current = false
    },
  })
  const mutate: typeof mutation.mutate = (...sent) => {
    if (running.current) return
    running.current = true
    mutation.mutate(...sent)
  }
  return { ...mutation, mutate }
}
