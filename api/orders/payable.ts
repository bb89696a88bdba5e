import type { OrderRow } from './order.queries.ts'

/** Whether a member can pay the order. Its deadline starts only then. */
export const isPayable = ({
  receiving_address,
  amount,
}: Pick<OrderRow, 'receiving_address' | 'amount'>): boolean => receiving_address !== '' && amount !== null
