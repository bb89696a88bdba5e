import { Editor, getSchema, type JSONContent } from '@tiptap/core'
import { useEffect, useRef, useState } from 'react'
import { cleanPaste } from './clean-paste.ts'
import { extensions } from './extensions.ts'
import { DOMParser } from '@tiptap/pm/model'
import { trustedHtml } from '../../ui/trusted-html.ts'

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
export function useEditor(element: HTMLElement | null, options: EditorOptions): Editor | null {
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
