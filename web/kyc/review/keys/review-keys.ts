import type { PlainKey } from '../../../kernel/i18n/message-key.ts'

/** Single-key shortcuts, active if the reviewer has them switched on. */
export const reviewKeys = {
  next: { key: 'j', words: 'review.next' },
  previous: { key: 'k', words: 'review.previous' },
  back: { key: 'u', words: 'review.back' },
  take: { key: 't', words: 'review.take' },
  nextPhoto: { key: ']', words: 'review.photo.next' },
  previousPhoto: { key: '[', words: 'review.photo.previous' },
  larger: { key: '+', words: 'review.photo.larger' },
  smaller: { key: '-', words: 'review.photo.smaller' },
  whole: { key: '0', words: 'review.photo.whole' },
  width: { key: 'w', words: 'review.photo.width' },
  turn: { key: 'o', words: 'review.photo.turn' },
  accept: { key: 'a', words: 'review.photo.accept' },
  refuse: { key: 'r', words: 'review.photo.refuse' },
  approve: { key: 'p', words: 'review.approve' },
  more: { key: 'm', words: 'review.more' },
  reject: { key: 'x', words: 'review.reject' },
  reason: { key: 'e', words: 'review.keys.reason' },
  help: { key: '?', words: 'console.keys' },
} as const satisfies Record<string, { key: string; words: PlainKey }>

export type ReviewKey = keyof typeof reviewKeys

export const keyGroups: readonly { words: PlainKey; keys: readonly ReviewKey[] }[] = [
  { words: 'review.keys.group.cases', keys: ['next', 'previous', 'back', 'take'] },
  {
    words: 'review.keys.group.photos',
    keys: ['nextPhoto', 'previousPhoto', 'larger', 'smaller', 'whole', 'width', 'turn', 'accept', 'refuse'],
  },
  { words: 'review.keys.group.decision', keys: ['approve', 'more', 'reject', 'reason', 'help'] },
]

const byKey = new Map<string, ReviewKey>(
  (Object.keys(reviewKeys) as ReviewKey[]).map((name) => [reviewKeys[name].key, name]),
)

/** Returns the shortcut of a key. On many keyboards, plus is Shift and the equals sign. */
export const nameOfKey = (key: string): ReviewKey | undefined =>
  byKey.get(key === '=' ? '+' : key.toLowerCase())
