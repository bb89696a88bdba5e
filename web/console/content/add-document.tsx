import { useState } from 'react'
import { uploadContentDocument } from '#contract/console-content-files.ts'
import { boundsOf } from '../../forms/field-bounds.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { navigate } from '../../navigation/navigate.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from './content.module.css'
import { pathToItem } from './item-address.ts'

const baseSchema = uploadContentDocument.body.shape.base

/** A new document starts with a file name. */
export function AddDocument({ taken }: { taken: readonly string[] }) {
  const { t } = useMessages()
  const [base, setBase] = useState('')
  const [isWrong, setProblems] = useState(false)
  const documentName = base.trim()
  const isTaken = taken.includes(`documents/${documentName}`)
  const add = () => {
    const isFine = baseSchema.safeParse(documentName).success && !isTaken
    setProblems(!isFine)
    if (isFine) void navigate(pathToItem(`documents/${documentName}`))
  }
  return (
    <form
      className={styles.add}
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <TextField
        label={t('consoleContent.document.new')}
        help={t('consoleContent.document.new.help')}
        error={
          isWrong
            ? t(isTaken ? 'consoleContent.document.new.taken' : 'consoleContent.document.new.wrong')
            : undefined
        }
        value={base}
        maxLength={boundsOf(baseSchema).maxLength}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => {
          setBase(target.value)
          setProblems(false)
        }}
      />
      <Button type="submit" kind="quiet">
        {t('consoleContent.document.new.go')}
      </Button>
    </form>
  )
}
