import { useCallback, useEffect, useMemo, useRef, useState, type BaseSyntheticEvent } from 'react'
import * as z from 'zod/mini'
import { announcementFields, type Announcement, type AnnouncementState } from '#contract/announcements.ts'
import { getNewsroomPost, type NewsroomPostWhole } from '#contract/newsroom.ts'
import { call, CallFailed, callUnseen } from '../../call/call.ts'
import { failureWords } from '../../forms/failure-words.ts'
import { useContractForm, type ContractForm } from '../../forms/use-contract-form.ts'
import { useWords } from '../../i18n/words.tsx'
import { showNotice } from '../../layout/notices.tsx'
import { useSession } from '../../session/session.ts'
import {
  isSameText,
  keepText,
  newCopyId,
  readKeptText,
  type FormPlace,
  type KeptText,
  type PostText,
} from './kept-text.ts'
import { alertIfRightsLost } from './rights-lost.ts'
import { changePost, createPost, type Intent, type Saved } from './save-post.ts'
import { dropCopy, useKeptText } from './use-kept-text.ts'
import { useUnfinished } from './use-unfinished.ts'

const announcement = z.object(announcementFields)

export type EditedPost = Pick<
  Announcement,
  '_id' | 'title' | 'category' | 'language' | 'content' | 'lastEdited'
>

export type PostFormOptions = {
  /** The post to change; without it a new one is made. */
  post?: EditedPost
  /** The state of the post that is changed. */
  state?: AnnouncementState
  /** The post in the other language that the new one is the translation of. */
  translationOf?: Pick<Announcement, '_id' | 'category' | 'language'>
  /** The unfinished text that was chosen to be gone on with. */
  copyId?: string | undefined
  onSaved: (saved: Saved) => void
  onCancel: () => void
}

function cleanText({ post, translationOf }: PostFormOptions, language: PostText['language']): PostText {
  if (post) {
    const { title, category, language, content } = post
    return { title, category, language, content }
  }
  if (translationOf)
    return {
      title: '',
      category: translationOf.category,
      language: translationOf.language === 'en' ? 'cn' : 'en',
      content: '',
    }
  return { title: '', category: '', language, content: '' }
}

const placeOf = ({ post, translationOf }: PostFormOptions): FormPlace =>
  post
    ? { kind: 'post', postId: post._id }
    : translationOf
      ? { kind: 'translation', postId: translationOf._id }
      : { kind: 'new' }

