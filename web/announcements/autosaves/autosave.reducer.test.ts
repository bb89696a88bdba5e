import { expect, test } from 'vitest'
import type { NewsroomPostWhole } from '#contract/publishing/newsroom.ts'
import { textOf, type Autosave, type PostDraft, type PostText } from './autosave.ts'
import {
  basedOn,
  begin,
  copiesInTab,
  draftIn,
  reduce,
  restAfterTyping,
  retryAfter,
  statusOf,
  type Event,
  type State,
} from './autosave.reducer.ts'

const now = Date.parse('2026-11-22T10:00:00.000Z')
const given = { now, newId: 'fresh' }
const asStored: PostText = { title: 'As stored', category: 'Events', language: 'en', content: '<p>1</p>' }
const typedText = { ...asStored, content: '<p>typed</p>' }
const furtherText = { ...asStored, content: '<p>typed further</p>' }
const saved: Autosave = { ...typedText, id: 'mine', basedOn: 'monday', savedAt: '2026-11-22T09:00:00.000Z' }
const elsewhere = { ...saved, id: 'elsewhere', content: '<p>typed elsewhere</p>' }
const theirs = { ...asStored, content: '<p>theirs</p>', lastEdited: 'tuesday' } as NewsroomPostWhole

const aPost = { postId: 'p', translationOf: null }
const base = { draft: asStored, lastEdited: 'monday' }
const after = (state: State, ...events: Event[]): State =>
  events.reduce((before, event) => reduce(before, event, given)[0], state)

const nothing = { mine: null, aside: null }
const clean = begin(aPost, base, nothing, now)
const dirty = begin(aPost, base, { mine: saved, aside: null }, now)
const conflict = after(dirty, { type: 'stored', post: theirs })
const cleanConflict = after(clean, { type: 'stored', post: theirs })
const closed = after(dirty, { type: 'close', isCancelled: false })
const saving = after(dirty, { type: 'saving' })
const states = { clean, dirty, conflict, cleanConflict, closed, saving }

const events: { [Type in Event['type']]: Extract<Event, { type: Type }> } = {
  typed: { type: 'typed', draft: furtherText },
  flush: { type: 'flush', isLast: false },
  sent: { type: 'sent', autosave: saved, storedAt: 'ten' },
  notSent: { type: 'notSent', autosave: saved, why: 'unreached' },
  found: { type: 'found', others: [elsewhere], wanted: elsewhere, isChosen: false },
  continue: { type: 'continue', autosave: elsewhere },
  discard: { type: 'discard' },
  discardOther: { type: 'discardOther', id: 'elsewhere' },
  stored: { type: 'stored', post: theirs },
  keepMine: { type: 'keepMine' },
  useTheirs: { type: 'useTheirs' },
  showConflict: { type: 'showConflict', isShown: false },
  saving: { type: 'saving' },
  saved: { type: 'saved', draft: typedText, lastEdited: 'wednesday' },
  saveFailed: { type: 'saveFailed' },
  close: { type: 'close', isCancelled: true },
}

/** The next state and its effects. A closed form has none. */
const table: Record<Event['type'], Record<keyof typeof states, string>> = {
  typed: row('dirty', 'dirty', 'conflict', 'conflict', 'dirty'),
  flush: row('clean', 'dirty send', 'conflict send', 'conflict', 'dirty'),
  sent: row('clean', 'dirty', 'conflict', 'conflict', 'dirty'),
  notSent: row('clean', 'dirty', 'conflict', 'conflict', 'dirty'),
  found: row('dirty fill check', 'dirty setAside', 'conflict setAside', 'dirty fill check', 'dirty setAside'),
  continue: row(
    'dirty fill check',
    'dirty setAside fill check',
    'dirty setAside fill check',
    'dirty fill check',
    'dirty setAside fill check',
  ),
  discard: row('clean fill', 'clean drop fill', 'clean drop fill', 'clean fill', 'clean drop fill'),
  discardOther: row('clean drop', 'dirty drop', 'conflict drop', 'conflict drop', 'dirty drop'),
  stored: row('conflict', 'conflict', 'conflict', 'conflict', 'conflict'),
  keepMine: row('clean', 'dirty', 'dirty', 'dirty', 'dirty'),
  useTheirs: row('clean', 'dirty', 'clean setAside fill', 'clean fill', 'dirty'),
  showConflict: row('clean', 'dirty', 'conflict', 'conflict', 'dirty'),
  saving: row('clean', 'dirty', 'conflict', 'conflict', 'dirty'),
  saved: row('clean', 'clean', 'clean', 'clean', 'clean'),
  saveFailed: row('clean', 'dirty', 'conflict', 'conflict', 'dirty'),
  close: row('clean', 'clean drop', 'clean drop', 'clean', 'clean drop'),
}

