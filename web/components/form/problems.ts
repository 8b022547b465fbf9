import { isOneLine, notOneLine } from '#contract/text/one-line.ts'

/** Where a refusal comes by way of a query, its marks are drawn a frame or two after the promise. */
const FRAMES = 4

/**
 * Moves the focus to the first field that is marked wrong, once the marks are drawn. A button that stands for a field,
 * such as that of a file, marks itself with data-problem. Where no field is marked, the focus goes to `otherwise`.
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
 * Takes texts by their labels and gives the contract's sentence, by field (the label in small letters), for each that
 * cannot be shown as a name or title, such as one of invisible characters; undefined where all can. Whether an empty one
 * is missing is not judged here.
 */
export function lineProblems(texts: Record<string, string>): Record<string, string> | undefined {
  const unfit = Object.entries(texts).filter(([, text]) => text.trim() !== '' && !isOneLine(text.trim()))
  if (unfit.length === 0) return undefined
  return Object.fromEntries(unfit.map(([label]) => [label.toLowerCase(), notOneLine(label)]))
}
