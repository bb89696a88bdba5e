import { categoryNames } from '#contract/announcements.ts'
import {
  discardAutosave,
  getNewsroomPost,
  getAutosave,
  saveAutosave,
  listAutosaves,
} from '#contract/newsroom.ts'
import { CallFailed, callUnseen, type Call } from '../../call/call.ts'
import { currentSession } from '../../session/session.ts'
import { isPermissionLost } from '../permission-lost.ts'
import type { Autosave, Place, PostText } from './autosave.ts'
import type { Event } from './autosave.reducer.ts'
import type { Perform } from './autosaver.ts'

/** Performs the side effects of one form's autosave for this member. None of them prompts for a sign-in. */
export const performAs =
  (memberId: string, place: Place, fill: (text: PostText) => void): Perform =>
  (effect) => {
    if (effect.do === 'fill') return fill(effect.text)
    if (effect.do === 'check') return readStored(place)
    // Text that is still queued in a page must not be stored for the next member who signs in.
    const isTypist = currentSession().member?.id === memberId
    if (effect.do === 'drop')
      return isTypist
        ? callUnseen(discardAutosave, { params: { id: effect.id } }).then(() => undefined)
        : undefined
    const { autosave } = effect
    if (!isTypist) return Promise.resolve({ type: 'notSent', autosave, why: 'signedOut' })
    // The server keeps one autosave per post and member.
    if (effect.do === 'setAside')
      return send(autosave, place.postId ? { postId: null, translationOf: null } : place).then(
        () => undefined,
      )
    return send(autosave, place, effect.isLast).then(
      ({ savedAt: storedAt }): Event => ({ type: 'sent', autosave, storedAt }),
      (failure: unknown): Event => ({ type: 'notSent', autosave, why: explain(failure) }),
    )
  }

function send({ savedAt: _savedAt, ...autosave }: Autosave, place: Place, isLast = false) {
  const category = categoryNames.find((name) => name === autosave.category) ?? ''
  return callUnseen(saveAutosave, { body: { ...autosave, ...place, category } }, { isLast })
}

function explain(failure: unknown) {
  if (isPermissionLost(failure)) return 'signedOut'
  return failure instanceof CallFailed && [400, 404, 413].includes(failure.status) ? 'refused' : 'unreached'
}

export async function readStored({ postId }: Place, ask: Call = callUnseen): Promise<Event | void> {
  if (postId) return { type: 'stored', post: await ask(getNewsroomPost, { params: { id: postId } }) }
}

export async function readAutosave(id: string, ask: Call): Promise<Autosave> {
  const { title, category, language, content, basedOn, savedAt } = await ask(getAutosave, {
    params: { id },
  })
  return { id, title, category, language, content, basedOn, savedAt }
}

/**
 * Returns the autosaves of this form from any browser, newest first, and the one to resume: the one chosen before the
 * form opened, otherwise the server's autosave of this post.
 */
export async function findAutosaves(
  place: Place,
  chosen: string | undefined,
  ownId: () => string | undefined,
): Promise<Event> {
  const all = (await callUnseen(listAutosaves, {})).filter(({ id }) => id !== ownId())
  const here = all.filter(
    (each) => each.postId === place.postId && each.translationOf === place.translationOf,
  )
  const wanted = all.find(({ id }) => id === chosen) ?? (place.postId ? here[0] : undefined)
  return {
    type: 'found',
    others: here.map(({ id, title, savedAt }) => ({ id, title, savedAt })),
    wanted: wanted ? await readAutosave(wanted.id, callUnseen) : null,
    isChosen: wanted !== undefined && wanted.id === chosen,
  }
}