function row(clean: string, dirty: string, conflict: string, cleanConflict: string, saving: string) {
  return { clean, dirty, conflict, cleanConflict, closed: 'clean', saving }
}

const cases = Object.keys(table).flatMap((type) =>
  Object.keys(states).map((name) => [type as Event['type'], name as keyof typeof states] as const),
)

test.each(cases)('%s in the state %s', (type, name) => {
  const [next, ...effects] = reduce(states[name], events[type], given)
  expect([next.kind, ...effects.map((effect) => effect.do)].join(' ')).toBe(table[type][name])
  // Invariant: typed text is in the form, offered, saved, or was discarded by its editor.
  const isGivenUp = ['discard', 'saved', 'close'].includes(type)
  if (states[name].mine && !isGivenUp)
    expect([next.mine?.autosave.id, ...next.others.map(({ id }) => id)]).toContain('mine')
})

test("the first change creates an autosave based on the form's start, and unchanged text creates none", () => {
  expect(after(clean, { type: 'typed', draft: { ...asStored } })).toBe(clean)
  const { mine } = after(clean, { type: 'typed', draft: typedText })
  expect(mine?.autosave).toEqual({
    ...typedText,
    id: 'fresh',
    basedOn: 'monday',
    savedAt: new Date(now).toISOString(),
  })
  expect(mine?.dueAt).toBe(now + restAfterTyping)
})

test('text filled into the form does not count as typing', () => {
  const next = after(clean, { type: 'continue', autosave: elsewhere })
  expect(after(next, { type: 'typed', draft: textOf(elsewhere) })).toBe(next)
})

test.each([
  ['a card picture', { card: { src: '/assets/media/news/a.webp', alt: 'A node' } }],
  ['no card picture', { card: null }],
  ['an author', { byline: 'self' }],
] as const)('choosing %s is autosaved like text', (_, chosen) => {
  const draft: PostDraft = { ...asStored, ...chosen }
  const changed = after(clean, { type: 'typed', draft })
  expect(changed).toMatchObject({ kind: 'dirty', mine: { autosave: draft, dueAt: now + restAfterTyping } })
  expect(after(changed, { type: 'typed', draft: structuredClone(draft) })).toBe(changed)
  const done = after(changed, { type: 'saving' }, { type: 'saved', draft, lastEdited: 'wednesday' })
  expect(done.kind).toBe('clean')
  expect(draftIn(done)).toEqual(draft)
  const meanwhile: Event = { type: 'typed', draft: { ...draft, byline: 'none' } }
  const more = after(changed, { type: 'saving' }, meanwhile, {
    type: 'saved',
    draft,
    lastEdited: 'wednesday',
  })
  expect(more.mine?.autosave).toMatchObject({ byline: 'none', basedOn: 'wednesday' })
})

test('taking theirs forgets the chosen card and author, and offers them with the text', () => {
  const draft: PostDraft = { ...typedText, card: null, byline: 'self' }
  const chosen = after(conflict, { type: 'typed', draft })
  const next = after(chosen, events.useTheirs)
  expect(draftIn(next)).toEqual(textOf(theirs))
  expect(next.others).toMatchObject([{ card: null, byline: 'self' }])
})

test('text found in the tab is sent, because the server may not have it', () => {
  expect(dirty.mine).toMatchObject({ restoredFrom: saved.savedAt, dueAt: now + restAfterTyping })
  expect(statusOf(dirty)).toEqual({ state: 'waiting', storedAt: null })
  expect(statusOf(clean)).toEqual({ state: 'nothing' })
})

test('an answer about text that has left the form changes nothing', () => {
  const next = after(dirty, { type: 'continue', autosave: elsewhere })
  expect(after(next, events.sent)).toBe(next)
  expect(after(next, events.notSent)).toBe(next)
})

test('failures are counted until an answer arrives, and each retry waits longer, up to a minute', () => {
  let state = dirty
  for (const wait of [...retryAfter, retryAfter.at(-1)!]) {
    state = after(state, events.flush, events.notSent)
    expect(state.mine?.dueAt).toBe(now + wait)
  }
  expect(after(state, events.flush, events.sent).mine).toMatchObject({ failure: null, dueAt: null })
})

test('text sent twice has arrived when one request succeeds', () => {
  const twice = after(dirty, events.flush, { type: 'flush', isLast: true }, events.sent, events.notSent)
  expect(statusOf(twice)).toEqual({ state: 'stored', storedAt: 'ten' })
})

