import { endpoints } from './endpoint.ts'

/** A seller's listings as a file that an import takes back: its columns are `standardColumns` of `yard-file/shipped-templates.ts`. */
export const partsExportEndpoints = endpoints({
  exportParts: {
    method: 'GET',
    path: '/seller/parts.csv',
    summary:
      'The seller’s running listings in the Standard CSV’s columns, safe against formulas; imported again they change nothing',
    access: 'user',
    limit: 'write',
    reply: 'binary',
    errors: ['SIGNED_OUT'],
  },
})
