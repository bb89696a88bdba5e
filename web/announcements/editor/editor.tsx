import { useEffect, useId, useState } from 'react'
import type { Language } from '#contract/fields.ts'
import { htmlLanguage } from '../../i18n/language.ts'
import { loadMessages } from '../../content/load-messages.ts'
import type { Messages } from '../../i18n/message-key.ts'
import { useMessages, MessagesProvider } from '../../i18n/messages.tsx'
import { Loading } from '../../ui/loading.tsx'
import content from '../content.module.css'
import styles from './editor.module.css'
import { FilmPanel, LinkPanel, PicturePanel } from './panels.tsx'
import { Toolbar, type PanelName } from './toolbar.tsx'
import { useEditor } from './use-editor.ts'

type EditorProps = {
  html: string
  onChange: (html: string) => void
  label: string
  language: Language
  describedBy: string | undefined
}

/** The rich-text editor with its messages, which other visitors never load. */
export default function RichTextEditor(props: EditorProps) {
  const { language, setLanguage } = useMessages()
  const [messages, setMessages] = useState<Messages | null>(null)
  useEffect(() => {
    let isCurrent = true
    void loadMessages(language, ['editor', 'forms', 'errors']).then(
      (loaded) => isCurrent && setMessages(loaded),
    )
    return () => void (isCurrent = false)
  }, [language])
  if (!messages) return <Loading label={props.label} />
  return (
    <MessagesProvider value={{ language, messages, setLanguage }}>
      <Frame {...props} />
    </MessagesProvider>
  )
}

function Frame({ html, onChange, label, language, describedBy }: EditorProps) {
  const { t } = useMessages()
  const id = useId()
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [panel, setPanel] = useState<PanelName | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const editor = useEditor(element, {
    html,
    onChange,
    onPicture: (given) => {
      setFile(given)
      setPanel('picture')
    },
    attributes: {
      id: `${id}-text`,
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': label,
      'aria-required': 'true',
      ...(describedBy && { 'aria-describedby': describedBy }),
    },
  })
  function close() {
    setPanel(null)
    setFile(null)
    editor?.commands.focus()
  }
  return (
    <div className={styles.frame}>
      {editor && (
        <Toolbar editor={editor} controls={`${id}-text`} panel={panel} onPanel={(next) => setPanel(next)} />
      )}
      {editor && panel === 'link' && <LinkPanel editor={editor} onClose={close} />}
      {editor && panel === 'picture' && (
        <PicturePanel key={file?.name} editor={editor} file={file} onClose={close} />
      )}
      {editor && panel === 'film' && <FilmPanel editor={editor} onClose={close} />}
      <div
        ref={setElement}
        className={`${styles.text} ${content.content}`}
        lang={htmlLanguage[language]}
        data-empty={t('editor.placeholder')}
      />
    </div>
  )
}
