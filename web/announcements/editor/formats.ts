import { Extension, Mark, mergeAttributes, type Attribute } from '@tiptap/core'

/** Options of the toolbar. Each is a CSS class, because the policy forbids inline styles. */
export const textStyles = {
  size: ['small', 'large', 'huge'],
  font: ['serif', 'monospace'],
  color: ['copper', 'verdigris', 'red', 'yellow', 'green', 'quiet'],
  bg: ['copper', 'verdigris', 'yellow'],
} as const
export type TextStyleName = keyof typeof textStyles
const alignments = ['center', 'right', 'justify'] as const
export const indentMax = 8

/** An attribute that is written as the class `ql-<name>-<value>`. Unknown values are dropped. */
const classAttribute = (name: string, values: readonly string[]): Attribute => ({
  default: null,
  parseHTML: (element: HTMLElement) =>
    values.find((value) => element.classList.contains(`ql-${name}-${value}`)) ?? null,
  renderHTML: (attributes: Record<string, unknown>) =>
    typeof attributes[name] === 'string' ? { class: `ql-${name}-${attributes[name]}` } : {},
})

/** Size, font, and color of text, combined in one span. */
export const TextStyle = Mark.create({
  name: 'textLook',
  addAttributes: () =>
    Object.fromEntries(
      Object.entries(textStyles).map(([name, values]) => [name, classAttribute(name, values)]),
    ),
  parseHTML: () => [
    {
      tag: 'span[class]',
      getAttrs: (element) => (/\bql-(size|font|color|bg)-/.test(element.className) ? null : false),
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ['span', mergeAttributes(HTMLAttributes), 0],
})

const blocks = ['paragraph', 'heading', 'blockquote', 'codeBlock', 'listItem', 'bulletList', 'orderedList']

/** Alignment, indent, and direction of blocks. */
export const BlockStyle = Extension.create({
  name: 'blockLook',
  addGlobalAttributes: () => [
    {
      types: blocks,
      attributes: {
        align: classAttribute('align', alignments),
        indent: classAttribute(
          'indent',
          Array.from({ length: indentMax }, (_, n) => String(n + 1)),
        ),
        dir: {
          default: null,
          parseHTML: (element) =>
            element.classList.contains('ql-direction-rtl')
              ? 'rtl'
              : (/^(rtl|ltr|auto)$/.exec(element.dir)?.[0] ?? null),
          renderHTML: ({ dir }) => (dir ? { dir: String(dir) } : {}),
        },
      },
    },
  ],
})
