import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import {
  announcementFields,
  categories,
  createAnnouncement,
  listCategories,
  titleLengthMax,
  updateAnnouncement,
  type Announcement,
} from '#contract/announcements.ts'
import { languages } from '#contract/fields.ts'
import { call } from '../call.ts'
import { FormFrame } from '../forms/form-frame.tsx'
import { FormInput, FormSelect } from '../forms/form-input.tsx'
import { useContractForm } from '../forms/use-contract-form.ts'
import { useWords } from '../i18n/words.tsx'
import { useLoaded } from '../loaded/use-loaded.ts'
import { Button } from '../ui/button.tsx'
import { categoryWords } from './category-words.ts'
import { PostContent } from './post-content.tsx'
import { keepDraft, readDraft } from './post-draft.ts'
import styles from './post-form.module.css'
import { alertIfRightsLost } from './rights-lost.ts'

const announcement = z.object(announcementFields)

/** Creates a post, or changes the one given. What is typed survives a reload and a lost session; Cancel forgets it. */
export function PostForm({
  post,
  onSaved,
  onCancel,
}: {
  post?: Announcement
  onSaved: (post: Announcement) => void
  onCancel: () => void
}) {
  const { t, language } = useWords()
  const [draft] = useState(() => readDraft(post?._id))
  const known = useLoaded('categories', () => call(listCategories, {}))
  const postForm = useContractForm({
    schema: announcement,
    labels: {
      title: 'news.form.title',
      category: 'news.form.category',
      language: 'news.form.language',
      content: 'news.form.content',
    },
    defaultValues: draft ?? {
      title: post?.title ?? '',
      category: post?.category ?? '',
      language: post?.language ?? language,
      content: post?.content ?? '',
    },
    submit: async (given) => {
      try {
        const saved = post
          ? await call(updateAnnouncement, {
              body: { _id: post._id, lastEdited: post.lastEdited, ...given },
            })
          : await call(createAnnouncement, { body: given })
        keepDraft(post?._id, null)
        onSaved(saved)
      } catch (failure) {
        alertIfRightsLost(t, failure)
        throw failure
      }
    },
  })

  const { form } = postForm
  useEffect(() => form.setFocus('title'), [form])
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => keepDraft(post?._id, values),
      }),
    [form, post?._id],
  )
  function cancel() {
    keepDraft(post?._id, null)
    onCancel()
  }

  const names = (known.state === 'ready' ? known.data : categories).map(({ name }) => name)
  return (
    <div className={styles.form}>
      <h2>{t(post ? 'news.form.editHeading' : 'news.form.heading')}</h2>
      {draft && <p className={styles.restored}>{t('news.form.restored')}</p>}
      <FormFrame
        of={postForm}
        submitLabel={t(post ? 'news.form.save' : 'news.form.publish')}
        busyLabel={t('forms.sending')}
        beside={
          <Button kind="quiet" disabled={postForm.isSending} onClick={cancel}>
            {t('forms.cancel')}
          </Button>
        }
      >
        <FormInput of={postForm} name="title" autoComplete="off" limits={{ max: titleLengthMax }} />
        <div className={styles.pair}>
          <FormSelect of={postForm} name="category">
            <option value="">{t('news.form.choose')}</option>
            {names.map((name) => {
              const words = categoryWords(name)
              return (
                <option key={name} value={name}>
                  {words ? t(words) : name}
                </option>
              )
            })}
          </FormSelect>
          <FormSelect of={postForm} name="language">
            {languages.map((each) => (
              <option key={each} value={each}>
                {t(each === 'en' ? 'news.form.english' : 'news.form.chinese')}
              </option>
            ))}
          </FormSelect>
        </div>
        <PostContent of={postForm} language={postForm.values.language ?? language} />
      </FormFrame>
    </div>
  )
}
