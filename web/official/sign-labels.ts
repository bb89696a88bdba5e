import { labelIn } from '../kernel/i18n/label-in.ts'
import type { UsedMessages } from '../kernel/i18n/messages.tsx'

/** Name of an item in the brand. Any other name is shown unchanged. */
export const channelName = (t: UsedMessages['t'], name: string): string =>
  labelIn(t, 'official.name', name) ?? name
