type Press = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'target'>

/** Inputs that take no letters leave the keys to the page. */
const silent = ['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'range', 'color']

/** Whether a key belongs to a text that is being written, or to the browser. */
export function isForWriting({ ctrlKey, metaKey, altKey, isComposing, target }: Press): boolean {
  if (ctrlKey || metaKey || altKey || isComposing) return true
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return true
  if (target instanceof HTMLInputElement) return !silent.includes(target.type)
  return target.matches('textarea, select, [role="textbox"], [role="combobox"], [role="grid"] *')
}
