import type { ConsoleMember, MemberNote, MemberRight } from '#contract/console-members.ts'
import type { ConsoleStepKind } from '#contract/console-orders.ts'
import type { PlainKey } from '../../i18n/message-key.ts'

export const stateWords = {
  active: 'consoleMembers.state.active',
  closed: 'consoleMembers.state.closed',
  pending: 'consoleMembers.state.pending',
} as const satisfies Record<string, PlainKey>

export const rightWords = {
  any: 'consoleMembers.right.any',
  news: 'consoleMembers.right.news',
  employee: 'consoleMembers.right.employee',
  finance: 'consoleMembers.right.finance',
  coins: 'consoleMembers.right.coins',
  admin: 'consoleMembers.right.admin',
} as const satisfies Record<MemberRight, PlainKey>

export const levelWords = {
  0: 'consoleMembers.level.0',
  1: 'consoleMembers.level.1',
  2: 'consoleMembers.level.2',
} as const satisfies Record<0 | 1 | 2, PlainKey>

export const needWords = {
  password: 'consoleMembers.rights.needs.password',
  second_factor: 'consoleMembers.rights.needs.second_factor',
} as const satisfies Record<NonNullable<ConsoleMember['waitingRights']>['needs'][number], PlainKey>

export const kycWords = {
  none: 'consoleMembers.kyc.none',
  submitted: 'consoleMembers.kyc.submitted',
  in_review: 'consoleMembers.kyc.in_review',
  approved: 'consoleMembers.kyc.approved',
  rejected: 'consoleMembers.kyc.rejected',
  more_info: 'consoleMembers.kyc.more_info',
  expired: 'consoleMembers.kyc.expired',
  withdrawn: 'consoleMembers.kyc.withdrawn',
} as const satisfies Record<ConsoleMember['kyc'], PlainKey>

export const factorWords = {
  passkey: 'consoleMembers.factor.passkey',
  totp: 'consoleMembers.factor.totp',
  recovery: 'consoleMembers.factor.recovery',
} as const satisfies Record<string, PlainKey>

export const noteWords = {
  note: 'consoleMembers.note.note',
  deactivated: 'consoleMembers.note.deactivated',
  activated: 'consoleMembers.note.activated',
  rights: 'consoleMembers.note.rights',
  export: 'consoleMembers.note.export',
  erasure: 'consoleMembers.note.erasure',
} as const satisfies Record<MemberNote['kind'], PlainKey>

export const mailStateWords = {
  waiting: 'consoleMembers.timeline.mail.waiting',
  sent: 'consoleMembers.timeline.mail.sent',
  failed: 'consoleMembers.timeline.mail.failed',
} as const satisfies Record<string, PlainKey>

export const stepWords = {
  placed: 'consoleMembers.step.placed',
  payment_reported: 'consoleMembers.step.payment_reported',
  payment_dropped: 'consoleMembers.step.payment_dropped',
  completed: 'consoleMembers.step.completed',
  cancelled: 'consoleMembers.step.cancelled',
  entered: 'consoleMembers.step.entered',
  reported_late: 'consoleMembers.step.reported_late',
  unpaid: 'consoleMembers.step.unpaid',
  withdrawn: 'consoleMembers.step.withdrawn',
  address_given: 'consoleMembers.step.address_given',
  corrected: 'consoleMembers.step.corrected',
  transaction_shared: 'consoleMembers.step.transaction_shared',
  disputed: 'consoleMembers.step.disputed',
  deadline_extended: 'consoleMembers.step.deadline_extended',
  payable: 'consoleMembers.step.payable',
  payment_recorded: 'consoleMembers.step.payment_recorded',
  correction_proposed: 'consoleMembers.step.correction_proposed',
  completion_proposed: 'consoleMembers.step.completion_proposed',
  completion_declined: 'consoleMembers.step.completion_declined',
  completion_lapsed: 'consoleMembers.step.completion_lapsed',
  transaction_taken: 'consoleMembers.step.transaction_taken',
  withdrawal_requested: 'consoleMembers.step.withdrawal_requested',
  withdrawal_accepted: 'consoleMembers.step.withdrawal_accepted',
  withdrawal_refused: 'consoleMembers.step.withdrawal_refused',
  withdrawal_closed: 'consoleMembers.step.withdrawal_closed',
  withdrawal_proposed: 'consoleMembers.step.withdrawal_proposed',
  refunded: 'consoleMembers.step.refunded',
} as const satisfies Record<ConsoleStepKind, PlainKey>

/** By the actions of the audit log that are about a member. */
export const changeWords = {
  joined: 'consoleMembers.change.joined',
  'member-updated': 'consoleMembers.change.member-updated',
  'password-changed': 'consoleMembers.change.password-changed',
  'email-changed': 'consoleMembers.change.email-changed',
  'rights-granted-by-setting': 'consoleMembers.change.rights-granted-by-setting',
  'factors-ended': 'consoleMembers.change.factors-ended',
  'second-factor-added': 'consoleMembers.change.second-factor-added',
  'second-factor-removed': 'consoleMembers.change.second-factor-removed',
  'passkey-added': 'consoleMembers.change.passkey-added',
  'passkey-removed': 'consoleMembers.change.passkey-removed',
  'recovery-codes-renewed': 'consoleMembers.change.recovery-codes-renewed',
  'consent-given': 'consoleMembers.change.consent-given',
  'refresh-token-reused': 'consoleMembers.change.refresh-token-reused',
  'member-exported': 'consoleMembers.change.member-exported',
  'phrase-set': 'consoleMembers.change.phrase-set',
  'phrase-changed': 'consoleMembers.change.phrase-changed',
  'mailbox-proved': 'consoleMembers.change.mailbox-proved',
  'phrase-removed': 'consoleMembers.change.phrase-removed',
  'kyc-handoff-made': 'consoleMembers.change.kyc-handoff-made',
  'kyc-handoff-opened': 'consoleMembers.change.kyc-handoff-opened',
  'kyc-handoff-ended': 'consoleMembers.change.kyc-handoff-ended',
  'lost-factor-asked': 'consoleMembers.change.lost-factor-asked',
  'lost-factor-opened': 'consoleMembers.change.lost-factor-opened',
  'lost-factor-confirmed': 'consoleMembers.change.lost-factor-confirmed',
  'lost-factor-declined': 'consoleMembers.change.lost-factor-declined',
  'lost-factor-stopped': 'consoleMembers.change.lost-factor-stopped',
  'lost-factor-done': 'consoleMembers.change.lost-factor-done',
  'activation-sent': 'consoleMembers.change.activation-sent',
  'reset-sent': 'consoleMembers.change.reset-sent',
  'export-offered': 'consoleMembers.change.export-offered',
  'sessions-ended': 'consoleMembers.change.sessions-ended',
  'mailbox-mark-removed': 'consoleMembers.change.mailbox-mark-removed',
  'note-removed': 'consoleMembers.change.note-removed',
  'erasure-opened': 'consoleMembers.change.erasure-opened',
  'erasure-dropped': 'consoleMembers.change.erasure-dropped',
} as const satisfies Record<string, PlainKey>
