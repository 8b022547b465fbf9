import { SellerFrame } from '#web/components/admin/seller-frame.tsx'
import { FreeDashboard } from '#web/screens/dashboard/seller/free-dashboard.tsx'

export function Component() {
  return (
    <SellerFrame title="Seller Free" tier="FREE">
      {(seller) => <FreeDashboard user={seller} />}
    </SellerFrame>
  )
}