test('while the post is being saved nothing is sent, not even by a closing page', () => {
  expect(reduce(saving, { type: 'flush', isLast: true }, given)).toHaveLength(1)
  expect(after(saving, events.typed).mine?.dueAt).toBeNull()
  expect(saving.mine?.dueAt).toBeNull()
  expect(after(saving, events.typed, events.saveFailed).mine?.dueAt).toBe(now + restAfterTyping)
})

test('saving makes the form clean, and text typed meanwhile becomes a separate autosave', () => {
  const done = after(saving, events.saved)
  expect(done).toMatchObject({ kind: 'clean', base: { draft: typedText, lastEdited: 'wednesday' } })
  const more = after(saving, events.typed, events.saved, events.saveFailed)
  expect(more.mine).toMatchObject({
    autosave: { ...furtherText, id: 'fresh', basedOn: 'wednesday' },
    dueAt: now + restAfterTyping,
  })
})

test('a post has one autosave on the server: another one is resumed, or offered next to the typed text', () => {
  expect(after(clean, events.found).mine?.autosave).toEqual(elsewhere)
  expect(after(dirty, events.found)).toMatchObject({ mine: { autosave: saved }, others: [elsewhere] })
  const chosen = after(dirty, { ...events.found, isChosen: true })
  expect(chosen).toMatchObject({ mine: { autosave: elsewhere }, others: [saved] })
  expect(after(dirty, { ...events.found, wanted: saved })).toBe(dirty)
})

test('a new post may have many: they are offered, and none is filled in unasked', () => {
  const newPost = begin({ postId: null, translationOf: null }, base, nothing, now)
  const { content: _, ...listed } = elsewhere
  const next = after(newPost, { type: 'found', others: [listed], wanted: null, isChosen: false })
  expect(next).toMatchObject({ kind: 'clean', others: [listed] })
  expect(after(next, events.continue)).toMatchObject({ mine: { autosave: { basedOn: null } }, others: [] })
})

test("the tab stores the form's text, and the text of a post that it replaced", () => {
  expect(copiesInTab(clean)).toEqual({ mine: null, aside: null })
  const next = after(dirty, events.continue)
  expect(copiesInTab(next)).toEqual({ mine: elsewhere, aside: saved })
  const back = after(next, { type: 'continue', autosave: saved })
  expect(copiesInTab(back)).toEqual({ mine: saved, aside: elsewhere })
  expect(copiesInTab(after(back, events.discardOther))).toEqual({ mine: saved, aside: null })
  expect(copiesInTab(closed)).toEqual({ mine: null, aside: null })
  expect(begin(aPost, base, { mine: null, aside: saved }, now).others).toEqual([saved])
})

test('the stored post conflicts only if it changed since the text was started', () => {
  expect(after(dirty, { type: 'stored', post: { ...theirs, lastEdited: 'monday' } })).toBe(dirty)
  expect(conflict).toMatchObject({ theirs, isShown: true, mine: { autosave: saved } })
})

test('text typed during a conflict, hidden or not, is sent', () => {
  const next = after(conflict, events.showConflict, events.typed)
  expect(next).toMatchObject({ kind: 'conflict', isShown: false, mine: { autosave: furtherText } })
  const [, effect] = reduce(next, events.flush, given)
  expect(effect).toEqual({ do: 'send', autosave: next.mine?.autosave, isLast: false })
})

test('keeping mine saves it over theirs, even if nothing was typed', () => {
  expect(basedOn(conflict)).toBe('monday')
  const kept = after(conflict, events.keepMine)
  expect(kept).toMatchObject({ mine: { autosave: { ...typedText, id: 'mine' } } })
  expect(basedOn(kept)).toBe('tuesday')
  const untyped = after(cleanConflict, events.keepMine)
  expect(untyped.mine?.autosave).toMatchObject({ ...asStored, id: 'fresh', basedOn: 'tuesday' })
})

test('taking theirs fills it in, and offers mine if there is any', () => {
  const [next, aside, fill] = reduce(conflict, events.useTheirs, given)
  expect(next).toMatchObject({ kind: 'clean', others: [saved] })
  expect([basedOn(next), aside, fill]).toEqual([
    'tuesday',
    { do: 'setAside', autosave: saved },
    { do: 'fill', text: textOf(theirs) },
  ])
  expect(after(cleanConflict, events.useTheirs).others).toEqual([])
})

test('discarding starts over from the stored post, as far as it is known', () => {
  const [, , fill] = reduce(dirty, events.discard, given)
  expect(fill).toEqual({ do: 'fill', text: asStored })
  const [next, drop, theirsFilled] = reduce(conflict, events.discard, given)
  expect(basedOn(next)).toBe('tuesday')
  expect([drop, theirsFilled]).toEqual([
    { do: 'drop', id: 'mine' },
    { do: 'fill', text: textOf(theirs) },
  ])
})
