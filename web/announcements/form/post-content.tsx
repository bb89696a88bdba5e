import { lazy, Suspense, useId, useState } from 'react'
import type { Language } from '#contract/fields.ts'
import { problemMessage } from '../../forms/problem-message.ts'
import type { ContractForm } from '../../forms/use-contract-form.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { FieldNotes } from '../../ui/field.tsx'
import { Loading } from '../../ui/loading.tsx'
import type { PostText } from '../autosaves/autosave.ts'
import styles from './post-form.module.css'

const RichTextEditor = lazy(() => import('../editor/editor.tsx'))

/** The content of a post in the editor, which loads when a form is opened. */
export function PostContent({ of, language }: { of: ContractForm<PostText>; language: Language }) {
  const { t } = useMessages()
  const id = useId()
  const [html] = useState(() => of.form.getValues('content'))
  const label = t(of.labels.content)
  const { error } = of.form.getFieldState('content', of.form.formState)
  const errorText = error?.message ?? ''
  return (
    <div>
      <p className={styles.label}>{label}</p>
      <Suspense
        fallback={
          <div className={styles.editorRoom}>
            <Loading label={label} />
          </div>
        }
      >
        <RichTextEditor
          html={html}
          label={label}
          language={language}
          describedBy={`${id}-error`}
          onChange={(next) =>
            of.form.setValue('content', next, { shouldDirty: true, shouldTouch: true, shouldValidate: true })
          }
        />
      </Suspense>
      <FieldNotes
        id={id}
        error={error && (error.type === 'server' ? errorText : problemMessage(t, errorText))}
      />
    </div>
  )
}
