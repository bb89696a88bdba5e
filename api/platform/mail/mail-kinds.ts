import type en from '#content/emails/en.json'
import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import {
  optionalEmailAreas,
  type NotificationArea,
  type OptionalEmailArea,
} from '#contract/platform/notifications.ts'
import { invitationDays } from '#contract/people/staff-invitations.ts'
import { answerLinkDays, contactDays } from '#contract/people/conversations.ts'
import { pendingReminderDays } from '#contract/money/public-sale.ts'
import { pendingDays } from '#contract/publishing/newsletter.ts'

/** Texts that all emails share. */
type SharedText =
  | 'greeting'
  | 'signature'
  | 'footer'
  | 'footerEntered'
  | 'footerNews'
  | 'footerChoices'
  | 'official'
  | 'phrase'

/** Queries select emails by these prefixes, so the name decides which staff can read an email. */
type AboutFinance = `kyc-${string}` | `order-${string}` | `staff-order-${string}`

type Rule = {
  /** The placeholders of its texts, and `link` if it has a button. */
  values: readonly string[]
  /**
   * The staff who can see it in the console. `finance`: it reveals an identity decision or a purchase, so only finance
   * and administrators can.
   */
  readers: 'employee' | 'finance'
  /**
   * What happens if the mailbox refuses emails. `send`: always sent, because it warns of possible misuse of the account
   * or the site, contains the only link that stops it, or is its reader's only way to sign in. `try`: sent once a day to
   * test the mailbox. `withhold`: not sent, because anyone who knows the address can trigger it and would use up that
   * test; news is withheld as well.
   */
  refused: 'send' | 'try' | 'withhold'
  /** How long its code or link is valid after it was created. After that, the email is useless. */
  expiresAfter?: number
  /**
   * By default, the footer for members. `footerEntered`: the reader may have no account, because the address was typed
   * into a form. `footerNews`: the reader is a subscriber, and advertising laws require a postal address.
   */
  footer?: 'footerEntered' | 'footerNews'
  /**
   * The area of the notification that repeats the email in the member’s account. Emails with a code or a link that
   * expires, emails to people who may have no account, and emails about staff work have no notification.
   */
  area?: NotificationArea
  /** Where the notification leads. By default, the page of the email’s button, or the security page in that area. */
  opens?: `/account/${string}` | '/console/api-tokens'
  /**
   * Why it is sent even if the member turned off the emails about its area. `law`: it is the record of a contract or a
   * decision that the law requires, so a notification that can be overlooked is not enough. `money`: without it, the
   * member could miss a deadline, pay for a canceled order, pay twice, or not notice that someone else acts on an order.
   * Someone with a stolen session could turn off the emails that warn the member of this.
   */
  always?: 'law' | 'money'
}