/** The form of a post: its fields, what is kept of them, what was left unfinished, and the conflict with another editor. */
export function usePostForm(options: PostFormOptions) {
  const { post, state = 'published', translationOf, copyId: chosen, onSaved, onCancel } = options
  const { t, language } = useWords()
  const { member } = useSession()
  const [memberId] = useState(() => member?.id ?? '')
  const [place] = useState(() => placeOf(options))
  const [start] = useState(() => readKeptText(place, memberId))
  const kept = useKeptText(place, memberId, {
    id: start?.copyId ?? '',
    basedOn: start ? start.basedOn : (post?.lastEdited ?? null),
  })
  const [restoredFrom, setRestoredFrom] = useState(start?.savedAt)
  const unfinished = useUnfinished(place, memberId, {
    chosen,
    ownCopyId: () => kept.copy().id,
    onFound: (text, isChosen) => {
      if (kept.copy().id && !isChosen) return false
      changeTo(text)
      return true
    },
  })
  /** What the form begins with, and when the stored post had last changed by then. */
  const clean = useRef({ text: cleanText(options, language), basedOn: post?.lastEdited ?? null })
  const [content, setContent] = useState({ turn: 0 })
  const [conflict, setConflict] = useState<{ theirs: NewsroomPostWhole; isShown: boolean }>()
  const intent = useRef<Intent>({ kind: 'save' })

  const contractForm = useContractForm<PostText>({
    schema: announcement,
    labels: {
      title: 'news.form.title',
      category: 'news.form.category',
      language: 'news.form.language',
      content: 'news.form.content',
    },
    defaultValues: start ?? clean.current.text,
    submit: async (text) => {
      await kept.stop()
      const given = { text, intent: intent.current, workingCopyId: kept.copy().id }
      try {
        const saved = post
          ? await changePost({
              ...given,
              id: post._id,
              lastEdited: kept.copy().basedOn,
              state,
              // The saving has ended the copy: what may follow is kept in another one.
              onSaved: (basedOn) => {
                kept.adopt({ id: newCopyId(), basedOn })
                keepText(place, memberId, typed())
              },
            })
          : await createPost({ ...given, translationOf: translationOf?._id })
        void kept.forget(true)
        onSaved(saved)
      } catch (failure) {
        kept.goOn()
        if (post && failure instanceof CallFailed && failure.code === 'conflict') {
          if (await findConflict(true)) return
        }
        alertIfRightsLost(t, failure)
        throw failure
      }
    },
  })
  const { form } = contractForm

  /** Whether the stored post is another one than the text began with. Then both are shown. */
  const findConflict = useCallback(
    async (isAsked: boolean) => {
      if (!post) return false
      const ask = isAsked ? call : callUnseen
      const theirs = await ask(getNewsroomPost, { params: { id: post._id } })
      if (theirs.lastEdited === kept.copy().basedOn) return false
      setConflict({ theirs, isShown: true })
      return true
    },
    // oxlint-disable-next-line react/exhaustive-deps -- the copy is read when it is needed
    [post?._id],
  )

  useEffect(() => form.setFocus('title'), [form])
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: () => {
          const text = textOf(form.getValues())
          if (kept.copy().id || !isSameText(text, clean.current.text)) kept.note(text)
        },
      }),
    // oxlint-disable-next-line react/exhaustive-deps -- its functions stay the same
    [form],
  )
  useEffect(() => {
    // It may have stayed in this tab alone.
    if (start) kept.note(textOf(start))
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the form opens
  }, [])
  useEffect(() => {
    // The page itself may be a moment old: the server is asked.
    if (start) void findConflict(false).catch(() => false)
  }, [start, findConflict])

  const typed = (): KeptText => {
    const { id: copyId, basedOn } = kept.copy()
    return { ...textOf(form.getValues()), copyId, basedOn, savedAt: new Date().toISOString() }
  }
  function goOnWith(text: KeptText) {
    kept.adopt({ id: text.copyId, basedOn: post ? text.basedOn : null })
    setText(text)
    setRestoredFrom(text.savedAt)
    void findConflict(false).catch(() => false)
  }
  /** What was typed in the meantime stays at hand in its turn. */
  function changeTo(text: KeptText) {
    if (kept.copy().id) unfinished.setAside(typed())
    unfinished.taken(text.copyId)
    goOnWith(text)
  }
  const setText = (text: PostText) => {
    form.reset(textOf(text))
    setContent(({ turn }) => ({ turn: turn + 1 }))
  }
  const send = async (next: Intent | null, event?: BaseSyntheticEvent) => {
    if (next) intent.current = next
    await contractForm.send(event)
  }
  const of: ContractForm<PostText> = useMemo(
    () => ({
      ...contractForm,
      // Sent by the form itself it saves; repeated after a failure it does what it did.
      send: (event) => send(event ? { kind: 'save' } : null, event),
    }),
    // oxlint-disable-next-line react/exhaustive-deps -- `send` only hands on
    [contractForm],
  )
  return {
    of,
    send: (next: Intent) => send(next),
    text: () => textOf(form.getValues()),
    keeping: kept.keeping,
    flush: kept.flush,
    /** When what was found again had been typed. */
    restoredFrom,
    /** The form begins anew, with what is saved. */
    discard: () => {
      if (kept.copy().id) void dropCopy(kept.copy().id)
      kept.adopt({ id: '', basedOn: clean.current.basedOn })
      keepText(place, memberId, null)
      setRestoredFrom(undefined)
      setConflict(undefined)
      setText(clean.current.text)
    },
    contentKey: content.turn,
    /** A text is put into the form as if it had been typed. */
    fillIn: (text: PostText) => setText(text),
    unfinished: unfinished.list,
    discardUnfinished: unfinished.discard,
    continueUnfinished: (copyId: string) =>
      unfinished.read(copyId).then(changeTo, (failure: unknown) => {
        alertIfRightsLost(t, failure)
        showNotice(failureWords(t, failure), 'error')
      }),
    conflict,
    keepMine: () => {
      if (!conflict) return
      kept.adopt({ ...kept.copy(), basedOn: conflict.theirs.lastEdited })
      setConflict(undefined)
      void send(null)
    },
    takeTheirs: () => {
      if (!conflict) return
      const { theirs } = conflict
      if (kept.copy().id) unfinished.setAside(typed())
      kept.adopt({ id: '', basedOn: theirs.lastEdited })
      keepText(place, memberId, null)
      clean.current = { text: textOf(theirs), basedOn: theirs.lastEdited }
      setRestoredFrom(undefined)
      setConflict(undefined)
      setText(clean.current.text)
    },
    showConflict: (isShown: boolean) => setConflict(conflict && { ...conflict, isShown }),
    cancel: () => {
      void kept.forget(false)
      onCancel()
    },
  }
}

const textOf = ({ title, category, language, content }: PostText): PostText => ({
  title,
  category,
  language,
  content,
})
