import type { ConsoleMailState, MailTrouble } from '#contract/console-mails.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import type { TagColour } from '../../ui/tag.tsx'

export const stateWords: Readonly<Record<ConsoleMailState, { colour: TagColour; words: PlainKey }>> = {
  waiting: { colour: 'quiet', words: 'consoleMails.state.waiting' },
  sending: { colour: 'verdigris', words: 'consoleMails.state.sending' },
  retrying: { colour: 'yellow', words: 'consoleMails.state.retrying' },
  sent: { colour: 'green', words: 'consoleMails.state.sent' },
  failed: { colour: 'red', words: 'consoleMails.state.failed' },
  stopped: { colour: 'quiet', words: 'consoleMails.state.stopped' },
}

/** What each trouble is called, and what can be done about it. */
export const troubleWords: Readonly<Record<MailTrouble, { title: PlainKey; help: PlainKey }>> = {
  mailbox_unknown: {
    title: 'consoleMails.trouble.mailbox_unknown',
    help: 'consoleMails.trouble.mailbox_unknown.help',
  },
  mailbox_full: {
    title: 'consoleMails.trouble.mailbox_full',
    help: 'consoleMails.trouble.mailbox_full.help',
  },
  try_later: { title: 'consoleMails.trouble.try_later', help: 'consoleMails.trouble.try_later.help' },
  policy: { title: 'consoleMails.trouble.policy', help: 'consoleMails.trouble.policy.help' },
  sender_refused: {
    title: 'consoleMails.trouble.sender_refused',
    help: 'consoleMails.trouble.sender_refused.help',
  },
  relay_refused: {
    title: 'consoleMails.trouble.relay_refused',
    help: 'consoleMails.trouble.relay_refused.help',
  },
  too_large: { title: 'consoleMails.trouble.too_large', help: 'consoleMails.trouble.too_large.help' },
  address_invalid: {
    title: 'consoleMails.trouble.address_invalid',
    help: 'consoleMails.trouble.address_invalid.help',
  },
  refused: { title: 'consoleMails.trouble.refused', help: 'consoleMails.trouble.refused.help' },
  authentication: {
    title: 'consoleMails.trouble.authentication',
    help: 'consoleMails.trouble.authentication.help',
  },
  tls: { title: 'consoleMails.trouble.tls', help: 'consoleMails.trouble.tls.help' },
  connection_refused: {
    title: 'consoleMails.trouble.connection_refused',
    help: 'consoleMails.trouble.connection_refused.help',
  },
  host_unknown: {
    title: 'consoleMails.trouble.host_unknown',
    help: 'consoleMails.trouble.host_unknown.help',
  },
  timed_out: { title: 'consoleMails.trouble.timed_out', help: 'consoleMails.trouble.timed_out.help' },
  connection_lost: {
    title: 'consoleMails.trouble.connection_lost',
    help: 'consoleMails.trouble.connection_lost.help',
  },
  interrupted: { title: 'consoleMails.trouble.interrupted', help: 'consoleMails.trouble.interrupted.help' },
  code_expired: {
    title: 'consoleMails.trouble.code_expired',
    help: 'consoleMails.trouble.code_expired.help',
  },
  mailbox_marked: {
    title: 'consoleMails.trouble.mailbox_marked',
    help: 'consoleMails.trouble.mailbox_marked.help',
  },
  unreadable: { title: 'consoleMails.trouble.unreadable', help: 'consoleMails.trouble.unreadable.help' },
  unknown: { title: 'consoleMails.trouble.unknown', help: 'consoleMails.trouble.unknown.help' },
}
