import { Editor, getSchema, type JSONContent } from '@tiptap/core'
import { DOMParser } from '@tiptap/pm/model'
import { useEffect, useId, useRef, useState } from 'react'
import type { Language } from '#contract/platform/fields.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'
import { loadMessages } from '../../kernel/content/load-messages.ts'
import type { Messages } from '../../kernel/i18n/message-key.ts'
import { useMessages, MessagesProvider } from '../../kernel/i18n/messages.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import { trustedHtml } from '../../kernel/ui/trusted-html.ts'
import { cleanPaste } from './clean-paste.ts'
import { extensions } from './extensions.ts'
import content from '../content.module.css'
import styles from './editor.module.css'
import { FilmPanel, LinkPanel, PicturePanel } from './panels.tsx'
import { Toolbar, type PanelName } from './toolbar.tsx'

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

/** Delay in milliseconds, so that a long post is not serialized on every keystroke. */
const changeDelay = 250

type EditorOptions = {
  html: string
  attributes: Record<string, string>
  onChange: (html: string) => void
  /** A picture was pasted or dropped. */
  onPicture: (file: File) => void
}

/** Creates the editor in `element`. The component rerenders whenever the state of the toolbar may have changed. */
function useEditor(element: HTMLElement | null, options: EditorOptions): Editor | null {
  const [editor, setEditor] = useState<Editor | null>(null)
  const [, setTurn] = useState(0)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    if (!element) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const made = new Editor({
      element,
      extensions,
      content: parsePost(latest.current.html),
      // The page has its own styles; those that the editor would inject are blocked by the Content-Security-Policy.
      injectCSS: false,
      editorProps: {
        attributes: latest.current.attributes,
        transformPastedHTML: (html) => cleanPaste(html, location.origin),
        handlePaste: (_view, event) => take(event.clipboardData),
        handleDrop: (_view, event, _slice, isMoved) => !isMoved && take(event.dataTransfer),
      },
      onTransaction: () => setTurn((turn) => turn + 1),
      onUpdate: () => {
        clearTimeout(timer)
        timer = setTimeout(report, changeDelay)
      },
      onBlur: () => report(),
    })
    function take(data: DataTransfer | null): boolean {
      const file = [...(data?.files ?? [])].find(({ type }) => type.startsWith('image/'))
      // Office programs add a picture of the copied text to the clipboard.
      if (!file || data?.types.includes('text/html')) return false
      latest.current.onPicture(file)
      return true
    }
    function report(): void {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      latest.current.onChange(made.isEmpty ? '' : made.getHTML())
    }
    // Runs before the listeners that save a closing page's text, so that they receive all of it.
    addEventListener('pagehide', report, { capture: true })
    setEditor(made)
    return () => {
      removeEventListener('pagehide', report, { capture: true })
      report()
      made.destroy()
      setEditor(null)
    }
  }, [element])
  return editor
}

/** Parses a stored post into the editor's document. Uses an inert document, where nothing loads or runs. */
function parsePost(html: string): JSONContent {
  const inert = document.implementation.createHTMLDocument('')
  inert.body.innerHTML = trustedHtml(html)
  return DOMParser.fromSchema(getSchema(extensions)).parse(inert.body).toJSON() as JSONContent
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
