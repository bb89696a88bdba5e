import type { Editor } from '@tiptap/core'
import { useState, type KeyboardEvent } from 'react'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useMessages, type UsedMessages } from '../../i18n/messages.tsx'
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

function formatTools(editor: Editor): Tool[] {
  const mark = (name: string, glyph: GlyphName, label: PlainKey, keys: string): Tool => ({
    glyph,
    label,
    keys,
    isOn: editor.isActive(name),
    act: () => void editor.chain().focus().toggleMark(name).run(),
  })
  return [
    mark('bold', 'bold', 'editor.bold', 'Ctrl+B'),
    mark('italic', 'italic', 'editor.italic', 'Ctrl+I'),
    mark('underline', 'underline', 'editor.underline', 'Ctrl+U'),
    mark('strike', 'strike', 'editor.strike', 'Ctrl+Shift+S'),
    mark('code', 'code', 'editor.code', 'Ctrl+E'),
    mark('subscript', 'subscript', 'editor.subscript', 'Ctrl+,'),
    mark('superscript', 'superscript', 'editor.superscript', 'Ctrl+.'),
  ]
}

function blockTools(editor: Editor): Tool[] {
  const run = () => editor.chain().focus()
  return [
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
  ]
}

function panelTools({ editor, panel, onPanel }: Props): Tool[] {
  const opens = (name: PanelName, label: PlainKey, isOn = false): Tool => ({
    glyph: name,
    label,
    isOn: panel === name || isOn,
    act: () => onPanel(panel === name ? null : name),
  })
  return [
    opens('link', 'editor.link', editor.isActive('link')),
    opens('picture', 'editor.picture'),
    opens('film', 'editor.film'),
  ]
}

function historyTools(editor: Editor): Tool[] {
  return [
    { glyph: 'clear', label: 'editor.clear', act: () => clearFormats(editor) },
    {
      glyph: 'undo',
      label: 'editor.undo',
      keys: 'Ctrl+Z',
      isOff: !editor.can().undo(),
      act: () => void editor.chain().focus().undo().run(),
    },
    {
      glyph: 'redo',
      label: 'editor.redo',
      keys: 'Ctrl+Shift+Z',
      isOff: !editor.can().redo(),
      act: () => void editor.chain().focus().redo().run(),
    },
  ]
}

type Choice = {
  label: PlainKey
  value: string
  options: readonly (readonly [value: string, words: string])[]
  choose: (value: string) => void
}

/** The kind of block, the styles of the text, and its alignment. */
const choicesFor = (editor: Editor, t: UsedMessages['t']): Choice[] => [
  {
    label: 'editor.block',
    value: blockKindOf(editor),
    options: blockLabels.map(([value, words]) => [value, t(words)]),
    choose: (value) => setBlockKind(editor, value as BlockKind),
  },
  ...(Object.keys(textStyles) as TextStyleName[]).map((styleName): Choice => ({
    label: textStyleLabels[styleName],
    value: textStyleOf(editor, styleName),
    options: [
      ['', t('editor.usual')],
      ...textStyles[styleName].map((each) => [each, t(valueLabels[each])] as const),
    ],
    choose: (value) => setTextStyle(editor, styleName, value),
  })),
  {
    label: 'editor.align',
    value: alignmentOf(editor),
    options: alignmentLabels.map(([value, words]) => [value, t(words)]),
    choose: (value) => setAlignment(editor, value),
  },
]

/** Makes the toolbar a single tab stop; arrow keys, Home and End move within it (WAI-ARIA toolbar). */
function useToolbarKeys() {
  const [at, setAt] = useState(0)
  return {
    move: (event: KeyboardEvent<HTMLElement>) => {
      const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button, select')]
      const step = { ArrowRight: 1, ArrowLeft: -1, Home: -items.length, End: items.length }[event.key]
      if (step === undefined) return
      event.preventDefault()
      const next =
        Math.abs(step) === 1 ? (at + step + items.length) % items.length : step < 0 ? 0 : items.length - 1
      setAt(next)
      items[next]?.focus()
    },
    stop: (index: number) => ({ tabIndex: index === at ? 0 : -1, onFocus: () => setAt(index) }),
  }
}

type Props = {
  editor: Editor
  controls: string
  panel: PanelName | null
  onPanel: (panel: PanelName | null) => void
}

export function Toolbar(props: Props) {
  const { editor, controls } = props
  const { t, nameValue, addNote } = useMessages()
  const { move, stop } = useToolbarKeys()
  const choices = choicesFor(editor, t)
  const tools = [...formatTools(editor), ...blockTools(editor), ...panelTools(props), ...historyTools(editor)]
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- one of its buttons has the focus (WAI-ARIA toolbar)
    <div
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
