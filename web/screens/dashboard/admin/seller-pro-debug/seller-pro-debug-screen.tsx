import { SellerFrame } from '#web/components/admin/seller-frame.tsx'
import { ProCommandCenter } from '#web/screens/dashboard/seller/pro-command-center.tsx'

export function Component() {
  return (
    <SellerFrame title="Seller Pro" tier="PAID">
      {(seller) => <ProCommandCenter user={seller} />}
    </SellerFrame>
  )
}
