import {
  createAnnouncement,
  updateAnnouncement,
  type Announcement,
  type AnnouncementState,
} from '#contract/publishing/announcements.ts'
import { publishPost, schedulePost } from '#contract/publishing/newsroom.ts'
import { call } from '../../kernel/call/call.ts'
import { newId, type PostText, type Presentation } from '../autosaves/autosave.ts'
import type { Schedule } from '../schedule/use-schedule.ts'

/** The action of a form button. `save` keeps the state of an existing post and publishes a new one. */
export type Intent = { kind: 'save' | 'publish' | 'draft' } | ({ kind: 'schedule' } & Schedule)

export type Saved = {
  post: Announcement
  state: AnnouncementState
  publishAt: string | null
  /** Whether the post was not public before. */
  isPublishedNow: boolean
}

type SaveInput = {
  text: PostText
  presentation: Presentation
  intent: Intent
  /** Its autosave, which saving deletes. */
  autosaveId: string | undefined
}

const ends = (autosaveId: string | undefined) => autosaveId && { workingCopyId: autosaveId }

let tried: { text: string; key: string } | undefined

/** Idempotency key, so that sending again after a lost response does not create a second post. */
function keyOf(body: object): string {
  const text = JSON.stringify(body)
  if (tried?.text !== text) tried = { text, key: newId() }
  return tried.key
}

export async function createPost({
  text,
  presentation,
  intent,
  autosaveId,
  translationOf,
}: SaveInput & { translationOf: string | undefined }): Promise<Saved> {
  const isScheduled = intent.kind === 'schedule'
  const body = {
    ...text,
    ...presentation,
    ...(intent.kind === 'draft' && { status: 'draft' as const }),
    ...(isScheduled && { status: 'scheduled' as const, publishAt: intent.publishAt, zone: intent.zone }),
    ...(translationOf && { translationOf }),
    ...ends(autosaveId),
  }
  const post = await call(createAnnouncement, { body, idempotencyKey: keyOf(body) })
  tried = undefined
  const state = isScheduled ? 'scheduled' : intent.kind === 'draft' ? 'draft' : 'published'
  return {
    post,
    state,
    publishAt: isScheduled ? intent.publishAt : null,
    isPublishedNow: state === 'published',
  }
}

/**
 * `onSaved` receives the new `lastEdited` before the post is published or scheduled, because that step can still fail.
 */
export async function changePost({
  id,
  lastEdited,
  state,
  text,
  presentation,
  intent,
  autosaveId,
  onSaved,
}: SaveInput & {
  id: string
  lastEdited: string | null
  state: AnnouncementState
  onSaved: (lastEdited: string | null) => void
}): Promise<Saved> {
  const post = await call(updateAnnouncement, {
    body: { _id: id, lastEdited, ...text, ...presentation, ...ends(autosaveId) },
  })
  onSaved(post.lastEdited)
  const params = { id }
  if (intent.kind === 'publish') {
    const { lastEdited, postedDate } = await call(publishPost, {
      params,
      body: { lastEdited: post.lastEdited },
    })
    return {
      post: { ...post, lastEdited, postedDate },
      state: 'published',
      publishAt: null,
      isPublishedNow: true,
    }
  }
  if (intent.kind === 'schedule') {
    const { publishAt, zone } = intent
    const { lastEdited } = await call(schedulePost, {
      params,
      body: { publishAt, zone, lastEdited: post.lastEdited },
    })
    return { post: { ...post, lastEdited }, state: 'scheduled', publishAt, isPublishedNow: false }
  }
  return { post, state, publishAt: null, isPublishedNow: false }
}
