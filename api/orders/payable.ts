import type { OrderRow } from './order.queries.ts'

/** Whether a member can pay it: no deadline runs before that. */
export const isPayable = ({
  receiving_address,
  amount,
}: Pick<OrderRow, 'receiving_address' | 'amount'>): boolean => receiving_address !== '' && amount !== null
