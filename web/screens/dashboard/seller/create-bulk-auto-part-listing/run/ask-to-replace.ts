import { askToConfirm } from '#web/components/confirm.tsx'

export const askToReplace = (fileName: string): Promise<boolean> =>
  askToConfirm({
    title: 'Replace your stock with this file?',
    text: `Parts of your earlier imports that are not in ${fileName} end as sold elsewhere. What you listed by hand stays. You can take the import back for 30 days.`,
    confirm: 'Replace my stock',
  })
