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
