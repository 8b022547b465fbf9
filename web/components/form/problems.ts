import { isOneLine, notOneLine } from '#contract/text/one-line.ts'

/** Errors from a mutation are rendered a frame or two after its promise. */
const FRAMES = 4

/**
 * Focuses the first field marked invalid, once the marks are rendered. A button that acts as a field, such as a file
 * picker, is marked with data-problem. If no field is marked, focuses `otherwise`.
 */
export function focusFirstProblem(
  form: HTMLElement,
  otherwise: HTMLElement | null = null,
  frames = FRAMES,
): void {
  requestAnimationFrame(() => {
    const field = form.querySelector<HTMLElement>(
      '[aria-invalid="true"], [data-problem], [data-error] input:not([type="file"])',
    )
    if (field === null && frames > 1) return focusFirstProblem(form, otherwise, frames - 1)
    if (field === null) otherwise?.focus()
    field?.focus()
    field?.scrollIntoView({ block: 'center' })
  })
}

/**
 * Takes texts by label and returns the contract's error by field (the label in lower case) for each text that cannot be
 * a name or title, such as one of invisible characters; undefined if all are fine. Empty texts are not checked here.
 */
export function lineProblems(texts: Record<string, string>): Record<string, string> | undefined {
  const unfit = Object.entries(texts).filter(([, text]) => text.trim() !== '' && !isOneLine(text.trim()))
  if (unfit.length === 0) return undefined
  return Object.fromEntries(unfit.map(([label]) => [label.toLowerCase(), notOneLine(label)]))
}
