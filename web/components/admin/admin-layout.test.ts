import { expect, test } from 'vitest'
import { adminTabs, isCurrentRoute } from './admin-layout.tsx'

test.each([
  ['/dashboard/admin', 'Admin'],
  ['/dashboard/admin/', 'Admin'],
  ['/dashboard/admin/manage-products', 'Manage Products'],
  ['/dashboard/admin/manage-products/auto-parts/a-part/edit', 'Manage Products'],
  ['/dashboard/admin/manage-products/product-update/auto-parts/a-part', 'Manage Products'],
  ['/dashboard/admin/manage-products/bulk-edit', 'Bulk Edit'],
  ['/dashboard/admin/users', 'Users'],
  ['/dashboard/admin/audit-log', undefined],
])('%s belongs to %s only', (pathname, label) => {
  const current = adminTabs.filter((tab) => isCurrentRoute(tab, pathname))
  expect(current.map((tab) => tab.label)).toEqual(label === undefined ? [] : [label])
})
