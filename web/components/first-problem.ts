/**
 * Moves the focus to the first field that is marked wrong, once the marks are drawn. A button that stands for a field,
 * such as that of a file, marks itself with data-problem.
 */
export function focusFirstProblem(form: HTMLElement): void {
  requestAnimationFrame(() => {
    const field = form.querySelector<HTMLElement>(
      '[aria-invalid="true"], [data-problem], [data-error] input:not([type="file"])',
    )
    field?.focus()
    field?.scrollIntoView({ block: 'center' })
  })
}
