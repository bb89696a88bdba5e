import { useState } from 'react'
import { uploadContentDocument } from '#contract/console-content-files.ts'
import { boundsOf } from '../../forms/field-bounds.ts'
import { useWords } from '../../i18n/words.tsx'
import { navigate } from '../../navigation/navigate.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from './content.module.css'
import { pathToItem } from './item-address.ts'

const baseSchema = uploadContentDocument.body.shape.base

/** A new document starts with a file name. */
export function AddDocument({ taken }: { taken: readonly string[] }) {
  const { t } = useWords()
  const [base, setBase] = useState('')
  const [isWrong, setWrong] = useState(false)
  const given = base.trim()
  const isTaken = taken.includes(`documents/${given}`)
  const add = () => {
    const isFine = baseSchema.safeParse(given).success && !isTaken
    setWrong(!isFine)
    if (isFine) void navigate(pathToItem(`documents/${given}`))
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
          setWrong(false)
        }}
      />
      <Button type="submit" kind="quiet">
        {t('consoleContent.document.new.go')}
      </Button>
    </form>
  )
}
