import type { KycApplication, KycState } from '#contract/kyc.ts'

const again: readonly KycState[] = ['more_info', 'rejected', 'expired', 'withdrawn']

/** Whether another application can follow this one. The server checks it again. */
export const mayApplyAgain = ({ status, isFinal }: Pick<KycApplication, 'status' | 'isFinal'>): boolean =>
  again.includes(status) && !isFinal
