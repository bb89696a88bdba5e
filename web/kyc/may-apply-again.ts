import type { KycState } from '#contract/kyc.ts'

const again: readonly KycState[] = ['more_info', 'rejected', 'expired']

/** Whether another application may follow one in this state; the server judges it again. */
export const mayApplyAgain = (state: KycState): boolean => again.includes(state)
