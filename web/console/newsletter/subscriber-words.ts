import type { SubscriberEnd, SubscriberState, NewsRhythm } from '#contract/newsletter.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import type { TagColour } from '../../ui/tag.tsx'

export const stateWords: Readonly<Record<SubscriberState, { words: PlainKey; colour: TagColour }>> = {
  pending: { words: 'consoleNewsletter.state.pending', colour: 'yellow' },
  active: { words: 'consoleNewsletter.state.active', colour: 'green' },
  ended: { words: 'consoleNewsletter.state.ended', colour: 'quiet' },
}

export const endWords: Readonly<Record<SubscriberEnd, PlainKey>> = {
  left: 'consoleNewsletter.ended.left',
  bounced: 'consoleNewsletter.ended.bounced',
  removed: 'consoleNewsletter.ended.removed',
}

export const rhythmWords: Readonly<Record<NewsRhythm, PlainKey>> = {
  each: 'consoleNewsletter.rhythm.each',
  weekly: 'consoleNewsletter.rhythm.weekly',
}

export const wayWords: Readonly<Record<string, PlainKey>> = {
  form: 'consoleNewsletter.way.form',
  account: 'consoleNewsletter.way.account',
}
