import type { Editor } from '@tiptap/core'
import { useRef, useState, type KeyboardEvent } from 'react'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useMessages } from '../../i18n/messages.tsx'
import {
  alignmentOf,
  blockKindOf,
  clearFormats,
  indent,
  isRightToLeft,
  textStyleOf,
  setAlignment,
  setBlockKind,
  setTextStyle,
  toggleDirection,
  type BlockKind,
} from './commands.ts'
import { Glyph, type GlyphName } from './glyph.tsx'
import { textStyles, type TextStyleName } from './formats.ts'
import { alignmentLabels, blockLabels, textStyleLabels, valueLabels } from './toolbar-labels.ts'
import styles from './editor.module.css'

export type PanelName = 'link' | 'picture' | 'film'

type Tool = {
  glyph: GlyphName
  label: PlainKey
  /** Keyboard shortcut as shown to the reader. */
  keys?: string
  isOn?: boolean
  isOff?: boolean
  act: () => void
}

/** A single tab stop; arrow keys, Home and End move within it (WAI-ARIA toolbar). */
export function Toolbar({
  editor,
  controls,
  panel,
  onPanel,
}: {
  editor: Editor
  controls: string
  panel: PanelName | null
  onPanel: (panel: PanelName | null) => void
}) {
  const { t, nameValue, addNote } = useMessages()
  const ref = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(0)
  const run = () => editor.chain().focus()
  const mark = (name: string, glyph: GlyphName, label: PlainKey, keys?: string): Tool => ({
    glyph,
    label,
    ...(keys && { keys }),
    isOn: editor.isActive(name),
    act: () => void run().toggleMark(name).run(),
  })
  const opens = (name: PanelName, glyph: GlyphName, label: PlainKey, isOn = false): Tool => ({
    glyph,
    label,
    isOn: panel === name || isOn,
    act: () => onPanel(panel === name ? null : name),
  })
  const tools: Tool[] = [
    mark('bold', 'bold', 'editor.bold', 'Ctrl+B'),
    mark('italic', 'italic', 'editor.italic', 'Ctrl+I'),
    mark('underline', 'underline', 'editor.underline', 'Ctrl+U'),
    mark('strike', 'strike', 'editor.strike', 'Ctrl+Shift+S'),
    mark('code', 'code', 'editor.code', 'Ctrl+E'),
    mark('subscript', 'subscript', 'editor.subscript', 'Ctrl+,'),
    mark('superscript', 'superscript', 'editor.superscript', 'Ctrl+.'),
    {
      glyph: 'quote',
      label: 'editor.quote',
      keys: 'Ctrl+Shift+B',
      isOn: editor.isActive('blockquote'),
      act: () => void run().toggleBlockquote().run(),
    },
    {
      glyph: 'codeBlock',
      label: 'editor.codeBlock',
      keys: 'Ctrl+Alt+C',
      isOn: editor.isActive('codeBlock'),
      act: () => void run().toggleCodeBlock().run(),
    },
    {
      glyph: 'bullets',
      label: 'editor.bullets',
      keys: 'Ctrl+Shift+8',
      isOn: editor.isActive('bulletList'),
      act: () => void run().toggleBulletList().run(),
    },
    {
      glyph: 'numbers',
      label: 'editor.numbers',
      keys: 'Ctrl+Shift+7',
      isOn: editor.isActive('orderedList'),
      act: () => void run().toggleOrderedList().run(),
    },
    { glyph: 'outdent', label: 'editor.outdent', act: () => indent(editor, -1) },
    { glyph: 'indent', label: 'editor.indent', act: () => indent(editor, 1) },
    {
      glyph: 'rightToLeft',
      label: 'editor.rightToLeft',
      isOn: isRightToLeft(editor),
      act: () => toggleDirection(editor),
    },
    opens('link', 'link', 'editor.link', editor.isActive('link')),
    opens('picture', 'picture', 'editor.picture'),
    opens('film', 'film', 'editor.film'),
    { glyph: 'clear', label: 'editor.clear', act: () => clearFormats(editor) },
    {
      glyph: 'undo',
      label: 'editor.undo',
      keys: 'Ctrl+Z',
      isOff: !editor.can().undo(),
      act: () => void run().undo().run(),
    },
    {
      glyph: 'redo',
      label: 'editor.redo',
      keys: 'Ctrl+Shift+Z',
      isOff: !editor.can().redo(),
      act: () => void run().redo().run(),
    },
  ]
  const choices = [
    {
      label: 'editor.block' as const,
      value: blockKindOf(editor) as string,
      options: blockLabels.map(([value, words]) => [value, t(words)] as const),
      choose: (value: string) => setBlockKind(editor, value as BlockKind),
    },
    ...(Object.keys(textStyles) as TextStyleName[]).map((styleName) => ({
      label: textStyleLabels[styleName],
      value: textStyleOf(editor, styleName),
      options: [
        ['', t('editor.usual')] as const,
        ...textStyles[styleName].map((each) => [each, t(valueLabels[each])] as const),
      ],
      choose: (value: string) => setTextStyle(editor, styleName, value),
    })),
    {
      label: 'editor.align' as const,
      value: alignmentOf(editor),
      options: alignmentLabels.map(([value, words]) => [value, t(words)] as const),
      choose: (value: string) => setAlignment(editor, value),
    },
  ]

  function move(event: KeyboardEvent) {
    const items = [...(ref.current?.querySelectorAll<HTMLElement>('button, select') ?? [])]
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -items.length, End: items.length }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next =
      Math.abs(step) === 1 ? (at + step + items.length) % items.length : step < 0 ? 0 : items.length - 1
    setAt(next)
    items[next]?.focus()
  }
  const stop = (index: number) => ({ tabIndex: index === at ? 0 : -1, onFocus: () => setAt(index) })

  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- one of its buttons has the focus (WAI-ARIA toolbar)
    <div
      ref={ref}
      className={styles.toolbar}
      role="toolbar"
      aria-label={t('editor.toolbar')}
      aria-controls={controls}
      onKeyDown={move}
    >
      {choices.map(({ label, value, options, choose }, index) => (
        <select
          key={label}
          {...stop(index)}
          aria-label={t(label)}
          title={t(label)}
          value={value}
          onChange={(event) => choose(event.target.value)}
        >
          {options.map(([each, words]) => (
            <option key={each} value={each}>
              {each === '' ? nameValue(t(label), words) : words}
            </option>
          ))}
        </select>
      ))}
      {tools.map(({ glyph, label, keys, isOn, isOff, act }, index) => (
        <button
          key={glyph}
          type="button"
          {...stop(choices.length + index)}
          aria-label={t(label)}
          title={keys ? addNote(t(label), keys) : t(label)}
          aria-pressed={isOn}
          aria-disabled={isOff || undefined}
          // Keeps the selection in the text.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => !isOff && act()}
        >
          <Glyph name={glyph} />
        </button>
      ))}
    </div>
  )
}
