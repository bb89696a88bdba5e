import { expect, test } from 'vitest'
import { announcementStates, type AnnouncementState } from '#contract/publishing/announcements.ts'
import { isAllowed, isSameText, stateAfterTrash, type Transition } from './post.rules.ts'

const allowed: Record<AnnouncementState, Transition[]> = {
  draft: ['publish', 'schedule', 'delete'],
  scheduled: ['publish', 'schedule', 'unpublish', 'delete'],
  published: ['unpublish', 'delete'],
  deleted: ['restore'],
}

test.each(announcementStates)('allows exactly the valid transitions of %s', (state) => {
  const transitions: Transition[] = ['publish', 'schedule', 'unpublish', 'delete', 'restore']
  expect(transitions.filter((transition) => isAllowed(transition, state))).toEqual(allowed[state])
})

const now = new Date('2026-11-20T08:00:00.000Z')
const [before, after] = [new Date('2026-11-20T07:59:59.999Z'), new Date('2026-11-20T08:00:00.001Z')]

test.each([
  ['draft', null, 'draft'],
  ['published', null, 'published'],
  ['scheduled', after, 'scheduled'],
  ['scheduled', now, 'draft'],
  ['scheduled', before, 'draft'],
  ['scheduled', null, 'draft'],
  [null, null, 'draft'],
] as const)('what was %s until %o comes back as %o', (state, publishAt, back) => {
  expect(stateAfterTrash(state, publishAt, now)).toBe(back)
})

test('one different letter makes a different text', () => {
  const text = { title: 'a', category: 'b', language: 'en', content: 'c' }
  expect(isSameText(text, { ...text })).toBe(true)
  for (const field of Object.keys(text)) expect(isSameText(text, { ...text, [field]: 'x' })).toBe(false)
})
