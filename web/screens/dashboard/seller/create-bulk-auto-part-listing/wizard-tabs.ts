/** The wizard's tabs, named as the spec names them (section 2); the key stands in the address. */
export const wizardTabs = [
  { tab: 'guide', label: 'Guide' },
  { tab: 'mapping', label: 'Template / Mapping' },
  { tab: 'defaults', label: 'Defaults' },
  { tab: 'upload', label: 'Upload' },
  { tab: 'validate', label: 'Validate (Dry-run)' },
  { tab: 'run', label: 'Run Import' },
  { tab: 'results', label: 'Results' },
] as const

export type WizardTab = (typeof wizardTabs)[number]['tab']

/** The tab that an address names; the first one where it names none. */
export const wizardTab = (name: string | null): WizardTab =>
  wizardTabs.find(({ tab }) => tab === name)?.tab ?? 'guide'
