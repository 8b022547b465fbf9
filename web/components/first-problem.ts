/** Moves the focus to the first field that is marked wrong, once the marks are drawn. */
export function focusFirstProblem(form: HTMLElement): void {
  requestAnimationFrame(() => {
    const field = form.querySelector<HTMLElement>('[aria-invalid="true"], [data-error] input')
    field?.focus()
    field?.scrollIntoView({ block: 'center' })
  })
}