/** Every email that the product sends. Its texts are in `content/emails`. */
export const mailKinds = {
  // With a requested code or link.
  activation: {
    values: ['code', 'link'],
    readers: 'employee',
    refused: 'send',
    expiresAfter: DAY,
    footer: 'footerEntered',
  },
  'choose-password': {
    values: ['link'],
    readers: 'employee',
    refused: 'send',
    expiresAfter: 30 * MINUTE,
    footer: 'footerEntered',
  },
  'password-reset': { values: ['link'], readers: 'employee', refused: 'send', expiresAfter: 30 * MINUTE },
  'administrator-password': {
    values: ['link', 'min', 'resetLink'],
    readers: 'employee',
    refused: 'send',
    expiresAfter: 30 * MINUTE,
  },
  'staff-invitation': {
    values: ['by', 'link', 'min'],
    readers: 'employee',
    refused: 'send',
    expiresAfter: invitationDays * DAY,
    footer: 'footerEntered',
  },
  'mailbox-code': { values: ['code', 'resetLink'], readers: 'employee', refused: 'send', expiresAfter: HOUR },
  'email-confirm': {
    values: ['code'],
    readers: 'employee',
    refused: 'send',
    expiresAfter: DAY,
    footer: 'footerEntered',
  },
  'email-change-confirm': {
    values: ['link'],
    readers: 'employee',
    refused: 'send',
    expiresAfter: 7 * DAY,
    footer: 'footerEntered',
  },
  'newsletter-confirm': {
    values: ['choice', 'link'],
    readers: 'employee',
    refused: 'send',
    expiresAfter: pendingDays * DAY,
    footer: 'footerEntered',
  },
  'reminder-confirm': {
    values: ['link'],
    readers: 'employee',
    refused: 'send',
    expiresAfter: pendingReminderDays * DAY,
    footer: 'footerEntered',
  },
  test: { values: [], readers: 'employee', refused: 'send' },
  // About an account.
  'already-member': { values: ['link', 'resetLink'], readers: 'employee', refused: 'withhold' },
  'account-closed': { values: [], readers: 'employee', refused: 'withhold' },
  'password-changed': { values: ['resetLink'], readers: 'employee', refused: 'send', area: 'security' },
  'staff-password-needed': {
    values: ['link', 'min'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
    opens: '/account/security#change-password',
  },
  'email-change-requested': {
    values: ['resetLink'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
    opens: '/account/user-info',
  },
  'email-change-opened': {
    values: ['stopLink', 'time'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
    opens: '/account/user-info',
  },
  'email-change-stopped': {
    values: ['resetLink'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
    opens: '/account/user-info',
  },
  'email-change-done': { values: ['link'], readers: 'employee', refused: 'send' },
  'email-changed': {
    values: [],
    readers: 'employee',
    refused: 'send',
    area: 'security',
    opens: '/account/user-info',
  },
  'rights-changed': { values: ['link', 'resetLink'], readers: 'employee', refused: 'send', area: 'security' },
  'rights-changed-by': { values: ['by', 'email', 'link', 'name'], readers: 'employee', refused: 'send' },
  'staff-erased': { values: ['email', 'link', 'name'], readers: 'employee', refused: 'send' },
  'staff-deactivated': { values: ['by', 'email', 'link', 'name'], readers: 'employee', refused: 'send' },
  'staff-reopened': { values: ['by', 'email', 'link', 'name'], readers: 'employee', refused: 'send' },
  'staff-signed-out': { values: ['by', 'email', 'link', 'name'], readers: 'employee', refused: 'send' },
  'staff-recovery-confirmed': {
    values: ['by', 'email', 'link', 'name'],
    readers: 'employee',
    refused: 'send',
  },
  'staff-email-change': { values: ['by', 'email', 'link', 'name'], readers: 'employee', refused: 'send' },
  'staff-invited': { values: ['by', 'email', 'link'], readers: 'employee', refused: 'send' },
  'staff-joined': { values: ['by', 'email', 'link'], readers: 'employee', refused: 'send' },
  'administrator-by-setting': { values: ['email', 'link', 'name'], readers: 'employee', refused: 'send' },
  'administrator-made': { values: ['email', 'name'], readers: 'employee', refused: 'send', area: 'security' },
  'account-deactivated': { values: [], readers: 'employee', refused: 'send', area: 'security' },
  'account-reopened': { values: ['link'], readers: 'employee', refused: 'send', area: 'security' },
  'account-reopened-inactive': { values: ['link'], readers: 'employee', refused: 'send', area: 'security' },
  'erasure-opened': {
    values: ['link', 'time'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
    opens: '/account/user-info#erase',
  },
  'erasure-dropped': {
    values: [],
    readers: 'employee',
    refused: 'send',
    area: 'security',
    opens: '/account/user-info#erase',
  },
  'account-erased': { values: ['kept'], readers: 'employee', refused: 'try' },
  'second-factor-added': { values: ['resetLink'], readers: 'employee', refused: 'send', area: 'security' },
  'second-factor-removed': { values: ['resetLink'], readers: 'employee', refused: 'send', area: 'security' },
  'factors-ended': { values: ['resetLink'], readers: 'employee', refused: 'send', area: 'security' },
  'passkey-added': { values: ['name', 'resetLink'], readers: 'employee', refused: 'send', area: 'security' },
  'passkey-removed': {
    values: ['name', 'resetLink'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
  },
  'recovery-codes-renewed': { values: ['resetLink'], readers: 'employee', refused: 'send', area: 'security' },
  'recovery-code-used': {
    values: ['left', 'resetLink'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
  },
  'new-sign-in': {
    values: ['device', 'place', 'resetLink', 'time'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
  },
  'wrong-factors': {
    values: ['count', 'device', 'max', 'place', 'resetLink', 'time'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
  },
  'session-copied': { values: ['resetLink'], readers: 'employee', refused: 'send', area: 'security' },
  'recovery-offered': { values: ['link'], readers: 'employee', refused: 'try' },
  'lost-factor-asked': {
    values: ['resetLink', 'stopLink'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
  },
  'lost-factor-opened': {
    values: ['resetLink', 'stopLink'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
  },
  'lost-factor-confirmed': {
    values: ['resetLink', 'stopLink'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
  },
  'lost-factor-declined': { values: ['resetLink'], readers: 'employee', refused: 'send', area: 'security' },
  'lost-factor-stopped': { values: ['resetLink'], readers: 'employee', refused: 'send', area: 'security' },
  'lost-factor-done': {
    values: ['link', 'resetLink'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
  },
  'data-export-offered': {
    values: ['link'],
    readers: 'employee',
    refused: 'try',
    area: 'security',
    opens: '/account/user-info#data',
  },
  'data-exported': {
    values: ['resetLink'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
    opens: '/account/user-info#data',
  },
  'phrase-set': {
    values: ['resetLink'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
    opens: '/account/user-info#phrase',
  },
  'phrase-changed': {
    values: ['resetLink'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
    opens: '/account/user-info#phrase',
  },
  'phrase-removed': {
    values: ['resetLink'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
    opens: '/account/user-info#phrase',
  },
  // About official items, payment destinations, and access by API clients and webhooks.
  'sale-address-changed': { values: ['addresses', 'link', 'name'], readers: 'employee', refused: 'send' },
  'sale-rate-changed': { values: ['link', 'name', 'rates'], readers: 'employee', refused: 'send' },
  'sale-cap-exceeded': {
    values: ['excess', 'link', 'name', 'reference'],
    readers: 'employee',
    refused: 'send',
  },
  'sale-rate-proposed': { values: ['link', 'name', 'rates'], readers: 'employee', refused: 'try' },
  'sale-terms-proposed': { values: ['link', 'name'], readers: 'employee', refused: 'try' },
  'four-eyes-off': { values: ['link'], readers: 'employee', refused: 'send' },
  'sale-address-proposed': { values: ['addresses', 'link', 'name'], readers: 'employee', refused: 'send' },
  'sale-proposal-declined': { values: ['link', 'name', 'reason'], readers: 'employee', refused: 'try' },
  'official-changed': { values: ['link', 'name', 'values'], readers: 'employee', refused: 'send' },
  'token-made': {
    values: ['date', 'link', 'name', 'resetLink'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
    opens: '/console/api-tokens',
  },
  'token-rotated': {
    values: ['date', 'link', 'name', 'resetLink'],
    readers: 'employee',
    refused: 'send',
    area: 'security',
    opens: '/console/api-tokens',
  },
  'token-ends': {
    values: ['date', 'link', 'name'],
    readers: 'employee',
    refused: 'try',
    area: 'security',
    opens: '/console/api-tokens',
  },
  'staff-webhook-added': { values: ['host', 'link'], readers: 'employee', refused: 'send' },
  'staff-webhook-moved': { values: ['host', 'link'], readers: 'employee', refused: 'send' },
  'staff-webhook-extended': { values: ['host', 'link'], readers: 'employee', refused: 'send' },
  'staff-webhook-disabled': { values: ['host', 'link'], readers: 'employee', refused: 'try' },
  'staff-webhook-gone': { values: ['host', 'link'], readers: 'employee', refused: 'try' },
  'staff-webhook-finance-lost': { values: ['host', 'link'], readers: 'employee', refused: 'try' },
  'content-proposed': { values: ['link', 'name', 'pieces'], readers: 'employee', refused: 'try' },
  'content-confirmed': { values: ['link', 'name', 'pieces'], readers: 'employee', refused: 'try' },
  'content-declined': { values: ['link', 'name', 'pieces', 'reason'], readers: 'employee', refused: 'try' },
  'content-lapsed': { values: ['link', 'pieces'], readers: 'employee', refused: 'try' },
  // About ambassadors.
  'ambassador-received': {
    values: ['date', 'link'],
    readers: 'employee',
    refused: 'withhold',
    footer: 'footerEntered',
  },
  'ambassador-declined': {
    values: ['date', 'reason'],
    readers: 'employee',
    refused: 'try',
    footer: 'footerEntered',
  },
  'ambassador-unanswered': { values: ['link'], readers: 'employee', refused: 'try', footer: 'footerEntered' },
  'ambassador-invited': { values: ['link'], readers: 'employee', refused: 'try', footer: 'footerEntered' },
  'ambassador-already': { values: ['link'], readers: 'employee', refused: 'try', footer: 'footerEntered' },
  'ambassador-again': { values: ['link'], readers: 'employee', refused: 'try', footer: 'footerEntered' },
  'ambassador-profile-approved': { values: ['link'], readers: 'employee', refused: 'try' },
  'ambassador-profile-returned': { values: ['link', 'reason'], readers: 'employee', refused: 'try' },
  'ambassador-hidden': { values: ['reason'], readers: 'employee', refused: 'try' },
  'ambassador-shown': { values: ['reason'], readers: 'employee', refused: 'try' },
  'ambassador-ended-unlisted': { values: ['reason'], readers: 'employee', refused: 'try' },
  'ambassador-ended': { values: ['reason'], readers: 'employee', refused: 'try' },
  // About identity.
  'kyc-submitted': { values: ['link'], readers: 'finance', refused: 'try', area: 'identity' },
  'kyc-in-review': { values: ['link'], readers: 'finance', refused: 'try', area: 'identity' },
  'kyc-approved': { values: ['link'], readers: 'finance', refused: 'try', area: 'identity' },
  'kyc-rejected': { values: ['link'], readers: 'finance', refused: 'try', area: 'identity' },
  'kyc-rejected-final': {
    values: ['link'],
    readers: 'finance',
    refused: 'try',
    area: 'identity',
    always: 'law',
  },
  'kyc-more-info': { values: ['link'], readers: 'finance', refused: 'try', area: 'identity' },
  'kyc-expires-soon': { values: ['date', 'link'], readers: 'finance', refused: 'try', area: 'identity' },
  'kyc-expired': { values: ['link'], readers: 'finance', refused: 'try', area: 'identity' },
  'kyc-withdrawn': { values: ['link'], readers: 'finance', refused: 'try', area: 'identity', always: 'law' },
  'kyc-removed': { values: ['link'], readers: 'finance', refused: 'try', area: 'identity' },
  'kyc-refusal-lifted': { values: ['link'], readers: 'finance', refused: 'try', area: 'identity' },
  'staff-kyc-shared': { values: ['link'], readers: 'employee', refused: 'try' },
  // About orders.
  'order-placed': {
    values: ['address', 'amount', 'deadline', 'link', 'quantity', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'law',
  },
  'order-placed-waiting': {
    values: ['address', 'amount', 'link', 'quantity', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'law',
  },
  'order-payable': {
    values: ['amount', 'deadline', 'link', 'quantity', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-reminder': {
    values: ['amount', 'deadline', 'link', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-unpaid': {
    values: ['deadline', 'link', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-unpaid-dropped': {
    values: ['link', 'reference', 'transaction'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-unpaid-unconfirmed': {
    values: ['link', 'reference', 'transaction'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-payment-dropped': {
    values: ['deadline', 'link', 'reference', 'transaction'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-payment-dropped-unconfirmed': {
    values: ['link', 'reference', 'transaction'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-withdrawn': {
    values: ['link', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-reported-late': {
    values: ['link', 'reference', 'transaction'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-address-given': {
    values: ['address', 'link', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-delivery-address-changed': {
    values: ['address', 'link', 'reference', 'time'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-delivery-address-needed': {
    values: ['link', 'quantity', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-corrected': {
    values: ['changes', 'link', 'reason', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'law',
  },
  'order-payment-reported': {
    values: ['address', 'link', 'reference', 'transaction'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-transaction-added': {
    values: ['link', 'reference', 'transaction'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-payment-seen': {
    values: ['link', 'reference', 'transaction'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
  },
  'order-payment-seen-late': {
    values: ['link', 'reference', 'transaction'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-other-transaction': {
    values: ['link', 'reference', 'transaction'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-disputed': {
    values: ['link', 'reference', 'transaction'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-disputed-seen': {
    values: ['link', 'reference', 'transaction'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
  },
  'order-deadline-extended': {
    values: ['deadline', 'link', 'reason', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
  },
  'order-deadline-extended-unconfirmed': {
    values: ['deadline', 'link', 'reason', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-completed': {
    values: ['address', 'due', 'first', 'link', 'quantity', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
  },
  'order-completed-unpaid': {
    values: ['address', 'due', 'first', 'link', 'quantity', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
  },
  'order-cancelled': {
    values: ['link', 'reason', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-cancelled-paid': {
    values: ['link', 'reason', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-paid-again': {
    values: ['link', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-paid-cancelled': {
    values: ['link', 'reference'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'money',
  },
  'order-withdrawal-received': {
    values: ['address', 'amount', 'deadline', 'link', 'reference', 'requested', 'withdrawal'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'law',
  },
  'order-refund-opened': {
    values: ['address', 'deadline', 'link', 'reason', 'reference', 'withdrawal'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'law',
  },
  'order-refund-opened-unconfirmed': {
    values: ['address', 'deadline', 'link', 'reason', 'reference', 'withdrawal'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'law',
  },
  'order-withdrawal-unpaid': {
    values: ['link', 'reference', 'requested', 'withdrawal'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'law',
  },
  'order-withdrawal-accepted': {
    values: ['address', 'amount', 'deadline', 'link', 'reason', 'reference', 'withdrawal'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'law',
  },
  'order-withdrawal-refused': {
    values: ['link', 'reason', 'reference', 'withdrawal'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'law',
  },
  'order-withdrawal-closed': {
    values: ['link', 'reason', 'reference', 'withdrawal'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'law',
  },
  'order-delivery-confirmed': {
    values: ['address', 'due', 'link', 'locked', 'next', 'quantity', 'reference', 'transaction'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
  },
  'order-refunded': {
    values: ['address', 'amount', 'date', 'link', 'reason', 'reference', 'transaction', 'withdrawal'],
    readers: 'finance',
    refused: 'try',
    area: 'orders',
    always: 'law',
  },
  'staff-order-late': { values: ['link', 'reference'], readers: 'finance', refused: 'try' },
  'staff-order-disputed': { values: ['link', 'reference'], readers: 'finance', refused: 'try' },
  'staff-order-unexpected': { values: ['link', 'reference'], readers: 'finance', refused: 'try' },
  'staff-order-disputed-seen': { values: ['link', 'reference'], readers: 'finance', refused: 'try' },
  'staff-order-second': { values: ['link', 'reference'], readers: 'finance', refused: 'try' },
  'staff-order-payout-second': {
    values: ['count', 'hash', 'link', 'name', 'number', 'quantity'],
    readers: 'finance',
    refused: 'try',
  },
  'staff-order-payout-cancel': {
    values: ['link', 'name', 'number', 'reason'],
    readers: 'finance',
    refused: 'try',
  },
  'staff-order-payout-unmatched': { values: ['count', 'link'], readers: 'finance', refused: 'try' },
  'staff-order-declined': { values: ['link', 'reason', 'reference'], readers: 'finance', refused: 'try' },
  'staff-order-lapsed': { values: ['link', 'reference'], readers: 'finance', refused: 'try' },
  'staff-backup-missing': { values: ['link'], readers: 'employee', refused: 'send' },
  'staff-rights-by-command': { values: ['email', 'link', 'name'], readers: 'employee', refused: 'send' },
  'staff-factors-by-command': { values: ['email', 'link', 'name'], readers: 'employee', refused: 'send' },
  'staff-digest': { values: ['items', 'link'], readers: 'employee', refused: 'try' },
  'staff-orders-waiting': { values: ['count', 'link'], readers: 'employee', refused: 'try' },
  'staff-orders-not-payable': { values: ['count', 'link'], readers: 'employee', refused: 'try' },
  'staff-withdrawal': { values: ['link', 'reference'], readers: 'employee', refused: 'try' },
  'staff-withdrawal-second': { values: ['link', 'reference'], readers: 'employee', refused: 'try' },
  // About messages. An email to a member says neither what the message contains nor what it is about.
  'message-received': { values: ['link'], readers: 'employee', refused: 'try', area: 'messages' },
  'contact-confirm': {
    values: ['link'],
    readers: 'employee',
    refused: 'send',
    expiresAfter: contactDays * DAY,
    footer: 'footerEntered',
  },
  'contact-answer': {
    values: ['link', 'text'],
    readers: 'employee',
    refused: 'try',
    expiresAfter: answerLinkDays * DAY,
    footer: 'footerEntered',
  },
  // News.
  'reminder-sale-open': {
    values: ['link', 'manageLink'],
    readers: 'employee',
    refused: 'withhold',
    footer: 'footerNews',
  },
  'newsletter-already': { values: ['link'], readers: 'employee', refused: 'withhold', footer: 'footerNews' },
  'news-post': {
    values: ['date', 'excerpt', 'guide', 'keyId', 'link', 'manageLink', 'postTitle'],
    readers: 'employee',
    refused: 'withhold',
    footer: 'footerNews',
  },
  'news-digest': {
    values: ['date', 'guide', 'link', 'manageLink', 'posts'],
    readers: 'employee',
    refused: 'withhold',
    footer: 'footerNews',
  },
} as const satisfies {
  readonly [Kind in Exclude<keyof typeof en, SharedText>]: Rule & {
    readers: Kind extends AboutFinance ? 'finance' : 'employee'
  }
}

export type MailKind = keyof typeof mailKinds
/** For several kinds, the values that any of them needs. */
export type MailValue<Kind extends MailKind> = (typeof mailKinds)[Kind]['values'][number]

type WithCode = { [Kind in MailKind]: 'code' extends MailValue<Kind> ? Kind : never }[MailKind]

/** An email with a code that has no period of validity doesn't compile. */
const rules: Readonly<Record<string, Rule>> = mailKinds satisfies Readonly<
  Record<WithCode, { expiresAfter: number }>
>

/** The outbox may contain kinds of earlier releases, which have no rule. */
export const mailRuleOf = (kind: string): Rule | undefined => (isMailKind(kind) ? rules[kind] : undefined)

export const isMailKind = (kind: string): kind is MailKind => Object.hasOwn(mailKinds, kind)

/** The area of an email that its reader can turn off, even if this one is always sent. */
export const optionalAreaOf = (kind: string): OptionalEmailArea | undefined =>
  optionalEmailAreas.find((area) => area === mailRuleOf(kind)?.area)

/** The periods of validity, by kind. */
export const mailExpiry: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(rules).flatMap(([kind, { expiresAfter }]) =>
    expiresAfter === undefined ? [] : [[kind, expiresAfter]],
  ),
)

/** Emails to thousands of readers. No one waits for one, so all other emails go first. */
export const newsKinds: readonly MailKind[] = ['news-post', 'news-digest']

/** Also sent to a mailbox that refuses emails, as are emails resent by staff. */
export const isNeverWithheld = ({ kind, round_from }: { kind: string; round_from: number }): boolean =>
  round_from > 0 || mailRuleOf(kind)?.refused === 'send'

export const canBeTrial = (kind: string): boolean => mailRuleOf(kind)?.refused !== 'withhold'

/** Whether its reader can turn it off. It isn't sent to someone who reported an email as spam. */
export const canBeTurnedOff = (kind: string): boolean => {
  const rule = mailRuleOf(kind)
  return rule?.footer === 'footerNews' || (optionalAreaOf(kind) !== undefined && rule?.always === undefined)
}
