import { useEffect, useMemo, useRef, useState, type BaseSyntheticEvent } from 'react'
import * as z from 'zod/mini'
import {
  announcementFields,
  type Announcement,
  type AnnouncementState,
} from '#contract/publishing/announcements.ts'
import { languages } from '#contract/platform/languages.ts'
import { CallFailed } from '../../kernel/call/call.ts'
import { failureMessage } from '../../kernel/actions/failure-message.ts'
import { useContractForm, type ContractForm } from '../../kernel/forms/use-contract-form.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import {
  presentationOf,
  textOf,
  type PostDraft,
  type PostText,
  type Presentation,
} from '../autosaves/autosave.ts'
import { basedOn, draftIn, statusOf, type State } from '../autosaves/autosave.reducer.ts'
import { useAutosave } from '../autosaves/use-autosave.ts'
import { notifyIfPermissionLost } from '../permission-lost.ts'
import { changePost, createPost, type Intent, type Saved } from './save-post.ts'

const announcement = z.object(announcementFields)

type EditedPost = Pick<
  Announcement,
  '_id' | 'title' | 'category' | 'language' | 'content' | 'lastEdited' | 'picture' | 'byline'
>

export type PostFormOptions = {
  /** The post to edit; without it a new one is created. */
  post?: EditedPost
  /** The state of the post being edited. */
  state?: AnnouncementState
  /** The post in the other language that the new post translates. */
  translationOf?: Pick<Announcement, '_id' | 'category' | 'language'>
  /** The autosave that the editor chose to resume. */
  autosaveId?: string | undefined
  onSaved: (saved: Saved) => void
  onCancel: () => void
}

function beginningOf({ post, translationOf }: PostFormOptions, language: PostText['language']): PostText {
  if (post) return textOf(post)
  if (!translationOf) return { title: '', category: '', language, content: '' }
  const other = languages.find((each) => each !== translationOf.language) ?? 'en'
  return { title: '', category: translationOf.category, language: other, content: '' }
}

/** The typed text, and how the post is presented, which only the autosave contains. */
const draftOf = (text: PostText, state: State): PostDraft => ({
  ...textOf(text),
  ...presentationOf(draftIn(state)),
})

/** The form of a post: its fields, saving, and autosave. */
export function usePostForm(options: PostFormOptions) {
  const { post, state: postState = 'published', translationOf, autosaveId, onSaved, onCancel } = options
  const { t, language } = useMessages()
  const [contentKey, setContentKey] = useState(0)
  const intent = useRef<Intent>({ kind: 'save' })
  /** The editor reads its content only once, so replacing the content remounts it. */
  function fill(text: PostText) {
    form.reset(textOf(text))
    setContentKey((key) => key + 1)
  }
  const autosave = useAutosave({
    place: { postId: post?._id ?? null, translationOf: (!post && translationOf?._id) || null },
    base: { draft: beginningOf(options, language), lastEdited: post?.lastEdited ?? null },
    chosen: autosaveId,
    fill,
  })
  const { state, dispatch, read } = autosave

  const contractForm = useContractForm<PostText>({
    schema: announcement,
    labels: {
      title: 'news.form.title',
      category: 'news.form.category',
      language: 'news.form.language',
      content: 'news.form.content',
    },
    defaultValues: textOf(draftIn(state)),
    submit: async (text) => {
      const draft = draftOf(form.getValues(), read())
      await autosave.beginSaving()
      const before = read()
      const presentation = presentationOf(draft)
      const given = { text, presentation, intent: intent.current, autosaveId: before.mine?.autosave.id }
      try {
        const saved = post
          ? await changePost({
              ...given,
              id: post._id,
              lastEdited: basedOn(before),
              state: postState,
              onSaved: (lastEdited) => dispatch({ type: 'saved', draft, lastEdited }),
            })
          : await createPost({ ...given, translationOf: translationOf?._id })
        dispatch({ type: 'close', isCancelled: false })
        onSaved(saved)
      } catch (failure) {
        dispatch({ type: 'saveFailed' })
        const isConflict = post && failure instanceof CallFailed && failure.code === 'conflict'
        if (isConflict && (await autosave.isInConflict())) return
        notifyIfPermissionLost(t, failure)
        throw failure
      }
    },
  })
  const { form } = contractForm

  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: () => dispatch({ type: 'typed', draft: draftOf(form.getValues(), read()) }),
      }),
    [form, dispatch, read],
  )

  const send = async (next: Intent | null, event?: BaseSyntheticEvent) => {
    if (next) intent.current = next
    await contractForm.send(event)
  }
  const of: ContractForm<PostText> = useMemo(
    () => ({
      ...contractForm,
      // Submitting the form saves; a retry repeats the action that failed.
      send: (event) => send(event ? { kind: 'save' } : null, event),
    }),
    // oxlint-disable-next-line react/exhaustive-deps -- `send` only passes the event on
    [contractForm],
  )
  return {
    of,
    send: (next: Intent) => send(next),
    text: () => textOf(form.getValues()),
    presentation: presentationOf(draftIn(state)),
    changePresentation: (change: Presentation) =>
      dispatch({ type: 'typed', draft: { ...draftOf(form.getValues(), read()), ...change } }),
    /** Puts a text into the form as if it had been typed. */
    fillIn: fill,
    contentKey,
    state,
    status: statusOf(state),
    dispatch,
    continueWith: (id: string) =>
      autosave.continueWith(id).catch((failure: unknown) => {
        notifyIfPermissionLost(t, failure)
        showNotice(failureMessage(t, failure), 'error')
      }),
    keepMine: () => {
      dispatch({ type: 'keepMine' })
      void send(null)
    },
    cancel: () => {
      dispatch({ type: 'close', isCancelled: true })
      onCancel()
    },
  }
}
